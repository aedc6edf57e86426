package dev.tamis.sketch;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Streams of keys in which some come more often than others; the same on every machine. */
enum Streams {
  /** Every key as often as any other. */
  UNIFORM {
    @Override
    double weight(int rank) {
      return 1;
    }
  },

  /** The r-th key 1/r as often as the first, as words and visitors are. */
  ZIPF {
    @Override
    double weight(int rank) {
      return 1.0 / rank;
    }
  },

  /** Ninety keys and hardly any other, which is the worst for a bound of one percent. */
  FEW {
    @Override
    double weight(int rank) {
      return rank <= 90 ? 1 : 1e-6;
    }
  };

  private static final int KEYS = 20_000;
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  abstract double weight(int rank);

  LongStream hashes(long seed, int puts) {
    double[] upTo = new double[KEYS];
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += weight(i + 1);
      upTo[i] = sum;
    }
    double total = sum;
    return new SplittableRandom(seed)
        .doubles(puts)
        .mapToLong(share -> hash(seed, Math.abs(Arrays.binarySearch(upTo, share * total) + 1)));
  }

  private static long hash(long seed, long key) {
    return new SplittableRandom(seed ^ key * MIXER).nextLong();
  }

  static Map<Long, Long> truth(long[] hashes) {
    Map<Long, Long> truth = new TreeMap<>();
    for (long hash : hashes) {
      truth.merge(hash, 1L, Long::sum);
    }
    return truth;
  }
}
