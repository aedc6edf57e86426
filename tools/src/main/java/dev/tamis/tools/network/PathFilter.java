package dev.tamis.tools.network;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.PathShape.Odds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Marks nodes or links in a small filter that travels in a packet, and finds them there.
 *
 * <p>Choose it for loops where a path may take any of many nodes and a list of them is too long for
 * the packet, or for delivery along a path or tree that the sender knows. Not where a wrong drop
 * cannot be made good, by sending again in another table: a hop count is exact, only later.
 *
 * <pre>{@code
 * PathFilter<Integer> path =
 *     PathFilter.<Integer>builder(KeyHasher.ints()).bits(248).hops(16).build();
 * byte[] carried = path.empty(0);            // by the sender
 * path.visit(carried, node) == Visit.FIRST_VISIT; // at each node: mark it, pass the packet on
 * }</pre>
 *
 * <p><b>In the packet</b> are {@link #carriedBytes} bytes: the number of the table, then the bits,
 * bit i in byte i / 8 as its bit i % 8. They come from outside: each method checks length, table
 * and fill, and a packet that is refused is not changed. A node is never taken for new that was
 * marked, as long as nobody clears bits. Somebody who knows the hash can set the bits of nodes of
 * his choice within the allowed fill; against that take a hasher with a {@link KeyHasher#keyedBy
 * secret key} that all nodes share.
 *
 * <p>Safe for any number of threads; the bytes of one packet are for one thread at a time.
 *
 * @param <N> the type of a node's or link's identity
 * @see <a href="https://doi.org/10.1145/1592568.1592592">Jokela and others 2009, LIPSIN: line speed
 *     publish/subscribe inter-networking</a>
 * @see <a href="https://arxiv.org/abs/0908.3574">Rothenberg and others 2009, In-packet Bloom
 *     filters: design and networking applications</a>
 */
public final class PathFilter<N> {

  /*
   * The bits of a node in table t: h is the hash of the node, draw i the hash of the two longs h and
   * t·2^32 + i, its upper half times m / 2^32 a position, and the first k different positions count.
   * Different, because then the probabilities of PathShape are exact, and none is spent twice.
   */

  private final BoundHasher<N> hasher;
  private final PathShape shape;
  private final int tables;
  private final GuessTally guesses = new GuessTally();

  PathFilter(KeyHasher<? super N> hasher, PathShape shape, int tables) {
    this.hasher = BoundHasher.of(hasher, 0);
    this.shape = shape;
    this.tables = tables;
  }

  /** Starts a filter of nodes or links that {@code hasher} distinguishes. */
  public static <N> PathFilterBuilder<N> builder(KeyHasher<? super N> hasher) {
    return new PathFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Returns the bytes of a packet in which nobody is marked.
   *
   * @param table 0 to {@link #tables} − 1; another one when a packet is sent again
   */
  public byte[] empty(int table) {
    if (table < 0 || table >= tables) {
      throw new IllegalArgumentException("table must be 0 to " + (tables - 1) + ", got " + table);
    }
    byte[] carried = new byte[carriedBytes()];
    carried[0] = (byte) table;
    return carried;
  }

  /** Marks {@code node} if it was not marked before: {@link #visit(ByteBuffer, Object)}. */
  public Visit visit(byte[] carried, N node) {
    return visit(ByteBuffer.wrap(carried), node);
  }

  /**
   * Marks {@code node} if it was not marked before, and says which.
   *
   * @param carried the bytes between position and limit, which stay where they are; changed only
   *     when the answer is FIRST_VISIT
   */
  public Visit visit(ByteBuffer carried, N node) {
    if (isMalformed(carried)) {
      return Visit.MALFORMED;
    }
    int ones = ones(carried);
    if (ones > shape.maxOnes()) {
      return Visit.OVERFULL;
    }
    int[] positions = positions(node, table(carried));
    int missing = missing(carried, positions);
    if (missing == 0) {
      return Visit.POSSIBLE_LOOP;
    }
    if (ones + missing > shape.maxOnes()) {
      return Visit.TOO_LONG;
    }
    set(carried, positions);
    return Visit.FIRST_VISIT;
  }

  /** Returns whether the packet goes over {@code link}: {@link #look(ByteBuffer, Object)}. */
  public Delivery look(byte[] carried, N link) {
    return look(ByteBuffer.wrap(carried), link);
  }

  /** Returns whether a packet that {@link #encode} made goes over {@code link}. */
  public Delivery look(ByteBuffer carried, N link) {
    if (isMalformed(carried)) {
      return Delivery.MALFORMED;
    }
    if (ones(carried) > shape.maxOnes()) {
      return Delivery.OVERFULL;
    }
    return missing(carried, positions(link, table(carried))) == 0
        ? Delivery.FORWARD
        : Delivery.NOT_HERE;
  }

  /**
   * Returns the filter of a whole path or delivery tree: of the d tables, the one in which it is
   * emptiest; empty if it is too full in every table.
   */
  public Optional<byte[]> encode(Collection<? extends N> links) {
    return encode(links, List.of());
  }

  /**
   * Returns the filter of a whole path or delivery tree: of the d tables, the one in which the
   * fewest links to {@code avoid} look as if they were on it, and of those the emptiest; empty if
   * it is too full in every table.
   *
   * @param avoid links off the path that the packet would be wasted on, as far as known
   */
  public Optional<byte[]> encode(Collection<? extends N> links, Collection<? extends N> avoid) {
    byte[] best = null;
    long leastWaste = Long.MAX_VALUE;
    for (int table = 0; table < tables; table++) {
      byte[] bytes = empty(table);
      ByteBuffer candidate = ByteBuffer.wrap(bytes);
      for (N link : links) {
        set(candidate, positions(link, table));
      }
      int ones = ones(candidate);
      if (ones <= shape.maxOnes()) {
        int wanted = table;
        long wrong =
            avoid.stream().filter(l -> missing(candidate, positions(l, wanted)) == 0).count();
        long waste = wrong * PathShape.MAX_BITS + ones; // set bits only break ties
        if (waste < leastWaste) {
          leastWaste = waste;
          best = bytes;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Returns the probability that a node that is not marked looks so, as full as the packet is; 1 if
   * it would be refused.
   */
  public double expectedFpp(byte[] carried) {
    ByteBuffer buffer = ByteBuffer.wrap(carried);
    return isMalformed(buffer) || ones(buffer) > shape.maxOnes() ? 1 : shape.fpp(ones(buffer));
  }

  /** Returns how a packet fares that visits so many different nodes. */
  public Odds odds(int hops) {
    return shape.odds(hops);
  }

  /**
   * Notes for {@link #guesses} what became known later of a visit; an answer that is neither
   * FIRST_VISIT nor POSSIBLE_LOOP was no guess.
   */
  public void confirm(Visit answer, boolean visitedBefore) {
    if (requireNonNull(answer, "answer") == Visit.POSSIBLE_LOOP) {
      guesses.hit(visitedBefore);
    } else if (answer == Visit.FIRST_VISIT) {
      guesses.miss(visitedBefore);
    }
  }

  /**
   * Notes for {@link #guesses} what became known later of a look; an answer that is neither FORWARD
   * nor NOT_HERE was no guess.
   */
  public void confirm(Delivery answer, boolean onPath) {
    if (requireNonNull(answer, "answer") == Delivery.FORWARD) {
      guesses.hit(onPath);
    } else if (answer == Delivery.NOT_HERE) {
      guesses.miss(onPath);
    }
  }

  /** Returns the answers that were confirmed. A false hit is a false loop, or a wasted packet. */
  public GuessTable guesses() {
    return guesses.table();
  }

  /** Returns the bits, hashes and limit. */
  public PathShape shape() {
    return shape;
  }

  /** Returns d, the tables of tags. */
  public int tables() {
    return tables;
  }

  /** Returns the bytes in each packet: one for the table, and the bits. */
  public int carriedBytes() {
    return 1 + shape.bits() / Byte.SIZE;
  }

  private boolean isMalformed(ByteBuffer carried) {
    return carried.remaining() != carriedBytes() || table(carried) >= tables;
  }

  private static int table(ByteBuffer carried) {
    return Byte.toUnsignedInt(carried.get(carried.position()));
  }

  private static int ones(ByteBuffer carried) {
    int ones = 0;
    for (int i = carried.position() + 1; i < carried.limit(); i++) {
      ones += Integer.bitCount(Byte.toUnsignedInt(carried.get(i)));
    }
    return ones;
  }

  private int[] positions(N node, int table) {
    long hash = hasher.hash(requireNonNull(node, "node"));
    int[] positions = new int[shape.hashes()];
    int found = 0;
    for (int draw = 0; found < positions.length; draw++) {
      long random = hasher.function().hashLongs(hash, ((long) table << Integer.SIZE) + draw);
      int position = (int) (((random >>> Integer.SIZE) * shape.bits()) >>> Integer.SIZE);
      if (Arrays.stream(positions, 0, found).noneMatch(other -> other == position)) {
        positions[found++] = position;
      }
    }
    return positions;
  }

  private static int missing(ByteBuffer carried, int[] positions) {
    int missing = 0;
    for (int position : positions) {
      missing += (carried.get(index(carried, position)) & mask(position)) == 0 ? 1 : 0;
    }
    return missing;
  }

  private static void set(ByteBuffer carried, int[] positions) {
    for (int position : positions) {
      int index = index(carried, position);
      carried.put(index, (byte) (carried.get(index) | mask(position)));
    }
  }

  private static int mask(int position) {
    return 1 << (position % Byte.SIZE);
  }

  private static int index(ByteBuffer carried, int position) {
    return carried.position() + 1 + position / Byte.SIZE;
  }

  /**
   * What {@link PathFilter#visit} says of a packet at a node; it is passed on only at the first.
   */
  public enum Visit {
    /** The packet was certainly never here; the node is marked in it. */
    FIRST_VISIT,

    /** The packet was here before, but for the false loops of {@link PathFilter#odds}. */
    POSSIBLE_LOOP,

    /** The packet was never here, but has no room for another mark: its path is too long. */
    TOO_LONG,

    /** More bits are set than marking ever sets: somebody filled the filter on purpose. */
    OVERFULL,

    /** The bytes have the wrong length, or name a table that there is not. */
    MALFORMED
  }

  /** What {@link PathFilter#look} says of a link; the packet goes over it only at the first. */
  public enum Delivery {
    /** The link is on the packet's way, but for the fpp. */
    FORWARD,

    /** The link is certainly not on its way. */
    NOT_HERE,

    /** More bits are set than a sender may set: somebody filled the filter to reach every link. */
    OVERFULL,

    /** The bytes have the wrong length, or name a table that there is not. */
    MALFORMED
  }
}
