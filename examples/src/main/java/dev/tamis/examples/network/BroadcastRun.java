package dev.tamis.examples.network;

import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.BroadcastSuppression;
import dev.tamis.tools.network.BroadcastSuppression.Renewal;
import dev.tamis.tools.network.BroadcastSuppression.Sighting;
import dev.tamis.tools.network.GuessTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Messages that every node passes on to all neighbours but the one it came from. */
final class BroadcastRun {

  /** The hop limit, so that a message that is let through again does not go on for ever. */
  static final int HOP_LIMIT = 12;

  /**
   * A message that was sent so often over each link, both ways, goes no further: in an echo storm
   * it would be sent as often as without suppression.
   */
  private static final int MAX_ROUNDS = 3;

  private static final int MAX_DELAY = 10;

  /** The time between two new messages, so that several are on their way at once. */
  private static final int INTERVAL = 4;

  /**
   * What became of the messages, over all nodes.
   *
   * @param sent transmissions
   * @param wasted transmissions to nodes that had handled the message
   * @param handledTwice messages a node handled more than once
   * @param wronglyDropped messages a node dropped that it had not handled, each counted once,
   *     though every copy of such a message is dropped
   * @param expectedWrongDrops how many of these the filters expect
   * @param unreached nodes that never handled a message, over all messages
   * @param bytesPerNode memory for what was seen
   * @param guesses the answers compared with the truth
   */
  record Result(
      long sent,
      long wasted,
      long handledTwice,
      long wronglyDropped,
      double expectedWrongDrops,
      long unreached,
      long bytesPerNode,
      GuessTable guesses) {}

  private record Arrival(long time, long order, int node, int from, int message, int hops) {}

  private final Network network;
  private final int messages;
  private final long seed;

  BroadcastRun(Network network, int messages, long seed) {
    this.network = network;
    this.messages = messages;
    this.seed = seed;
  }

  /** Returns the transmissions of one message without suppression, on an average of all origins. */
  double sentWithoutSuppression() {
    double[][] copies = new double[network.size()][];
    for (int node = 0; node < copies.length; node++) {
      copies[node] = new double[network.neighbours(node).length];
      Arrays.fill(copies[node], 1.0 / network.size());
    }
    double sent = 0;
    for (int hop = 1; hop <= HOP_LIMIT; hop++) {
      double[] arrived = new double[network.size()];
      double[][] next = new double[network.size()][];
      for (int node = 0; node < copies.length; node++) {
        for (int i = 0; i < copies[node].length; i++) {
          sent += copies[node][i];
          arrived[network.neighbours(node)[i]] += copies[node][i];
        }
      }
      for (int node = 0; node < copies.length; node++) {
        int[] neighbours = network.neighbours(node);
        next[node] = new double[neighbours.length];
        for (int i = 0; i < neighbours.length; i++) {
          int back = Arrays.binarySearch(network.neighbours(neighbours[i]), node);
          next[node][i] = arrived[node] - copies[neighbours[i]][back]; // all but what came from it
        }
      }
      copies = next;
    }
    return sent;
  }

  /** Every node remembers every message for ever. */
  Result withSets() {
    return run(List.of());
  }

  /** Every node has a window of so many messages. */
  Result withWindow(int window, double fpp, Renewal renewal) {
    List<BroadcastSuppression<Long>> filters = new ArrayList<>();
    for (int node = 0; node < network.size(); node++) {
      // as in a network, nodes make their mistakes independently; here the same in each run
      byte[] key = ByteBuffer.allocate(HashKey.BYTES).putLong(seed).putInt(node).array();
      filters.add(
          BroadcastSuppression.<Long>builder(KeyHasher.longs().keyedBy(HashKey.of(key)))
              .window(window)
              .fpp(fpp)
              .renewal(renewal)
              .build());
    }
    return run(filters);
  }

  private Result run(List<BroadcastSuppression<Long>> filters) {
    SplittableRandom random = new SplittableRandom(seed);
    PriorityQueue<Arrival> arrivals =
        new PriorityQueue<>(
            (a, b) ->
                a.time() != b.time()
                    ? Long.compare(a.time(), b.time())
                    : Long.compare(a.order(), b.order()));
    long order = 0;
    for (int message = 0; message < messages; message++) {
      int origin = random.nextInt(network.size());
      arrivals.add(new Arrival((long) message * INTERVAL, order++, origin, -1, message, 0));
    }
    BitSet[] handled = bitSets();
    BitSet[] dropped = bitSets();
    int[] sentOf = new int[messages];
    int mostOfOne = MAX_ROUNDS * 2 * network.links();
    long sent = 0;
    long wasted = 0;
    long handledTwice = 0;
    long wronglyDropped = 0;
    while (!arrivals.isEmpty()) {
      Arrival arrival = arrivals.remove();
      boolean before = handled[arrival.node()].get(arrival.message());
      wasted += before ? 1 : 0;
      Sighting answer = before ? Sighting.REPEAT : Sighting.FIRST;
      if (!filters.isEmpty()) {
        BroadcastSuppression<Long> filter = filters.get(arrival.node());
        answer = filter.receive((long) arrival.message());
        filter.confirm(answer, before);
      }
      if (answer == Sighting.REPEAT) {
        if (!before && !dropped[arrival.node()].get(arrival.message())) {
          dropped[arrival.node()].set(arrival.message());
          wronglyDropped++;
        }
        continue;
      }
      handledTwice += before ? 1 : 0;
      handled[arrival.node()].set(arrival.message());
      if (arrival.hops() == HOP_LIMIT || sentOf[arrival.message()] >= mostOfOne) {
        continue;
      }
      for (int neighbour : network.neighbours(arrival.node())) {
        if (neighbour != arrival.from()) {
          sent++;
          sentOf[arrival.message()]++;
          long time = arrival.time() + 1 + random.nextInt(MAX_DELAY);
          arrivals.add(
              new Arrival(
                  time, order++, neighbour, arrival.node(), arrival.message(), arrival.hops() + 1));
        }
      }
    }
    long reached = 0;
    for (BitSet node : handled) {
      reached += node.cardinality();
    }
    return new Result(
        sent,
        wasted,
        handledTwice,
        wronglyDropped,
        filters.stream().mapToDouble(filter -> filter.stats().expectedWrongDrops()).sum(),
        (long) network.size() * messages - reached,
        filters.isEmpty() ? (long) messages * Long.BYTES : filters.get(0).sizeInBytes(),
        filters.stream()
            .map(BroadcastSuppression::guesses)
            .reduce(GuessTable.EMPTY, GuessTable::plus));
  }

  private BitSet[] bitSets() {
    BitSet[] sets = new BitSet[network.size()];
    Arrays.setAll(sets, node -> new BitSet(messages));
    return sets;
  }
}
