package dev.tamis.sizing;

import java.util.SplittableRandom;

/**
 * Filters as balls thrown into cells by a random number generator: what the layouts say of
 * themselves, with neither a hash function nor the code that places bits.
 */
final class Simulation {

  private static final long LINE = 512;
  private static final long WORD = 64;
  private static final int WORDS = 8;

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

  /** Fills {@code filters} filters with so many keys each and returns the mean of their fpp. */
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

  /** Throws so many keys into a filter. */
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
        case LINE -> throwInto(words, LINE * random.nextLong(lines), LINE, hashes, random);
        case SPLIT -> {
          long line = LINE * random.nextLong(lines);
          for (int word = 0; word < WORDS; word++) {
            throwInto(words, line + word * WORD, WORD, hashes / WORDS, random);
          }
        }
        case TWO_LINES -> {
          long first = random.nextLong(lines);
          long second = (first + 1 + random.nextLong(lines - 1)) % lines;
          throwInto(words, LINE * first, LINE, hashes / 2, random);
          throwInto(words, LINE * second, LINE, hashes / 2, random);
        }
        case SPLIT_PAIR -> {
          long first = random.nextLong(lines);
          long second = (first + 1 + random.nextLong(lines - 1)) % lines;
          for (int word = 0; word < WORDS; word++) {
            throwInto(words, LINE * first + word * WORD, WORD, hashes / WORDS / 2, random);
            throwInto(words, LINE * second + word * WORD, WORD, hashes / WORDS / 2, random);
          }
        }
      }
    }
  }

  private static void throwInto(
      long[] words, long start, long cells, int times, SplittableRandom random) {
    for (int i = 0; i < times; i++) {
      long bit = start + random.nextLong(cells);
      words[(int) (bit / WORD)] |= 1L << (bit % WORD);
    }
  }

  static long ones(long[] words) {
    return ones(words, 0, words.length * WORD);
  }

  private static long ones(long[] words, long start, long end) {
    long ones = 0;
    long bit = start;
    while (bit < end) {
      if (bit % WORD == 0 && bit + WORD <= end) {
        ones += Long.bitCount(words[(int) (bit / WORD)]);
        bit += WORD;
      } else {
        ones += words[(int) (bit / WORD)] >>> (bit % WORD) & 1;
        bit++;
      }
    }
    return ones;
  }

  /** Returns the chance that a random key finds all its cells occupied, given those that are. */
  private static double fpp(Shape shape, long[] words) {
    int hashes = shape.hashes();
    return switch (shape.layout()) {
      case CLASSIC -> hit(words, 0, shape.bits(), hashes);
      case PARTITIONED -> hitAll(words, 0, shape.bits() / hashes, hashes, 1);
      case LINE -> {
        double sum = 0;
        for (long line = 0; line < shape.bits(); line += LINE) {
          sum += hit(words, line, LINE, hashes);
        }
        yield sum * LINE / shape.bits();
      }
      case SPLIT -> {
        double sum = 0;
        for (long line = 0; line < shape.bits(); line += LINE) {
          sum += hitAll(words, line, WORD, WORDS, hashes / WORDS);
        }
        yield sum * LINE / shape.bits();
      }
      case TWO_LINES, SPLIT_PAIR -> {
        double sum = 0;
        double sumOfSquares = 0;
        for (long line = 0; line < shape.bits(); line += LINE) {
          double hit =
              shape.layout() == Layout.TWO_LINES
                  ? hit(words, line, LINE, hashes / 2)
                  : hitAll(words, line, WORD, WORDS, hashes / WORDS / 2);
          sum += hit;
          sumOfSquares += hit * hit;
        }
        double lines = (double) shape.bits() / LINE;
        yield (sum * sum - sumOfSquares) / lines / (lines - 1); // all pairs of different lines
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
    return Math.pow((double) ones(words, start, start + cells) / cells, times);
  }
}
