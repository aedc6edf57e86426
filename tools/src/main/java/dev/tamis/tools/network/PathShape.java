package dev.tamis.tools.network;

/**
 * The numbers of a {@link PathFilter} and the probabilities that follow from them, exactly.
 *
 * @param bits m, the bits of the filter; a multiple of 8 from {@value #MIN_BITS} to {@value
 *     #MAX_BITS}
 * @param hashes k, the different bits of each node; 1 to {@value #MAX_HASHES}
 * @param maxOnes the most bits that may be set; k to m − 1
 */
public record PathShape(int bits, int hashes, int maxOnes) {

  /*
   * A node has k different bits, all sets of k being equally likely. So at a filter with x ones, w of
   * a node's bits are missing with the probability C(x, k-w) C(m-x, w) / C(m, k); at w = 0 it is
   * taken for a loop. Over a path the ones are a Markov chain with two ends, "loop" and "too long".
   */

  /** The fewest bits: with fewer, no path of a useful length fits. */
  public static final int MIN_BITS = 64;

  /** The most bits: more than 128 bytes in every packet would cost more than a list of nodes. */
  public static final int MAX_BITS = 1024;

  /** The most hashes: the best number for any path of four nodes or more is below that. */
  public static final int MAX_HASHES = 16;

  /** Checks the ranges. */
  public PathShape {
    requireBits(bits);
    requireHashes(hashes);
    if (maxOnes < hashes || maxOnes >= bits) {
      throw new IllegalArgumentException(
          "maxOnes must be " + hashes + " to " + (bits - 1) + ", got " + maxOnes);
    }
  }

  static int requireBits(int bits) {
    if (bits < MIN_BITS || bits > MAX_BITS || bits % Byte.SIZE != 0) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 8 from " + MIN_BITS + " to " + MAX_BITS + ", got " + bits);
    }
    return bits;
  }

  static int requireHashes(int hashes) {
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new IllegalArgumentException("hashes must be 1 to " + MAX_HASHES + ", got " + hashes);
    }
    return hashes;
  }

  /**
   * Returns the shape with the hashes that let the fewest packets be dropped wrongly on a path.
   *
   * @param hops the nodes of the path, at least 1
   */
  static PathShape forHops(int bits, int maxOnes, int hops) {
    PathShape best = new PathShape(bits, 1, maxOnes);
    double fewest = best.odds(hops).dropped();
    for (int hashes = 2; hashes <= Math.min(MAX_HASHES, maxOnes); hashes++) {
      PathShape shape = new PathShape(bits, hashes, maxOnes);
      double dropped = shape.odds(hops).dropped();
      if (dropped < fewest) {
        best = shape;
        fewest = dropped;
      }
    }
    return best;
  }

  /** Returns the probability that a node that was never marked looks marked, at so many ones. */
  public double fpp(int ones) {
    return new Draws().missing(ones, 0);
  }

  /**
   * Returns how a packet fares over so many different nodes, its sender counted if it marks itself.
   *
   * @param hops at least 0
   */
  public Odds odds(int hops) {
    if (hops < 0) {
      throw new IllegalArgumentException("hops must be at least 0, got " + hops);
    }
    Draws draws = new Draws();
    double[] chances = new double[maxOnes + 1]; // of each number of ones
    chances[0] = 1;
    double loop = 0;
    double tooLong = 0;
    for (int hop = 0; hop < hops; hop++) {
      double[] next = new double[maxOnes + 1];
      for (int ones = 0; ones <= maxOnes; ones++) {
        if (chances[ones] == 0) {
          continue;
        }
        loop += chances[ones] * draws.missing(ones, 0);
        for (int missing = 1; missing <= hashes; missing++) {
          double chance = chances[ones] * draws.missing(ones, missing);
          if (ones + missing > maxOnes) {
            tooLong += chance;
          } else {
            next[ones + missing] += chance;
          }
        }
      }
      chances = next;
    }
    return new Odds(Math.min(1, loop), Math.min(1, tooLong));
  }

  /** How many of a node's bits are missing in a filter. */
  private final class Draws {
    private final double[] logFactorial = new double[bits + 1];

    Draws() {
      for (int i = 1; i <= bits; i++) {
        logFactorial[i] = logFactorial[i - 1] + Math.log(i);
      }
    }

    double missing(int ones, int missing) {
      int present = hashes - missing;
      if (present > ones || missing > bits - ones) {
        return 0;
      }
      return Math.exp(
          logChoose(ones, present) + logChoose(bits - ones, missing) - logChoose(bits, hashes));
    }

    private double logChoose(int of, int some) {
      return logFactorial[of] - logFactorial[some] - logFactorial[of - some];
    }
  }

  /**
   * How a packet fares that visits so many different nodes, none of them twice.
   *
   * @param falseLoop the probability, in [0, 1], that one of them takes it for a loop
   * @param tooLong the probability, in [0, 1], that it has no room for one of them
   */
  public record Odds(double falseLoop, double tooLong) {

    /** Returns the probability that the packet is wrongly dropped on its way. */
    public double dropped() {
      return falseLoop + tooLong;
    }
  }
}
