package dev.tamis.examples.network;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
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
 * @param <N> the type of a node's identity
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
}
