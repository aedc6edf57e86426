package dev.tamis.examples.network;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import java.util.Arrays;

/**
 * Loop detection (row B9): a small filter that travels in a packet, in which each node marks
 * itself.
 *
 * <pre>{@code
 * var path = new PathFilter<>(KeyHasher.ints(), PathShape.forHops(248, 16));
 * byte[] carried = path.empty();                           // the sender
 * boolean goOn = path.visit(carried, node) == Visit.FIRST; // each node
 * }</pre>
 *
 * <p>The bytes come from outside: length and fill are checked, and a rejected packet is not
 * changed. A marked node is never taken for a new one. Mix the packet's identity into the node's,
 * or a path with a false loop has it for every packet; a {@link KeyHasher#keyedBy secret key} stops
 * forged marks. For a short path a list of nodes is exact, and a hop limit is exact but late.
 *
 * @see <a href="https://arxiv.org/abs/0908.3574">Rothenberg and others 2009, In-packet Bloom
 *     filters: design and networking applications</a>
 */
final class PathFilter<N> {

  /** What a node does with a packet: only the first is passed on. */
  enum Visit {
    /** The packet was certainly never here; the node is now marked in it. */
    FIRST,
    /** The packet was here before, except for false positives ({@link PathShape.Odds}). */
    POSSIBLE_LOOP,
    /** The packet was never here but has no room for another mark. */
    TOO_LONG,
    /** Wrong length, or more set bits than marking ever sets: forged. */
    MALFORMED
  }

  /*
   * The k positions of a node are the first k distinct values of hash(h, 0), hash(h, 1), … reduced to
   * m, so the probabilities of PathShape, which draws without replacement, are exact.
   */

  private final BoundHasher<N> hasher;
  private final PathShape shape;

  PathFilter(KeyHasher<? super N> hasher, PathShape shape) {
    this.hasher = BoundHasher.of(hasher, 0);
    this.shape = shape;
  }

  /** Returns the bytes of a packet without marks; bit i is bit i % 8 of byte i / 8. */
  byte[] empty() {
    return new byte[shape.bits() / Byte.SIZE];
  }

  /** Marks {@code node}; changes {@code carried} only if the answer is FIRST. */
  Visit visit(byte[] carried, N node) {
    int ones = ones(carried);
    if (carried.length != shape.bits() / Byte.SIZE || ones > shape.maxOnes()) {
      return Visit.MALFORMED;
    }
    int[] positions = positions(node);
    int missing = (int) Arrays.stream(positions).filter(p -> !isSet(carried, p)).count();
    if (missing == 0) {
      return Visit.POSSIBLE_LOOP;
    }
    if (ones + missing > shape.maxOnes()) {
      return Visit.TOO_LONG;
    }
    for (int p : positions) {
      carried[p / Byte.SIZE] |= (byte) (1 << p % Byte.SIZE);
    }
    return Visit.FIRST;
  }

  private static boolean isSet(byte[] carried, int position) {
    return (carried[position / Byte.SIZE] >> position % Byte.SIZE & 1) != 0;
  }

  private static int ones(byte[] carried) {
    int ones = 0;
    for (byte b : carried) {
      ones += Integer.bitCount(Byte.toUnsignedInt(b));
    }
    return ones;
  }

  private int[] positions(N node) {
    long hash = hasher.hash(node);
    int[] positions = new int[shape.hashes()];
    int found = 0;
    for (int draw = 0; found < positions.length; draw++) {
      long random = hasher.function().hashLongs(hash, draw);
      int position = (int) (((random >>> Integer.SIZE) * shape.bits()) >>> Integer.SIZE);
      if (Arrays.stream(positions, 0, found).noneMatch(other -> other == position)) {
        positions[found++] = position;
      }
    }
    return positions;
  }

  /**
   * The size of a {@link PathFilter}, and the exact probabilities that follow from it.
   *
   * @param bits m, a multiple of 8 from 64 to 1024
   * @param hashes k, the distinct bits of each node, 1 to {@value #MAX_HASHES}
   * @param maxOnes the most bits that may be set, k to m − 1: a packet with all bits set would have
   *     been everywhere
   */
  record PathShape(int bits, int hashes, int maxOnes) {

    /*
     * All sets of k bits are equally likely for a node. In a filter with x set bits, w of a node's bits
     * are missing with probability C(x, k-w) C(m-x, w) / C(m, k); w = 0 is a false loop. Over a path
     * the number of set bits is a Markov chain with two absorbing states, "loop" and "too long".
     */

    /** More hashes are never best on a path of four nodes or more. */
    static final int MAX_HASHES = 16;

    PathShape {
      if (bits < 64 || bits > 1024 || bits % Byte.SIZE != 0) {
        throw new IllegalArgumentException("bits must be a multiple of 8, 64 to 1024, got " + bits);
      }
      if (hashes < 1 || hashes > MAX_HASHES) {
        throw new IllegalArgumentException("hashes must be 1 to " + MAX_HASHES + ", got " + hashes);
      }
      if (maxOnes < hashes || maxOnes >= bits) {
        throw new IllegalArgumentException(
            "maxOnes must be " + hashes + " to " + (bits - 1) + ", got " + maxOnes);
      }
    }

    /**
     * Returns the half-full shape that drops the fewest packets on a path of {@code hops} nodes.
     */
    static PathShape forHops(int bits, int hops) {
      Checks.atLeast("hops", hops, 1);
      PathShape best = new PathShape(bits, 1, bits / 2);
      for (int hashes = 2; hashes <= MAX_HASHES; hashes++) {
        PathShape shape = new PathShape(bits, hashes, bits / 2);
        best = shape.odds(hops).dropped() < best.odds(hops).dropped() ? shape : best;
      }
      return best;
    }

    /** Returns the fate of a packet that visits {@code hops} distinct nodes. */
    Odds odds(int hops) {
      Checks.atLeast("hops", hops, 0);
      double[] logFactorial = new double[bits + 1];
      for (int i = 1; i <= bits; i++) {
        logFactorial[i] = logFactorial[i - 1] + Math.log(i);
      }
      double[] chances = new double[maxOnes + 1]; // of each number of set bits
      chances[0] = 1;
      double loop = 0;
      double tooLong = 0;
      for (int hop = 0; hop < hops; hop++) {
        double[] next = new double[maxOnes + 1];
        for (int ones = 0; ones <= maxOnes; ones++) {
          if (chances[ones] == 0) {
            continue;
          }
          loop += chances[ones] * missing(logFactorial, ones, 0);
          for (int missing = 1; missing <= hashes; missing++) {
            double chance = chances[ones] * missing(logFactorial, ones, missing);
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

    /** Returns the probability that {@code missing} bits of a node are not among {@code ones}. */
    private double missing(double[] logFactorial, int ones, int missing) {
      int present = hashes - missing;
      if (present > ones || missing > bits - ones) {
        return 0;
      }
      return Math.exp(
          logChoose(logFactorial, ones, present)
              + logChoose(logFactorial, bits - ones, missing)
              - logChoose(logFactorial, bits, hashes));
    }

    private static double logChoose(double[] logFactorial, int of, int some) {
      return logFactorial[of] - logFactorial[some] - logFactorial[of - some];
    }

    /**
     * The fate of a packet that visits no node twice.
     *
     * @param falseLoop the probability that one of them takes it for a loop
     * @param tooLong the probability that it has no room for one of them
     */
    record Odds(double falseLoop, double tooLong) {

      /** Returns the probability that the packet is wrongly dropped. */
      double dropped() {
        return falseLoop + tooLong;
      }
    }
  }
}
