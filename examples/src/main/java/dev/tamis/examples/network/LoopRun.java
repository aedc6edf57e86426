package dev.tamis.examples.network;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.GuessTable;
import dev.tamis.tools.network.PathFilter;
import dev.tamis.tools.network.PathFilter.Visit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Packets on their way through a network in which some nodes send them astray, into loops.
 *
 * <p>What is marked is node and packet together: else a way that looks like a loop would look so to
 * every packet, and drops would come in heaps.
 */
final class LoopRun {

  /** The hop limit that ends every loop where nothing else does. */
  static final int HOP_LIMIT = 32;

  /** The nodes that send packets to the wrong neighbour. */
  private static final double ASTRAY = 0.1;

  /**
   * What became of the packets.
   *
   * @param sent transmissions
   * @param wasted transmissions of packets that had been at their node before
   * @param delivered packets that arrived
   * @param wronglyDropped packets dropped that had never been at any node twice
   * @param expectedWrongDrops how many of these theory expects for the ways they had to go
   * @param guesses visits taken for loops compared with true ones
   */
  record Result(
      long sent,
      long wasted,
      long delivered,
      long wronglyDropped,
      double expectedWrongDrops,
      GuessTable guesses) {}

  private final Network network;
  private final int packets;
  private final long seed;

  LoopRun(Network network, int packets, long seed) {
    this.network = network;
    this.packets = packets;
    this.seed = seed;
  }

  /** Only the hop limit stops a packet. */
  Result withHopLimit() {
    return run(Optional.empty(), false);
  }

  /** A packet carries the list of its nodes. */
  Result withList() {
    return run(Optional.empty(), true);
  }

  Result withFilter(int bits, int hops) {
    return run(
        Optional.of(PathFilter.<Long>builder(KeyHasher.longs()).bits(bits).hops(hops).build()),
        false);
  }

  private Result run(Optional<PathFilter<Long>> filter, boolean list) {
    SplittableRandom random = new SplittableRandom(seed);
    long sent = 0;
    long wasted = 0;
    long delivered = 0;
    long wronglyDropped = 0;
    double expected = 0;
    double[] odds = new double[HOP_LIMIT + 2];
    for (int nodes = 0; nodes < odds.length; nodes++) {
      int count = nodes;
      odds[nodes] = filter.map(f -> f.odds(count).dropped()).orElse(0.0);
    }
    for (int packet = 0; packet < packets; packet++) {
      int target = random.nextInt(network.size());
      int node = random.nextInt(network.size());
      int[] next = astray(network.nextHops(target), target);
      expected += odds[distinctNodes(next, node, target)];
      Set<Integer> visited = new HashSet<>();
      byte[] carried = filter.map(f -> f.empty(0)).orElse(new byte[0]);
      for (int hops = 0; ; hops++) {
        boolean again = !visited.add(node);
        Visit answer = list && again ? Visit.POSSIBLE_LOOP : Visit.FIRST_VISIT;
        if (filter.isPresent()) {
          answer = filter.get().visit(carried, ((long) packet << Integer.SIZE) + node);
          filter.get().confirm(answer, again);
        }
        if (answer != Visit.FIRST_VISIT) {
          wronglyDropped += again ? 0 : 1;
          break;
        }
        if (node == target) {
          delivered++;
          break;
        }
        if (hops == HOP_LIMIT) {
          break;
        }
        sent++;
        wasted += again ? 1 : 0;
        node = next[node];
      }
    }
    GuessTable guesses = filter.map(PathFilter::guesses).orElse(GuessTable.EMPTY);
    return new Result(sent, wasted, delivered, wronglyDropped, expected, guesses);
  }

  /** Returns how many different nodes a packet meets that is not dropped before its limit. */
  private static int distinctNodes(int[] next, int start, int target) {
    Set<Integer> visited = new HashSet<>();
    int node = start;
    while (visited.add(node) && node != target && visited.size() <= HOP_LIMIT) {
      node = next[node];
    }
    return visited.size();
  }

  /** Some nodes are wrong about the way to this target, the same ones for all of its packets. */
  private int[] astray(int[] next, int target) {
    SplittableRandom wrong = new SplittableRandom(seed ^ (0x9E37_79B9_7F4A_7C15L * (target + 1)));
    for (int node = 0; node < next.length; node++) {
      if (wrong.nextDouble() < ASTRAY && node != target) {
        int[] neighbours = network.neighbours(node);
        next[node] = neighbours[wrong.nextInt(neighbours.length)];
      }
    }
    return next;
  }
}
