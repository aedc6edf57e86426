package dev.tamis.bench.speed;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
 * Time of lookups in blocks of several shapes at 1 %, with nothing of the library around them.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar speed.LineShapes
 * </pre>
 *
 * <p>In plain Java. {@code LOAD} reads one word of the block and decides nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class LineShapes {

  private static final int BATCH = 50_000;
  private static final int QUERIES = 20 * BATCH;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Which shape; all of them unless one is named. */
  @Param public Shape shape = Shape.LOAD;

  /** Keys in it. */
  @Param({"100000", "20000000"})
  public int keys;

  private final long[] present = new long[QUERIES];
  private final long[] absent = new long[QUERIES];
  private long[] words = {};
  private long blocks;
  private int from;

  /** Fills the blocks. */
  @Setup(Level.Trial)
  public void fill() {
    blocks = (long) Math.ceil(shape.bitsPerKey * keys / Long.SIZE / shape.wordsPerBlock);
    words = new long[Math.toIntExact(blocks * shape.wordsPerBlock)];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < keys; i++) {
      long hash = random.nextLong();
      shape.put(words, first(hash), hash * GOLDEN);
      present[i % QUERIES] = hash;
    }
    SplittableRandom other = new SplittableRandom(2);
    int wrong = 0;
    for (int i = 0; i < QUERIES; i++) {
      absent[i] = other.nextLong();
      wrong += contains(absent[i]) ? 1 : 0;
    }
    System.out.println("fpp: " + (double) wrong / QUERIES);
  }

  /** Moves on in the queries. */
  @Setup(Level.Invocation)
  public void advance() {
    from = (from + BATCH) % QUERIES;
  }

  /** Queries for keys that are there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit() {
    return count(present);
  }

  /** Queries for keys that are not there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() {
    return count(absent);
  }

  private int count(long[] hashes) {
    int count = 0;
    for (int i = from; i < from + BATCH; i++) {
      if (contains(hashes[i])) {
        count++;
      }
    }
    return count;
  }

  private boolean contains(long hash) {
    return shape.contains(words, first(hash), hash * GOLDEN);
  }

  private int first(long hash) {
    long block = Math.multiplyHigh(hash, blocks) + ((hash >> 63) & blocks);
    return (int) block * shape.wordsPerBlock;
  }

  /** Where a key has its bits; the bits per key are those that keep 1 %. */
  public enum Shape {
    /** One bit in each word of a cache line. */
    EIGHT_WORDS(8, 10.1) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        return (fromTo(words, first, draw, 0, 8) & 1) != 0;
      }
    },

    /** The same; a lookup stops after two words. */
    EIGHT_WORDS_AFTER_2(8, 10.1) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        return (fromTo(words, first, draw, 0, 2) & 1) != 0
            && (fromTo(words, first, draw, 2, 8) & 1) != 0;
      }
    },

    /** The same; a lookup stops after four words. */
    EIGHT_WORDS_AFTER_4(8, 10.1) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        return (fromTo(words, first, draw, 0, 4) & 1) != 0
            && (fromTo(words, first, draw, 4, 8) & 1) != 0;
      }
    },

    /** Two bits in each of four words, which are half a line. */
    FOUR_WORDS(4, 10.45) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        long missing = 0;
        for (int i = 0; i < 4; i++) {
          missing |= ~words[first + i] & (bit(draw, 2 * i) | bit(draw, 2 * i + 1));
        }
        return missing == 0;
      }

      @Override
      void put(long[] words, int first, long draw) {
        for (int i = 0; i < 4; i++) {
          words[first + i] |= bit(draw, 2 * i) | bit(draw, 2 * i + 1);
        }
      }
    },

    /** Three bits in each of two words of a line. */
    TWO_WORDS_OF_THREE(8, 10.3) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        long mask = bit(draw, 1) | bit(draw, 2) | bit(draw, 3);
        long other = bit(draw, 4) | bit(draw, 5) | bit(draw, 6);
        return ((~words[one(first, draw)] & mask) | (~words[two(first, draw)] & other)) == 0;
      }

      @Override
      void put(long[] words, int first, long draw) {
        words[one(first, draw)] |= bit(draw, 1) | bit(draw, 2) | bit(draw, 3);
        words[two(first, draw)] |= bit(draw, 4) | bit(draw, 5) | bit(draw, 6);
      }
    },

    /** Two bits in each of two words of a line. */
    TWO_WORDS_OF_TWO(8, 11.1) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        long mask = bit(draw, 1) | bit(draw, 2);
        long other = bit(draw, 4) | bit(draw, 5);
        return ((~words[one(first, draw)] & mask) | (~words[two(first, draw)] & other)) == 0;
      }

      @Override
      void put(long[] words, int first, long draw) {
        words[one(first, draw)] |= bit(draw, 1) | bit(draw, 2);
        words[two(first, draw)] |= bit(draw, 4) | bit(draw, 5);
      }
    },

    /** Nothing is decided. */
    LOAD(8, 10.1) {
      @Override
      boolean contains(long[] words, int first, long draw) {
        return words[first] == draw;
      }
    };

    private final int wordsPerBlock;
    private final double bitsPerKey;

    Shape(int wordsPerBlock, double bitsPerKey) {
      this.wordsPerBlock = wordsPerBlock;
      this.bitsPerKey = bitsPerKey;
    }

    /** Returns whether all bits of a key are set in the block that begins there. */
    abstract boolean contains(long[] words, int first, long draw);

    /** Sets the bits of a key: one in each of eight words, unless a shape says otherwise. */
    void put(long[] words, int first, long draw) {
      for (int i = 0; i < 8; i++) {
        words[first + i] |= bit(draw, i);
      }
    }

    private static long bit(long draw, int field) {
      return 1L << (draw >>> (58 - 6 * field));
    }

    /** Returns in the low bit whether the bits of some of eight words are set. */
    private static long fromTo(long[] words, int first, long draw, int from, int to) {
      long all = 1;
      for (int i = from; i < to; i++) {
        all &= words[first + i] >>> (draw >>> (58 - 6 * i));
      }
      return all;
    }

    private static int one(int first, long draw) {
      return first + (int) (draw >>> 62);
    }

    private static int two(int first, long draw) {
      return first + 4 + (int) (draw >>> 60 & 3);
    }
  }
}
