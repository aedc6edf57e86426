package dev.tamis.examples.network;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Delivery trees in packets of a fixed size, with and without regions in which links can be deleted
 * again: the measurement behind docs/decisions/0016.
 */
final class DeletableRegions {

  /** All bits of a packet: those of the filter and one for each region. */
  private static final int BITS = 248;

  private static final int TABLES = 8;
  private static final int HOP_LIMIT = 16;

  /** Where wasted packets make wasted packets: more would tell nothing. */
  private static final int MAX_SENT = 5_000;

  /**
   * What became of the packets.
   *
   * @param needed transmissions over links of the trees
   * @param wasted transmissions over other links
   * @param hashes the hashes with which they were fewest
   */
  record Result(long needed, long wasted, int hashes) {}

  private record Copy(int node, int from, int left, BitSet bits) {}

  private final Network network;
  private final int packets;
  private final int targets;
  private final long seed;

  DeletableRegions(Network network, int packets, int targets, long seed) {
    this.network = network;
    this.packets = packets;
    this.targets = targets;
    this.seed = seed;
  }

  /** Returns the result with the best number of hashes; no regions is a plain filter. */
  Result run(int regions) {
    Result best = run(regions, 2);
    for (int hashes = 3; hashes <= 8; hashes++) {
      Result result = run(regions, hashes);
      best = result.wasted() < best.wasted() ? result : best;
    }
    return best;
  }

  private Result run(int regions, int hashes) {
    SplittableRandom random = new SplittableRandom(seed);
    long needed = 0;
    long wasted = 0;
    for (int packet = 0; packet < packets; packet++) {
      int origin = random.nextInt(network.size());
      Set<Integer> tree = tree(origin, random);
      needed += tree.size();
      wasted += deliver(origin, tree, regions, hashes);
    }
    return new Result(needed, wasted, hashes);
  }

  private Set<Integer> tree(int origin, SplittableRandom random) {
    int[] towardsOrigin = network.nextHops(origin);
    Set<Integer> links = new HashSet<>();
    for (int i = 0; i < targets; i++) {
      for (int node = random.nextInt(network.size()); node != origin; node = towardsOrigin[node]) {
        links.add(link(towardsOrigin[node], node));
      }
    }
    return links;
  }

  private long deliver(int origin, Set<Integer> tree, int regions, int hashes) {
    int bits = BITS - regions;
    BitSet filter = new BitSet();
    int table = 0;
    for (int candidate = 0; candidate < TABLES; candidate++) {
      BitSet marked = new BitSet();
      for (int link : tree) {
        set(marked, positions(link, candidate, bits, hashes));
      }
      if (candidate == 0 || marked.cardinality() < filter.cardinality()) {
        filter = marked;
        table = candidate;
      }
    }
    BitSet collided = collidedRegions(tree, table, regions, hashes);
    ArrayDeque<Copy> copies = new ArrayDeque<>();
    copies.add(new Copy(origin, -1, HOP_LIMIT, filter));
    long sent = 0;
    long wasted = 0;
    while (!copies.isEmpty() && sent < MAX_SENT) {
      Copy copy = copies.remove();
      for (int neighbour : network.neighbours(copy.node())) {
        int link = link(copy.node(), neighbour);
        int[] places = positions(link, table, bits, hashes);
        if (neighbour == copy.from()
            || copy.left() == 0
            || !Arrays.stream(places).allMatch(copy.bits()::get)) {
          continue;
        }
        sent++;
        wasted += tree.contains(link) ? 0 : 1;
        BitSet onward = (BitSet) copy.bits().clone();
        for (int place : places) {
          if (regions > 0 && !collided.get(place * regions / bits)) {
            onward.clear(place);
          }
        }
        copies.add(new Copy(neighbour, copy.node(), copy.left() - 1, onward));
      }
    }
    return wasted;
  }

  /** Returns the regions in which two links share a bit, so that nothing there may be cleared. */
  private static BitSet collidedRegions(Set<Integer> tree, int table, int regions, int hashes) {
    BitSet marked = new BitSet();
    BitSet collided = new BitSet();
    int bits = BITS - regions;
    for (int link : tree) {
      for (int place : positions(link, table, bits, hashes)) {
        if (marked.get(place)) {
          collided.set(place * regions / bits);
        }
        marked.set(place);
      }
    }
    return collided;
  }

  private static void set(BitSet bits, int[] places) {
    for (int place : places) {
      bits.set(place);
    }
  }

  private static int link(int from, int to) {
    return from << 16 | to;
  }

  private static int[] positions(int link, int table, int bits, int hashes) {
    return new SplittableRandom(((long) table << Integer.SIZE) + link)
        .ints(0, bits)
        .distinct()
        .limit(hashes)
        .toArray();
  }
}
