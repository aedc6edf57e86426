package dev.tamis.sizing;

import dev.tamis.internal.hashes.HashCollisions;
import org.jspecify.annotations.Nullable;

/**
 * The dimensions of a windowed Bloom filter: its slices and the keys they are meant for.
 *
 * <pre>{@code
 * WindowSizing.builder().window(1_000_000).fpp(0.001).solve().bits();
 * }</pre>
 *
 * @param hashes k, the slices in which a key sets a bit; 1 to {@link #MAX_HASHES}
 * @param generations l, the whole generations a key is remembered for; 1 to {@link
 *     #MAX_GENERATIONS}
 * @param sliceBits m, the bits of each of the k + l slices; a multiple of 64
 * @param generationKeys g, the keys a generation is meant for; at least 1, l·g below 2^63
 * @param fpp p, the requested false-positive probability; strictly between 0 and 1
 * @see <a href="https://arxiv.org/abs/2001.03147">Shtul, Baquero, Almeida 2020, Age-partitioned
 *     Bloom filters</a>
 */
public record WindowSizing(
    int hashes, int generations, long sliceBits, long generationKeys, double fpp) {

  /*
   * For each l the fewest k whose half-full slices keep p, and of all such pairs the one with the
   * fewest slices that takes at most 5 % more bits than the best: bits are flat in l and the time
   * of a query is not. At 0.1 % that is k = 15, l = 61 with 26.4 bits per key, where the fewest are
   * 25.7 with k = 16, l = 139. Fewer hashes and fuller slices would save less than 1 % of bits.
   *
   * Then m is the least that keeps p. The fills are the exact means of a finite slice, and slices
   * are independent of each other, so the promise holds for windows of a handful of keys too.
   */

  /** The most slices a key may set a bit in; with half of the bits set 64 are below any fpp. */
  public static final int MAX_HASHES = 64;

  /** The most generations; past a few hundred neither bits nor slack gain anything. */
  public static final int MAX_GENERATIONS = 1024;

  /** The least slack, which two times {@link #MAX_GENERATIONS} can keep for every window. */
  public static final double MIN_SLACK = 0.01;

  /** The default slack; below an fpp of 3 % it costs no bits. */
  public static final double DEFAULT_SLACK = 0.1;

  /** How many more bits than the fewest may be taken for fewer slices. */
  private static final double BITS_FOR_SPEED = 1.05;

  /** Checks the ranges. */
  public WindowSizing {
    requireHashes(hashes);
    requireGenerations(generations);
    requireSliceBits(hashes + generations, sliceBits);
    requireGenerationKeys(generations, generationKeys);
    Checks.fpp(fpp);
  }

  /** Returns {@code hashes}, if allowed. */
  public static int requireHashes(long hashes) {
    return (int) Checks.range("hashes", hashes, 1, MAX_HASHES);
  }

  /** Returns {@code generations}, if allowed. */
  public static int requireGenerations(long generations) {
    return (int) Checks.range("generations", generations, 1, MAX_GENERATIONS);
  }

  /** Returns {@code sliceBits}, if allowed for this number of slices. */
  public static long requireSliceBits(int slices, long sliceBits) {
    long most = mostSliceBits(slices);
    if (sliceBits < Long.SIZE || sliceBits % Long.SIZE != 0 || sliceBits > most) {
      throw new IllegalArgumentException(
          "sliceBits must be a multiple of 64 from 64 to " + most + ", got " + sliceBits);
    }
    return sliceBits;
  }

  /** Returns {@code generationKeys}, if allowed for this number of generations. */
  public static long requireGenerationKeys(int generations, long generationKeys) {
    return Checks.range("generationKeys", generationKeys, 1, Long.MAX_VALUE / generations);
  }

  /** Returns a builder of sizings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns k + l, the number of slices. */
  public int slices() {
    return hashes + generations;
  }

  /** Returns the bits of all slices. */
  public long bits() {
    return slices() * sliceBits;
  }

  /** Returns l·g, the keys of a window, none of them twice. */
  public long expectedKeys() {
    return generations * generationKeys;
  }

  /** Returns the bits for each key of a window. */
  public double bitsPerKey() {
    return (double) bits() / expectedKeys();
  }

  /** Returns the fpp when all generations were full and the youngest is about to end. */
  public double worstFpp() {
    double load = -generationKeys * Math.log1p(-1.0 / sliceBits);
    double positions = SliceRuns.worstPhase(hashes, slices(), load).reached();
    double keys = (double) generationKeys * (generations + 1);
    return HashCollisions.addedTo(positions, keys);
  }

  /** Returns the same for large slices, half full with k generations: the table of the paper. */
  static double halfFullFpp(int hashes, int generations) {
    requireHashes(hashes);
    requireGenerations(generations);
    return SliceRuns.halfFull(hashes, hashes + generations).reached();
  }

  /**
   * Returns the probability that a random key has its bit in {@code hashes} slices in a row. Costs
   * k multiplications per slice.
   *
   * @param fills the share of set bits of each slice, in the order of age
   */
  public static double fpp(int hashes, double... fills) {
    SliceRuns runs = new SliceRuns(hashes);
    for (double fill : fills) {
      runs.extend(fill);
    }
    return runs.reached();
  }

  private static long mostSliceBits(int slices) {
    return Layout.MAX_BITS / slices / Long.SIZE * Long.SIZE;
  }

  /** The values given. Each setter checks its own value, {@link #solve} their combination. */
  public static final class Builder {
    private long keys;
    private boolean counted;
    private @Nullable Double fpp;
    private double slack = DEFAULT_SLACK;

    private Builder() {}

    /**
     * Sets W, the puts of a window that is counted in puts; at least 1. Then the slack holds for
     * generations of whole puts too: (l + 1)·g is at most (1 + slack)·W, or W + 1.
     */
    public Builder window(long puts) {
      if (puts < 1) {
        throw new IllegalArgumentException("window must be at least 1 put, got " + puts);
      }
      this.keys = puts;
      this.counted = true;
      return this;
    }

    /** Sets n, the keys of a window that is not counted in puts; at least 1. */
    public Builder expectedKeys(long expectedKeys) {
      Checks.expectedKeys(expectedKeys);
      this.keys = expectedKeys;
      this.counted = false;
      return this;
    }

    /** Sets p, the fpp that no phase of the window may pass; strictly between 0 and 1. */
    public Builder fpp(double fpp) {
      Checks.fpp(fpp);
      this.fpp = fpp;
      return this;
    }

    /**
     * Sets how much longer than the window a key may be remembered, as a share of the window; from
     * {@link #MIN_SLACK} to 1 (default: {@link #DEFAULT_SLACK}).
     */
    public Builder slack(double slack) {
      if (!(slack >= MIN_SLACK && slack <= 1)) { // written so that NaN fails
        throw new IllegalArgumentException("slack must be in [" + MIN_SLACK + ", 1], got " + slack);
      }
      this.slack = slack;
      return this;
    }

    /**
     * Returns the sizing for the values given.
     *
     * @throws IllegalStateException if fpp or the keys of a window are missing
     * @throws IllegalArgumentException if no filter satisfies these constraints
     */
    public WindowSizing solve() {
      if (keys == 0 || fpp == null) {
        throw new IllegalStateException("need fpp and one of window and expectedKeys");
      }
      int[] hashes = fewestHashes(fpp);
      double fewest = Double.POSITIVE_INFINITY;
      for (int l = 1; l < hashes.length; l++) {
        fewest = Math.min(fewest, bits(hashes[l], l));
      }
      for (int l = 1; l < hashes.length; l++) {
        if (bits(hashes[l], l) <= BITS_FOR_SPEED * fewest && fewest < Double.POSITIVE_INFINITY) {
          return new WindowSizing(
              hashes[l], l, fewestSliceBits(hashes[l], l, fpp), generationKeys(l), fpp);
        }
      }
      throw impossible(fpp);
    }

    /** Returns the fewest hashes that keep an fpp, by generations; 0 if not needed. */
    private int[] fewestHashes(double fpp) {
      int[] hashes = new int[MAX_GENERATIONS + 1];
      double fewest = Double.POSITIVE_INFINITY;
      int k = 1;
      SliceRuns runs = SliceRuns.halfFull(k, k);
      for (int l = 1; l <= MAX_GENERATIONS && k * (double) keys <= fewest; l++) {
        runs.extend(0.5);
        if (!keepsSlack(l)) {
          continue;
        }
        while (k < MAX_HASHES && runs.reached() > fpp) {
          k++;
          runs = SliceRuns.halfFull(k, k + l);
        }
        if (runs.reached() > fpp) {
          break;
        }
        hashes[l] = k;
        fewest = Math.min(fewest, bits(k, l));
      }
      return hashes;
    }

    private boolean keepsSlack(int l) {
      if (counted && l == keys) {
        return true;
      }
      boolean enough = l >= 1 / slack - 1e-9; // for 1/l that is not quite the inverse of l
      double longest = (l + 1.0) * generationKeys(l);
      return enough && (!counted || longest - keys <= slack * keys);
    }

    private long generationKeys(int l) {
      return (keys - 1) / l + 1;
    }

    /** Returns the bits that half-full slices have, times ln 2. */
    private double bits(int k, int l) {
      return k == 0 ? Double.POSITIVE_INFINITY : (double) k * (k + l) * generationKeys(l);
    }

    private long fewestSliceBits(int k, int l, double fpp) {
      long enough = mostSliceBits(k + l) / Long.SIZE;
      if (generationKeys(l) > Long.MAX_VALUE / l || worstFpp(k, l, enough) > fpp) {
        throw impossible(fpp);
      }
      long tooFew = 0;
      while (enough - tooFew > 1) {
        long middle = (tooFew + enough) / 2;
        if (worstFpp(k, l, middle) > fpp) {
          tooFew = middle;
        } else {
          enough = middle;
        }
      }
      return enough * Long.SIZE;
    }

    private double worstFpp(int k, int l, long sliceWords) {
      return new WindowSizing(k, l, sliceWords * Long.SIZE, generationKeys(l), 0.5).worstFpp();
    }

    private IllegalArgumentException impossible(double fpp) {
      double shared = HashCollisions.fpp((double) keys);
      String reason =
          fpp <= shared
              ? "the chance to share a 64-bit hash alone is " + FppText.rounded(shared)
              : "a filter has at most " + Layout.MAX_BITS + " bits";
      return new IllegalArgumentException(
          "no window of "
              + keys
              + " keys has an fpp of "
              + FppText.exact(fpp)
              + " or less: "
              + reason);
    }
  }

  /** The chance that a random key has its bit in k slices in a row, slice by slice. */
  private static final class SliceRuns {

    private static final double LN2 = Math.log(2);

    /** The chance of no k in a row yet, by the length of the run at the end. */
    private final double[] byRun;

    private double reached;

    /** Starts without slices; {@code hashes} is k. */
    SliceRuns(int hashes) {
      byRun = new double[hashes];
      byRun[0] = 1;
    }

    /** Returns slices, the youngest first, half full with k generations. */
    static SliceRuns halfFull(int hashes, int slices) {
      return worstPhase(hashes, slices, LN2 / hashes);
    }

    /**
     * Returns slices, the youngest first, when the youngest generation is about to end.
     *
     * @param load a generation leaves a share of exp(−load) of the zeros of a slice
     */
    static SliceRuns worstPhase(int hashes, int slices, double load) {
      SliceRuns runs = new SliceRuns(hashes);
      for (int age = 0; age < slices; age++) {
        runs.extend(-Math.expm1(-load * Math.min(age + 1, hashes)));
      }
      return runs;
    }

    /** Adds a slice at the end, with a share of {@code fill} of its bits set. */
    void extend(double fill) {
      int last = byRun.length - 1;
      reached += byRun[last] * fill;
      double ended = 0;
      for (int run = last; run > 0; run--) {
        ended += byRun[run];
        byRun[run] = byRun[run - 1] * fill;
      }
      byRun[0] = (ended + byRun[0]) * (1 - fill);
    }

    /** Returns the probability of k in a row in all slices so far. */
    double reached() {
      return Math.min(1, reached);
    }
  }
}
