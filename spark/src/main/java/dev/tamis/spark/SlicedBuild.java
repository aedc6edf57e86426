package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.BloomFilterOutput;
import dev.tamis.filter.LineRanges;
import dev.tamis.format.Codec;
import dev.tamis.format.Frame;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;

/**
 * A filter that no task could hold, built in slices that one task each fills and writes.
 *
 * <p>Hashes are shuffled to the task that owns their cache lines. The driver then concatenates the
 * slices in constant memory, compares each with the checksum that its task has taken, and takes
 * that of the whole on the way; the file appears under its name when it is complete.
 */
final class SlicedBuild {

  private static final int COPY_BYTES = 1 << 20;

  private final String path;
  private final Sizing sizing;
  private final HashId hashId;
  private final LineRanges slices;

  SlicedBuild(String path, Sizing sizing, HashId hashId, int slices) {
    this.path = requireNonNull(path, "path");
    this.sizing = sizing;
    this.hashId = hashId;
    this.slices = slices(sizing.shape(), slices);
  }

  /** Divides a filter into at most {@code most} slices, no more than it has cache lines. */
  static LineRanges slices(Shape shape, int most) {
    long lines = LineRanges.lines(shape.bits());
    if (!shape.layout().isBlocked()) {
      throw new IllegalArgumentException(
          "layout: must be blocked, so that the bits of a key are in one slice or two, got "
              + shape.layout().label());
    }
    if (most < 1 || most > lines) {
      throw new IllegalArgumentException(
          "slices must be 1 to the filter's " + lines + " cache lines, got " + most);
    }
    return LineRanges.of(shape.bits(), most);
  }

  /** A slice that a task attempt has written. */
  private record Written(int slice, long attempt, int checksum, long setBits) {

    /** Task results go through Spark's serializer, and Kryo's of Spark 4.2 takes no records. */
    long[] numbers() {
      return new long[] {slice, attempt, checksum, setBits};
    }

    static Written of(long[] numbers) {
      return new Written((int) numbers[0], numbers[1], (int) numbers[2], numbers[3]);
    }

    /** Returns the file of an attempt; several attempts may run at once. */
    static Path file(String folder, int slice, long attempt) {
      return new Path(folder, slice + "-" + attempt);
    }
  }

  private record Counts(long keys, long nullKeys) implements Serializable {}

  <E> SlicedFilter run(JavaRDD<E> rdd, KeyHashes<E> hashes) {
    Configuration configuration = rdd.context().hadoopConfiguration();
    Path target = new Path(path);
    Path folder =
        new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".slices");
    PartitionCounts<Counts> counts = new PartitionCounts<>();
    rdd.context().register(counts);
    try {
      FileSystem files = raw(target, configuration);
      if (!files.mkdirs(folder)) {
        throw new IOException("directory " + folder + ": cannot be created");
      }
      try {
        List<Written> written = write(rdd, hashes, folder.toString(), counts);
        Publication.publish(
            target,
            configuration,
            out -> {
              BloomFilterOutput output = new BloomFilterOutput(out, sizing, hashId);
              for (Written slice : written) {
                copy(slice, folder.toString(), files, output);
              }
              output.finish();
            });
        return summary(written, counts);
      } finally {
        files.delete(folder, true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("file " + path + ": " + e.getMessage(), e);
    }
  }

  private <E> List<Written> write(
      JavaRDD<E> rdd, KeyHashes<E> hashes, String folder, PartitionCounts<Counts> counts) {
    Tasks<E> tasks =
        new Tasks<>(
            sizing.shape().layout(),
            sizing.shape().bits(),
            sizing.shape().hashes(),
            hashId.number(),
            slices,
            hashes,
            counts,
            folder,
            new SerializableConfiguration(rdd.context().hadoopConfiguration()));
    return rdd
        .mapPartitionsToPair(tasks::hashes)
        .partitionBy(new HashPartitioner(slices.count()))
        .mapPartitionsWithIndex(tasks::write, true)
        .collect()
        .stream()
        .map(Written::of)
        .sorted(Comparator.comparingInt(Written::slice))
        .toList();
  }

  private void copy(Written slice, String folder, FileSystem files, BloomFilterOutput output)
      throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] bytes = new byte[COPY_BYTES];
    long left = slices.bits(slice.slice) / Byte.SIZE;
    try (InputStream in = files.open(Written.file(folder, slice.slice, slice.attempt))) {
      while (left > 0) {
        int count = in.read(bytes, 0, (int) Math.min(left, bytes.length));
        if (count < 0) {
          throw new IOException(
              "slice " + slice.slice + ": is " + left + " bytes too short; build it again");
        }
        checksum.update(bytes, 0, count);
        output.write(bytes, 0, count);
        left -= count;
      }
    }
    if ((int) checksum.getValue() != slice.checksum) {
      throw new IOException(
          "slice " + slice.slice + ": is not what its task has written; build it again");
    }
  }

  private SlicedFilter summary(List<Written> written, PartitionCounts<Counts> counts) {
    long setBits = written.stream().mapToLong(Written::setBits).sum();
    long distinct = KeyCounts.keys(sizing.shape(), setBits).rounded();
    double fpp = sizing.shape().fpp(distinct);
    return new SlicedFilter(
        path,
        Frame.bytes(sizing.shape().bits() / Byte.SIZE),
        counts.value().values().stream().mapToLong(Counts::keys).sum(),
        counts.value().values().stream().mapToLong(Counts::nullKeys).sum(),
        distinct,
        fpp,
        Warnings.overCapacity(sizing.capacity(), distinct, fpp));
  }

  /** Returns the file system, without the checksum files of a local one. */
  static FileSystem raw(Path path, Configuration configuration) throws IOException {
    FileSystem files = path.getFileSystem(configuration);
    return files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
  }

  /** The work of the tasks; serialized. */
  private record Tasks<E>(
      Layout layout,
      long bits,
      int hashesOfKey,
      long seed,
      LineRanges slices,
      KeyHashes<E> hashes,
      PartitionCounts<Counts> counts,
      String folder,
      SerializableConfiguration configuration)
      implements Serializable {

    private Shape shape() {
      return new Shape(layout, bits, hashesOfKey);
    }

    Iterator<Tuple2<Integer, byte[]>> hashes(Iterator<E> elements) {
      SliceHashes<E> sliced =
          new SliceHashes<>(elements, hashes, HashFunction.xxh3(seed), shape(), slices);
      TaskCompletionListener whenDone =
          done ->
              counts.add(new PartitionCounts.OfPartition<>(done.partitionId(), sliced.counts()));
      TaskContext.get().addTaskCompletionListener(whenDone);
      return sliced;
    }

    Iterator<long[]> write(int slice, Iterator<Tuple2<Integer, byte[]>> chunks) throws IOException {
      SliceBits owned = new SliceBits(shape(), slices, slice);
      while (chunks.hasNext()) {
        owned.put(chunks.next()._2());
      }
      long attempt = TaskContext.get().taskAttemptId();
      Path file = Written.file(folder, slice, attempt);
      int checksum;
      try (var out = raw(file, configuration.value()).create(file, false)) {
        checksum = owned.writeTo(out);
      }
      Written written = new Written(slice, attempt, checksum, owned.setBits());
      return List.of(written.numbers()).iterator();
    }
  }

  /** The bits of one slice of a filter, which one task owns. */
  static final class SliceBits {

    private static final int BUFFER_BYTES = 1 << 16;

    private final BitPositions positions;
    private final long firstBit;
    private final long endBit;
    private final long[] words;

    SliceBits(Shape shape, LineRanges slices, int slice) {
      positions = BitPositions.of(shape);
      firstBit = slices.firstBit(slice);
      endBit = firstBit + slices.bits(slice);
      words = new long[Math.toIntExact((endBit - firstBit) / Long.SIZE)];
    }

    /** Sets the keys' bits that are in this slice; other tasks own the rest. */
    void put(byte[] hashes) {
      ByteBuffer buffer = Codec.buffer(hashes);
      int count = positions.count();
      while (buffer.hasRemaining()) {
        long hash = buffer.getLong();
        for (int i = 0; i < count; i++) {
          long bit = positions.position(hash, i);
          if (bit >= firstBit && bit < endBit) {
            long at = bit - firstBit;
            words[(int) (at >>> 6)] |= 1L << at;
          }
        }
      }
    }

    long setBits() {
      long setBits = 0;
      for (long word : words) {
        setBits += Long.bitCount(word);
      }
      return setBits;
    }

    /**
     * Writes the bits in the order of a file.
     *
     * @return the CRC-32C of the bytes written
     */
    int writeTo(OutputStream out) throws IOException {
      CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
      byte[] bytes = new byte[BUFFER_BYTES];
      int step = BUFFER_BYTES / Long.BYTES;
      for (int from = 0; from < words.length; from += step) {
        int count = Math.min(step, words.length - from);
        Codec.buffer(bytes).asLongBuffer().put(words, from, count);
        checked.write(bytes, 0, count * Long.BYTES);
      }
      return (int) checked.getChecksum().getValue();
    }
  }

  /**
   * The keys of a task as chunks of hashes, each for the slice that has the keys' bits.
   *
   * <p>A chunk is one record of the shuffle, so that a key costs eight bytes there, or sixteen
   * where its two lines are in different slices. The chunks being filled take {@link #MEMORY_BYTES}
   * at most.
   */
  static final class SliceHashes<E> implements Iterator<Tuple2<Integer, byte[]>> {

    /** All chunks of a task together, unless there are more slices than would fit. */
    private static final int MEMORY_BYTES = 8 << 20;

    private static final int MAX_CHUNK_BYTES = 1 << 13;
    private static final int MIN_CHUNK_BYTES = 1 << 8;

    private final Iterator<E> elements;
    private final KeyHashes<E> hashes;
    private final HashFunction function;
    private final BitPositions positions;
    private final int positionsPerLine;
    private final LineRanges slices;
    private final int chunkBytes;
    private final ByteBuffer[] chunks;
    private final Queue<Tuple2<Integer, byte[]>> ready = new ArrayDeque<>();
    private int flushed;
    private long keys;
    private long nullKeys;

    SliceHashes(
        Iterator<E> elements,
        KeyHashes<E> hashes,
        HashFunction function,
        Shape shape,
        LineRanges slices) {
      this.elements = elements;
      this.hashes = hashes;
      this.function = function;
      this.positions = BitPositions.of(shape);
      this.positionsPerLine = positions.count() / shape.layout().linesPerKey();
      this.slices = slices;
      int share = MEMORY_BYTES / slices.count() / Long.BYTES * Long.BYTES;
      this.chunkBytes = Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, share));
      this.chunks = new ByteBuffer[slices.count()];
    }

    @Override
    public boolean hasNext() {
      while (ready.isEmpty() && elements.hasNext()) {
        E element = elements.next();
        if (hashes.isNull(element)) {
          nullKeys++;
        } else {
          keys++;
          add(hashes.hash(element, function));
        }
      }
      while (ready.isEmpty() && flushed < chunks.length) {
        flush(flushed++);
      }
      return !ready.isEmpty();
    }

    private void add(long hash) {
      int previous = -1;
      for (int i = 0; i < positions.count(); i += positionsPerLine) {
        int slice = slices.rangeOf(positions.position(hash, i));
        if (slice != previous) {
          add(slice, hash);
        }
        previous = slice;
      }
    }

    private void add(int slice, long hash) {
      ByteBuffer chunk = chunks[slice];
      if (chunk == null) {
        chunk = Codec.buffer(chunkBytes);
        chunks[slice] = chunk;
      }
      chunk.putLong(hash);
      if (!chunk.hasRemaining()) {
        flush(slice);
      }
    }

    @SuppressWarnings("ByteBufferBackingArray") // each chunk has an array of its own
    private void flush(int slice) {
      ByteBuffer chunk = chunks[slice];
      if (chunk != null) {
        byte[] bytes = chunk.array();
        ready.add(
            new Tuple2<>(
                slice, chunk.hasRemaining() ? Arrays.copyOf(bytes, chunk.position()) : bytes));
        chunks[slice] = null;
      }
    }

    @Override
    public Tuple2<Integer, byte[]> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return ready.remove();
    }

    /** Returns how many elements so far had a key, and how many had none. */
    Counts counts() {
      return new Counts(keys, nullKeys);
    }
  }
}
