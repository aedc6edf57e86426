package dev.tamis.examples.network;

import dev.tamis.examples.network.PathFilter.PathShape;
import dev.tamis.examples.network.PathFilter.Visit;
import dev.tamis.hash.KeyHasher;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Packets in a network where some nodes route them into loops.
 *
 * <p>A mark is of node and packet together: otherwise a path with a false loop has it for every
 * packet, and drops come in clusters.
 */
final class LoopRun {

  static final int HOP_LIMIT = 32;

  /** The share of nodes that send a target's packets to the wrong neighbour. */
  private static final double ASTRAY = 0.1;

  /**
   * The outcome.
   *
   * @param sent transmissions
   * @param wasted transmissions of packets that had been at their node before
   * @param delivered packets that arrived
   * @param wronglyDropped packets dropped that had visited no node twice
   * @param expected the wrong drops that theory expects
   * @param guesses reported loops compared with true ones
   */
  record Result(
      long sent,
      long wasted,
      long delivered,
      long wronglyDropped,
      double expected,
      Guesses guesses) {}

  private final Network network;
  private final int packets;
  private final long seed;

  LoopRun(Network network, int packets, long seed) {
    this.network = network;
    this.packets = packets;
    this.seed = seed;
  }

  Result withHopLimit() {
    return run(Optional.empty(), false);
  }

  Result withList() {
    return run(Optional.empty(), true);
  }

  Result withFilter(int bits, int hops) {
    return run(Optional.of(PathShape.forHops(bits, hops)), false);
  }

  private Result run(Optional<PathShape> shape, boolean list) {
    Optional<PathFilter<Long>> filter = shape.map(s -> new PathFilter<>(KeyHasher.longs(), s));
    Guesses guesses = new Guesses();
    SplittableRandom random = new SplittableRandom(seed);
    long sent = 0;
    long wasted = 0;
    long delivered = 0;
    long wronglyDropped = 0;
    double expected = 0;
    double[] odds = new double[HOP_LIMIT + 2];
    for (int nodes = 0; nodes < odds.length; nodes++) {
      int count = nodes;
      odds[nodes] = shape.map(s -> s.odds(count).dropped()).orElse(0.0);
    }
    for (int packet = 0; packet < packets; packet++) {
      int target = random.nextInt(network.size());
      int node = random.nextInt(network.size());
      int[] next = astray(network.nextHops(target), target);
      expected += odds[distinctNodes(next, node, target)];
      Set<Integer> visited = new HashSet<>();
      byte[] carried = filter.map(PathFilter::empty).orElse(new byte[0]);
      for (int hops = 0; ; hops++) {
        boolean again = !visited.add(node);
        Visit answer = list && again ? Visit.POSSIBLE_LOOP : Visit.FIRST;
        if (filter.isPresent()) {
          answer = filter.get().visit(carried, ((long) packet << Integer.SIZE) + node);
          if (answer == Visit.FIRST || answer == Visit.POSSIBLE_LOOP) {
            guesses.add(answer == Visit.POSSIBLE_LOOP, again);
          }
        }
        if (answer != Visit.FIRST) {
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
    return new Result(sent, wasted, delivered, wronglyDropped, expected, guesses);
  }

  /** Returns the distinct nodes on the path of a packet that nothing but the hop limit drops. */
  private static int distinctNodes(int[] next, int start, int target) {
    Set<Integer> visited = new HashSet<>();
    int node = start;
    while (visited.add(node) && node != target && visited.size() <= HOP_LIMIT) {
      node = next[node];
    }
    return visited.size();
  }

  /** Misroutes a target at some nodes, the same for all of its packets. */
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
