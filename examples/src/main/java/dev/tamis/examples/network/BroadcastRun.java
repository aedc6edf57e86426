package dev.tamis.examples.network;

import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Broadcast suppression (row B8): each node passes a message on once, to all neighbours but the one
 * it came from, and remembers it in a window of constant size.
 *
 * <p>Each node hashes under its own key: with a common one, a message that is a false positive
 * would be so at all nodes, and lost in the whole network.
 */
final class BroadcastRun {

  /** Ends what a message that is handled twice would start. */
  static final int HOP_LIMIT = 12;

  /** A message sent this often over every link, both ways, goes no further. */
  private static final int MAX_ROUNDS = 3;

  private static final int MAX_DELAY = 10;

  /** The time between two new messages: several are in flight at once. */
  private static final int INTERVAL = 4;

  /** When a message's window begins. */
  enum Renewal {
    /** At its first arrival: an echo is handled again after its window. */
    FIRST_SEEN,
    /** At its last arrival: each echo renews it, and uses up the window. */
    LAST_SEEN
  }

  /**
   * The outcome, over all nodes.
   *
   * @param bytesPerNode memory for the messages seen
   * @param sent transmissions
   * @param wasted transmissions to nodes that had handled the message
   * @param handledTwice messages a node handled more than once
   * @param wronglyDropped messages a node dropped and had not handled, each counted once
   * @param expected the wrong drops that the filters expect
   * @param unreached pairs of a message and a node that never handled it
   * @param guesses the answers compared with the truth
   */
  record Result(
      long bytesPerNode,
      long sent,
      long wasted,
      long handledTwice,
      long wronglyDropped,
      double expected,
      long unreached,
      Guesses guesses) {}

  private record Arrival(long time, long order, int node, int from, int message, int hops) {}

  private final Network network;
  private final int messages;
  private final long seed;

  BroadcastRun(Network network, int messages, long seed) {
    this.network = network;
    this.messages = messages;
    this.seed = seed;
  }

  /** Returns the mean number of transmissions of a message without suppression. */
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

  /** Every node remembers every message. */
  Result withSets() {
    return run(List.of(), Renewal.FIRST_SEEN);
  }

  Result withWindow(int messages, double fpp, Renewal renewal) {
    List<WindowedBloomFilter<Long>> filters = new ArrayList<>();
    for (int node = 0; node < network.size(); node++) {
      byte[] key = ByteBuffer.allocate(HashKey.BYTES).putLong(seed).putInt(node).array();
      filters.add(
          WindowedBloomFilter.<Long>builder(KeyHasher.longs().keyedBy(HashKey.of(key)))
              .window(messages)
              .fpp(fpp)
              .build());
    }
    return run(filters, renewal);
  }

  private static boolean isFirst(WindowedBloomFilter<Long> seen, long message, Renewal renewal) {
    return (renewal == Renewal.LAST_SEEN || !seen.mightContain(message)) && seen.put(message);
  }

  private Result run(List<WindowedBloomFilter<Long>> filters, Renewal renewal) {
    Guesses guesses = new Guesses();
    SplittableRandom random = new SplittableRandom(seed);
    PriorityQueue<Arrival> arrivals =
        new PriorityQueue<>(
            Comparator.comparingLong(Arrival::time).thenComparingLong(Arrival::order));
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
      boolean isFirst = !before;
      if (!filters.isEmpty()) {
        isFirst = isFirst(filters.get(arrival.node()), arrival.message(), renewal);
        guesses.add(!isFirst, before);
      }
      if (!isFirst) {
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
        filters.isEmpty() ? (long) messages * Long.BYTES : filters.get(0).bitSize() / Byte.SIZE,
        sent,
        wasted,
        handledTwice,
        wronglyDropped,
        filters.stream().mapToDouble(WindowedBloomFilter::expectedWrongDrops).sum(),
        (long) network.size() * messages - reached,
        guesses);
  }

  private BitSet[] bitSets() {
    BitSet[] sets = new BitSet[network.size()];
    Arrays.setAll(sets, node -> new BitSet(messages));
    return sets;
  }
}
