package dev.tamis.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a partition that come more than once, in arrays, from rows of a hash and its count.
 *
 * <p>Counts all rows on the way, and reports the counts once it is exhausted.
 */
final class RepeatedHashes implements Iterator<long[]> {

  private static final int MAX_HASHES = 8_192;

  private final Iterator<InternalRow> groups;
  private final PartitionCounts<Counts> counts;
  private long @Nullable [] ready;
  private boolean isReported;
  private long rows;
  private long repeatedHashes;
  private long repeatedRows;

  RepeatedHashes(Iterator<InternalRow> groups, PartitionCounts<Counts> counts) {
    this.groups = groups;
    this.counts = counts;
  }

  /** What a partition has: all rows, hashes that come more than once, and the rows of those. */
  record Counts(long rows, long repeatedHashes, long repeatedRows) implements Serializable {

    static Counts sum(Collection<Counts> partitions) {
      return partitions.stream()
          .reduce(
              new Counts(0, 0, 0),
              (a, b) ->
                  new Counts(
                      a.rows + b.rows,
                      a.repeatedHashes + b.repeatedHashes,
                      a.repeatedRows + b.repeatedRows));
    }
  }

  /** Returns the hashes one by one. */
  static Iterator<Long> iterator(long[] hashes) {
    return Arrays.stream(hashes).iterator();
  }

  @Override
  public boolean hasNext() {
    if (ready == null && !isReported) {
      ready = read();
    }
    return ready != null;
  }

  private long @Nullable [] read() {
    long[] hashes = new long[MAX_HASHES];
    int count = 0;
    while (count < MAX_HASHES && groups.hasNext()) {
      InternalRow group = groups.next();
      long times = group.getLong(1);
      rows += times;
      if (times > 1) {
        repeatedRows += times;
        hashes[count++] = group.getLong(0);
      }
    }
    repeatedHashes += count;
    if (count < MAX_HASHES) {
      isReported = true;
      counts.add(
          new PartitionCounts.OfPartition<>(
              TaskContext.getPartitionId(), new Counts(rows, repeatedHashes, repeatedRows)));
    }
    return count == 0 ? null : Arrays.copyOf(hashes, count);
  }

  @Override
  public long[] next() {
    if (!hasNext() || ready == null) {
      throw new NoSuchElementException();
    }
    long[] hashes = ready;
    ready = null;
    return hashes;
  }
}
