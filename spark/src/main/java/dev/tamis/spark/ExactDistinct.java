package dev.tamis.spark;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * The distinct rows of a data set, found by shuffling hashes in place of rows.
 *
 * <p>The first pass shuffles eight bytes for each row, and finds the hashes that come more than
 * once; they go into a Bloom filter. The second pass lets each row go through whose hash is not in
 * the filter, because no other row has it, and compares the remaining rows in full, as {@code
 * dropDuplicates} does. So the result is that of {@code dropDuplicates}, whatever the fpp.
 *
 * <p>The passes read a copy of the input, in the free storage memory and on the local disks of the
 * executors. So the input is computed once, and may be any query. Spark removes the copy when
 * nothing refers to {@link #rows} any more. If an executor and its part of the copy are lost, the
 * query fails, because that part of the input might not be the same again.
 *
 * <p>Choose it when rows are wide and few of them are repeats. If half of the rows are repeats,
 * nearly all of them are compared in full, and {@code dropDuplicates} does the same work once.
 *
 * @param <T> the type of row
 * @param rows the distinct rows, as they will be read by the second pass; a query of them can be
 *     repeated
 * @param inputRows the rows that the first pass has read
 * @param repeatedHashes the hashes that came more than once
 * @param repeatedRows the rows that had one of them
 * @param filterBytes the size of the filter that is sent to each executor
 */
public record ExactDistinct<T>(
    Dataset<T> rows, long inputRows, long repeatedHashes, long repeatedRows, long filterBytes) {

  /*
   * Both branches of the second pass read the copy, because a row cannot leave a stage by two ways.
   * The alternative, one shuffle in which unique rows go to their own partition, moves all rows.
   */

  /** The share of unique rows that is compared needlessly; costs 10.5 bits per repeated hash. */
  private static final double FPP = 0.01;

  private static final String HASH = "tamis_hash";

  static <T> ExactDistinct<T> of(Dataset<T> dataset, String... columns) {
    if (dataset.isStreaming()) {
      throw new IllegalArgumentException(
          "dataset: is a stream, which cannot be read twice; use TamisSpark.streamingDistinct");
    }
    RowKeys<T> keys = RowKeys.of(dataset, columns);
    // eagerly: what is lost before all of it is there is computed again
    Dataset<T> copy = keys.rows().localCheckpoint(true);
    Column hash = keys.hash();
    PartitionCounts<RepeatedHashes.Counts> counts = new PartitionCounts<>();
    dataset.sparkSession().sparkContext().register(counts);
    JavaRDD<InternalRow> groups =
        copy.select(hash.as(HASH)).groupBy(HASH).count().queryExecution().toRdd().toJavaRDD();
    JavaRDD<long[]> repeated =
        groups
            .mapPartitions(rows -> new RepeatedHashes(rows, counts))
            .persist(StorageLevel.MEMORY_AND_DISK());
    try {
      long unused = repeated.count();
      RepeatedHashes.Counts total = RepeatedHashes.Counts.sum(counts.value().values());
      if (total.repeatedHashes() == 0) {
        return new ExactDistinct<>(copy, total.rows(), 0, 0, 0);
      }
      BloomFilter<Long> filter =
          TamisSpark.keys(repeated.flatMap(RepeatedHashes::iterator), KeyHasher.longs())
              .filter(total.repeatedHashes(), FPP)
              .contents();
      Column isRepeated = MightContain.column(copy, filter, hash);
      Dataset<T> unique = copy.where(functions.not(isRepeated));
      Dataset<T> compared = keys.dropDuplicates(copy.where(isRepeated));
      return new ExactDistinct<>(
          unique.union(compared),
          total.rows(),
          total.repeatedHashes(),
          total.repeatedRows(),
          filter.serializedSize());
    } finally {
      repeated.unpersist();
    }
  }

  /**
   * The hashes of a partition that come more than once, in arrays, from rows of a hash and its
   * count.
   *
   * <p>Counts all rows on the way, and reports the counts once it is exhausted.
   */
  private static final class RepeatedHashes implements Iterator<long[]> {

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
}
