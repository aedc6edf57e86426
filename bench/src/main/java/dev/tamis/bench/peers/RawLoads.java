package dev.tamis.bench.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of a random load from memory of the size of a filter: what no lookup can be faster than.
 *
 * <p>The places are random and known beforehand, so that the misses of several loads overlap as far
 * as the machine lets them; only in {@link #dependent} each is known when the one before is done.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class RawLoads {

  private static final int BATCH = 50_000;
  private static final int LINE_WORDS = 8;
  private static final int LINE_BYTES = LINE_WORDS * Long.BYTES;

  /** Bytes of memory: 10 bits per key for 1e4, 1e5, 1e6 and 2e7 keys, and 1 GB. */
  @Param({"12544", "125056", "1250048", "25000064", "1073741824"})
  public long bytes;

  private static @Nullable Memory memory;

  private int from;

  /** Allocates the memory and writes to all of it. */
  @Setup(Level.Trial)
  public void allocate() {
    memory();
  }

  private Memory memory() {
    Memory known = memory;
    if (known == null || known.words.length != bytes / Long.BYTES) {
      memory = null; // the memory of the one before is needed for the next
      known = new Memory(bytes);
      memory = known;
    }
    return known;
  }

  /** Loads longs of an array. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long word() {
    long[] words = memory().words;
    long[] hashes = memory().hashes;
    int begin = next();
    long sum = 0;
    for (int i = begin; i < begin + BATCH; i++) {
      sum += words[place(hashes[i], words.length)];
    }
    return sum;
  }

  /** Loads all eight longs of a line, in an array: it begins 16 bytes after a line does. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long line() {
    return sumLines(memory().words, memory().hashes, next());
  }

  static long sumLines(long[] words, long[] hashes, int begin) {
    int lines = words.length / LINE_WORDS;
    long sum = 0;
    for (int i = begin; i < begin + BATCH; i++) {
      int first = place(hashes[i], lines) * LINE_WORDS;
      sum +=
          (words[first] ^ words[first + 1])
              + (words[first + 2] ^ words[first + 3])
              + (words[first + 4] ^ words[first + 5])
              + (words[first + 6] ^ words[first + 7]);
    }
    return sum;
  }

  /** Loads all eight longs of a line of the cache, from memory outside of the heap. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long alignedLine() {
    LongBuffer words = memory().aligned;
    long[] hashes = memory().hashes;
    int lines = words.capacity() / LINE_WORDS;
    int begin = next();
    long sum = 0;
    for (int i = begin; i < begin + BATCH; i++) {
      int first = place(hashes[i], lines) * LINE_WORDS;
      sum +=
          (words.get(first) ^ words.get(first + 1))
              + (words.get(first + 2) ^ words.get(first + 3))
              + (words.get(first + 4) ^ words.get(first + 5))
              + (words.get(first + 6) ^ words.get(first + 7));
    }
    return sum;
  }

  /** Loads longs of an array, each where the one before says. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long dependent() {
    long[] words = memory().words;
    long[] hashes = memory().hashes;
    int begin = next();
    long previous = 0;
    for (int i = begin; i < begin + BATCH; i++) {
      previous = words[place(hashes[i] ^ previous, words.length)];
    }
    return previous;
  }

  private int next() {
    from = (from + BATCH) % LongStreams.LENGTH;
    return from;
  }

  /** Returns a place in [0, {@code places}). */
  private static int place(long hash, int places) {
    return (int) (((hash >>> Integer.SIZE) * places) >>> Integer.SIZE);
  }

  /** The memory that is loaded from, in an array and again outside of the heap, and where to. */
  private static final class Memory {

    private final long[] words;
    private final LongBuffer aligned;
    private final long[] hashes = new SplittableRandom(2).longs(LongStreams.LENGTH).toArray();

    Memory(long bytes) {
      if (bytes % LINE_BYTES != 0 || bytes > Integer.MAX_VALUE - LINE_BYTES) {
        throw new IllegalArgumentException(
            "bytes must be a multiple of " + LINE_BYTES + " below 2 GB, got " + bytes);
      }
      words = new SplittableRandom(1).longs(bytes / Long.BYTES).toArray();
      aligned =
          ByteBuffer.allocateDirect((int) bytes + LINE_BYTES)
              .alignedSlice(LINE_BYTES)
              .order(ByteOrder.nativeOrder())
              .asLongBuffer()
              .slice(0, words.length)
              .put(0, words);
    }
  }
}
