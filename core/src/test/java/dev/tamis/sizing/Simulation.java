package dev.tamis.sizing;

import java.util.SplittableRandom;

/**
 * Filters as balls thrown into cells by a random number generator: what the layouts say of
 * themselves, with neither a hash function nor the code that places bits.
 */
final class Simulation {

  private static final long LINE = 512;
  private static final long WORD = 64;

  private Simulation() {}

  /**
   * A mean over many filters.
   *
   * @param error its standard error
   */
  record Mean(double value, double error) {

    static Mean of(double[] values) {
      double sum = 0;
      double squares = 0;
      for (double value : values) {
        sum += value;
        squares += value * value;
      }
      double mean = sum / values.length;
      double variance = Math.max(0, squares / values.length - mean * mean);
      return new Mean(mean, Math.sqrt(variance / values.length));
    }
  }

  /** Fills {@code filters} filters with {@code keys} each and returns the mean of their fpp. */
  static Mean fpp(Shape shape, long keys, int filters, SplittableRandom random) {
    double[] fpps = new double[filters];
    for (int i = 0; i < filters; i++) {
      long[] words = empty(shape);
      put(shape, words, keys, random);
      fpps[i] = fpp(shape, words);
    }
    return Mean.of(fpps);
  }

  static long[] empty(Shape shape) {
    return new long[(int) ((shape.bits() + WORD - 1) / WORD)];
  }

  static void put(Shape shape, long[] words, long keys, SplittableRandom random) {
    long bits = shape.bits();
    int hashes = shape.hashes();
    long lines = bits / LINE;
    for (long key = 0; key < keys; key++) {
      switch (shape.layout()) {
        case CLASSIC -> throwInto(words, 0, bits, hashes, random);
        case PARTITIONED -> {
          long slice = bits / hashes;
          for (int i = 0; i < hashes; i++) {
            throwInto(words, i * slice, slice, 1, random);
          }
        }
        default -> {
          long line = random.nextLong(lines);
          for (int i = 0; i < shape.layout().linesPerKey(); i++) {
            throwIntoLine(shape, words, LINE * line, random);
            line = (line + 1 + random.nextLong(Math.max(1, lines - 1))) % lines;
          }
        }
      }
    }
  }

  private static void throwIntoLine(Shape shape, long[] bits, long start, SplittableRandom random) {
    int words = wordsPerLine(shape.layout());
    for (int word = 0; word < words; word++) {
      long cells = LINE / words;
      throwInto(
          bits, start + word * cells, cells, shape.hashes() / shape.layout().hashStep(), random);
    }
  }

  private static int wordsPerLine(Layout layout) {
    return layout.hashStep() / layout.linesPerKey();
  }

  private static void throwInto(
      long[] words, long start, long cells, int times, SplittableRandom random) {
    for (int i = 0; i < times; i++) {
      long bit = start + random.nextLong(cells);
      words[(int) (bit / WORD)] |= 1L << (bit % WORD);
    }
  }

  static long setBits(long[] words) {
    return setBits(words, 0, words.length * WORD);
  }

  private static long setBits(long[] words, long start, long end) {
    long count = 0;
    long bit = start;
    while (bit < end) {
      if (bit % WORD == 0 && bit + WORD <= end) {
        count += Long.bitCount(words[(int) (bit / WORD)]);
        bit += WORD;
      } else {
        count += words[(int) (bit / WORD)] >>> (bit % WORD) & 1;
        bit++;
      }
    }
    return count;
  }

  /** Returns the chance that a random key finds all its cells occupied, given those that are. */
  private static double fpp(Shape shape, long[] words) {
    int hashes = shape.hashes();
    return switch (shape.layout()) {
      case CLASSIC -> hit(words, 0, shape.bits(), hashes);
      case PARTITIONED -> hitAll(words, 0, shape.bits() / hashes, hashes, 1);
      default -> {
        int ranges = wordsPerLine(shape.layout());
        double sum = 0;
        double sumOfSquares = 0;
        for (long line = 0; line < shape.bits(); line += LINE) {
          double hit =
              hitAll(words, line, LINE / ranges, ranges, hashes / shape.layout().hashStep());
          sum += hit;
          sumOfSquares += hit * hit;
        }
        double lines = (double) shape.bits() / LINE;
        yield shape.layout().linesPerKey() == 1
            ? sum / lines
            : (sum * sum - sumOfSquares) / lines / (lines - 1); // all pairs of different lines
      }
    };
  }

  /** Returns the chance to find only occupied cells, trying so often in each of several ranges. */
  private static double hitAll(long[] words, long start, long cells, int ranges, int times) {
    double all = 1;
    for (int range = 0; range < ranges; range++) {
      all *= hit(words, start + range * cells, cells, times);
    }
    return all;
  }

  private static double hit(long[] words, long start, long cells, int times) {
    return Math.pow((double) setBits(words, start, start + cells) / cells, times);
  }
}
