package dev.tamis.cli.dedup;

import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineSet;
import dev.tamis.hash.HashFunction;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Finds repeated lines in bounded memory: they are added to a temporary file, then resolved. */
final class Spill implements Closeable {

  /*
   * The hash of a line decides its partition, so equal lines are in one partition. There are enough
   * partitions for each to fit in memory as a set. The result of a partition is the numbers of its repeats, in ascending order; the
   * results are merged while the input is read once more. Both are runs in one file:
   *
   *   partition   (number - number before, length of the key, key)*
   *   result      (number - number before, occurrences)*, 0 for a repeat
   *
   * The hash must be keyed, or lines could be chosen that are all in one partition.
   */

  private static final int MAX_CHUNK_BYTES = 1 << 20;
  private static final int MIN_CHUNK_BYTES = 1 << 9;

  /** How much smaller than the memory the average partition is, because they differ. */
  private static final int HEADROOM = 4;

  private final HashFunction function;
  private final boolean counting;
  private final SpillFile file;
  private final int chunkBytes;
  private final List<Partition> partitions = new ArrayList<>();
  private long largestSet;

  /** The lines of a partition, and the number of the last of them. */
  private static final class Partition {
    private final SpillRun run;
    private long last;

    Partition(SpillRun run) {
      this.run = run;
    }

    void writeNumber(long number) throws IOException {
      run.write(number - last);
      last = number;
    }
  }

  /** Creates the file; {@code memoryBytes} is for buffers, and later for a set of lines. */
  Spill(Path directory, HashFunction function, boolean counting, long inputBytes, long memoryBytes)
      throws IOException {
    this.function = function;
    this.counting = counting;
    long most = Long.highestOneBit(Math.max(2, memoryBytes / (2 * MIN_CHUNK_BYTES)));
    long wanted = Long.highestOneBit(Math.max(1, HEADROOM * (inputBytes / memoryBytes))) * 2;
    int count = (int) Math.min(1 << 20, Math.min(most, wanted));
    this.chunkBytes =
        (int) Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, memoryBytes / 2 / count));
    this.file = SpillFile.create(directory);
    for (int i = 0; i < count; i++) {
      partitions.add(new Partition(new SpillRun(file, chunkBytes)));
    }
  }

  /** Adds a line that may repeat, with an ascending number. */
  void add(long number, long hash, Line key) throws IOException {
    // low bits: a set of lines has the high ones for where they are
    Partition partition = partitions.get((int) hash & (partitions.size() - 1));
    partition.writeNumber(number);
    partition.run.write(key.length());
    partition.run.write(key.buffer(), key.start(), key.length());
  }

  ExactDedup.Occurrences resolve() throws IOException {
    for (Partition partition : partitions) {
      partition.run.flush();
    }
    List<SpillRun> results = new ArrayList<>();
    for (Partition partition : partitions) {
      results.add(resolve(partition.run));
    }
    return new Merged(results);
  }

  private SpillRun resolve(SpillRun run) throws IOException {
    LineSet distinct = new LineSet(function, counting);
    Partition result = new Partition(new SpillRun(file, chunkBytes));
    KeyReader reader = new KeyReader(run);
    while (reader.next()) {
      boolean isNew = distinct.add(reader.hash(function), reader.key);
      if (counting) {
        distinct.count(reader.hash(function), reader.key);
      } else if (!isNew) {
        result.writeNumber(reader.number);
        result.run.write(0);
      }
    }
    if (counting) {
      writeCounts(run, distinct, result);
    }
    largestSet = Math.max(largestSet, distinct.sizeInBytes());
    result.run.flush();
    return result.run;
  }

  private void writeCounts(SpillRun run, LineSet distinct, Partition result) throws IOException {
    KeyReader reader = new KeyReader(run);
    while (reader.next()) {
      long hash = reader.hash(function);
      boolean isFirst = distinct.query(hash, reader.key) == LineSet.Answer.FIRST;
      long count = isFirst ? distinct.countOf(hash, reader.key) : 0;
      if (count != 1) {
        result.writeNumber(reader.number);
        result.run.write(count);
      }
    }
  }

  long fileBytes() {
    return file.size();
  }

  long memoryBytes() {
    return largestSet;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static final class KeyReader {
    private final SpillRun.Reader reader;
    private final Line key = new Line();
    private byte[] bytes = new byte[1 << 8];
    private long number;

    KeyReader(SpillRun run) {
      this.reader = run.reader();
    }

    boolean next() throws IOException {
      if (!reader.hasNext()) {
        return false;
      }
      number += reader.readNumber();
      int length = (int) reader.readNumber();
      if (bytes.length < length) {
        bytes = new byte[Math.max(length, (int) Math.min(Integer.MAX_VALUE - 16, 2L * length))];
      }
      reader.read(bytes, length);
      key.set(bytes, 0, length);
      return true;
    }

    long hash(HashFunction function) {
      return Line.HASHER.hash(key, function);
    }
  }

  /** The results of all partitions, in the order of the lines. */
  private static final class Merged implements ExactDedup.Occurrences {
    private final PriorityQueue<Cursor> cursors =
        new PriorityQueue<>(Comparator.comparingLong((Cursor cursor) -> cursor.number));

    Merged(List<SpillRun> results) throws IOException {
      for (SpillRun result : results) {
        Cursor cursor = new Cursor(result);
        if (cursor.advance()) {
          cursors.add(cursor);
        }
      }
    }

    @Override
    public long of(long number, long hash, Line key) throws IOException {
      Cursor first = cursors.peek();
      if (first == null || first.number != number) {
        return 1;
      }
      cursors.remove();
      long occurrences = first.occurrences;
      if (first.advance()) {
        cursors.add(first);
      }
      return occurrences;
    }
  }

  private static final class Cursor {
    private final SpillRun.Reader reader;
    private long number;
    private long occurrences;

    Cursor(SpillRun result) {
      this.reader = result.reader();
    }

    boolean advance() throws IOException {
      if (!reader.hasNext()) {
        return false;
      }
      number += reader.readNumber();
      occurrences = reader.readNumber();
      return true;
    }
  }
}
