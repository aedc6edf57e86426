package dev.tamis.examples.network;

import dev.tamis.examples.network.RoutingTable.Route;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/** Queries for keys that some nodes have, within a few hops of the querying node. */
final class QueryRun {

  private static final int KEYS_PER_NODE = 20;

  /** A filter has room for the keys of this many nodes; at three hops there are more. */
  private static final long EXPECTED_NODES = 50;

  /** The links over which a query is forwarded. */
  enum Method {
    FLOOD("flooding"),
    EXACT("exact tables"),
    FILTER("filters");

    final String label;

    Method(String label) {
      this.label = label;
    }
  }

  /**
   * The outcome.
   *
   * @param sent transmissions
   * @param wasted transmissions over links that did not lead to the key
   * @param answered queries that reached a node with the key
   * @param wronglyMissed queries that flooding answers and this method does not
   * @param guesses links queried and not queried, compared with the truth
   */
  record Result(long sent, long wasted, long answered, long wronglyMissed, Guesses guesses) {}

  /** The updates sent until no table changed. */
  record Exchange(long updates, long bytes) {}

  private record Arrival(int node, int from, int left) {}

  private final Network network;
  private final int hops;
  private final int queries;
  private final long seed;
  private final KeyPlaces places;
  private final List<RoutingTable<Integer, Long>> tables = new ArrayList<>();
  private BitSet[][][] truth;

  QueryRun(Network network, int hops, int queries, double fpp, long seed) {
    this.network = network;
    this.hops = hops;
    this.queries = queries;
    this.seed = seed;
    this.places = new KeyPlaces(network, KEYS_PER_NODE, new SplittableRandom(seed));
    this.truth = places.tables(hops);
    for (int node = 0; node < network.size(); node++) {
      RoutingTable<Integer, Long> table =
          new RoutingTable<>(KeyHasher.longs(), hops, EXPECTED_NODES * KEYS_PER_NODE, fpp);
      Arrays.stream(network.neighbours(node)).forEach(table::connect);
      places.keysAt(node).stream().forEach(key -> table.publish((long) key));
      tables.add(table);
    }
  }

  /** Sends updates until there are none. */
  Exchange exchange() throws FormatException {
    long updates = 0;
    long bytes = 0;
    for (long before = -1; before < updates; ) {
      before = updates;
      for (int node = 0; node < network.size(); node++) {
        for (int neighbour : network.neighbours(node)) {
          Optional<byte[]> update = tables.get(node).updateFor(neighbour);
          if (update.isPresent()) {
            tables.get(neighbour).receive(node, update.get());
            updates++;
            bytes += update.get().length;
          }
        }
      }
    }
    return new Exchange(updates, bytes);
  }

  /** Moves a share of the keys and informs only the nodes concerned. */
  void moveKeys(double share) {
    int moved = (int) (share * places.keys());
    for (KeyPlaces.Move move : places.move(moved, new SplittableRandom(seed + 1))) {
      tables.get(move.from()).withdraw((long) move.key());
      tables.get(move.to()).publish((long) move.key());
    }
    truth = places.tables(hops);
  }

  Result run(Method method) {
    SplittableRandom random = new SplittableRandom(seed + 2);
    Tally tally = new Tally();
    long answered = 0;
    long wronglyMissed = 0;
    for (int query = 0; query < queries; query++) {
      int key = random.nextInt(places.keys());
      int origin = random.nextInt(network.size());
      boolean found = ask(key, origin, method, tally);
      answered += found ? 1 : 0;
      wronglyMissed += !found && ask(key, origin, Method.FLOOD, new Tally()) ? 1 : 0;
    }
    return new Result(tally.sent, tally.wasted, answered, wronglyMissed, tally.guesses);
  }

  private static final class Tally {
    private final Guesses guesses = new Guesses();
    private long sent;
    private long wasted;
  }

  private boolean ask(int key, int origin, Method method, Tally tally) {
    BitSet visited = new BitSet(network.size());
    ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    arrivals.add(new Arrival(origin, -1, hops));
    visited.set(origin);
    boolean found = false;
    while (!arrivals.isEmpty()) {
      Arrival arrival = arrivals.remove();
      found |= arrival.node() != origin && places.keysAt(arrival.node()).get(key);
      if (arrival.left() == 0) {
        continue;
      }
      IntPredicate chosen = choice(method, key, arrival);
      int[] neighbours = network.neighbours(arrival.node());
      for (int i = 0; i < neighbours.length; i++) {
        if (neighbours[i] == arrival.from()) {
          continue;
        }
        boolean leads = leads(arrival.node(), i, key, arrival.left());
        boolean send = chosen.test(i);
        if (method == Method.FILTER) {
          tally.guesses.add(send, leads);
        }
        if (send) {
          tally.sent++;
          tally.wasted += leads ? 0 : 1;
          if (!visited.get(neighbours[i])) {
            visited.set(neighbours[i]);
            arrivals.add(new Arrival(neighbours[i], arrival.node(), arrival.left() - 1));
          }
        }
      }
    }
    return found;
  }

  private IntPredicate choice(Method method, int key, Arrival at) {
    return switch (method) {
      case FLOOD -> i -> true;
      case EXACT -> i -> leads(at.node(), i, key, at.left());
      case FILTER -> {
        int[] neighbours = network.neighbours(at.node());
        BitSet links = new BitSet(neighbours.length);
        for (Route<Integer> route : tables.get(at.node()).linksFor((long) key)) {
          if (route.hops() <= at.left()) {
            links.set(Arrays.binarySearch(neighbours, route.link()));
          }
        }
        yield links::get;
      }
    };
  }

  private boolean leads(int node, int link, int key, int left) {
    for (int hop = 0; hop < left; hop++) {
      if (truth[node][link][hop].get(key)) {
        return true;
      }
    }
    return false;
  }

  /** The keys of each node, and the routing tables that are exact. */
  private static final class KeyPlaces {

    private static final int COPIES = 2;

    private final Network network;
    private final int keys;
    private final BitSet[] keysAt;

    KeyPlaces(Network network, int keysPerNode, SplittableRandom random) {
      this.network = network;
      this.keys = network.size() * keysPerNode / COPIES;
      this.keysAt = new BitSet[network.size()];
      for (int node = 0; node < keysAt.length; node++) {
        keysAt[node] = new BitSet(keys);
      }
      for (int key = 0; key < keys; key++) {
        for (int copy = 0; copy < COPIES; copy++) {
          keysAt[random.nextInt(network.size())].set(key);
        }
      }
    }

    int keys() {
      return keys;
    }

    BitSet keysAt(int node) {
      return keysAt[node];
    }

    record Move(int key, int from, int to) {}

    /** Moves {@code count} keys from a node that has them to one that does not. */
    List<Move> move(int count, SplittableRandom random) {
      List<Move> moves = new ArrayList<>();
      while (moves.size() < count) {
        int key = random.nextInt(keys);
        int from = random.nextInt(network.size());
        int to = random.nextInt(network.size());
        if (keysAt[from].get(key) && !keysAt[to].get(key)) {
          keysAt[from].clear(key);
          keysAt[to].set(key);
          moves.add(new Move(key, from, to));
        }
      }
      return moves;
    }

    /** Returns at [node][i][h] the keys reached over the node's link i in exactly h + 1 hops. */
    BitSet[][][] tables(int hops) {
      BitSet[][][] tables = new BitSet[network.size()][][];
      for (int node = 0; node < tables.length; node++) {
        tables[node] = new BitSet[network.neighbours(node).length][hops];
      }
      for (int hop = 0; hop < hops; hop++) {
        for (int node = 0; node < tables.length; node++) {
          int[] neighbours = network.neighbours(node);
          for (int i = 0; i < neighbours.length; i++) {
            tables[node][i][hop] = within(tables, node, neighbours[i], hop);
          }
        }
      }
      return tables;
    }

    private BitSet within(BitSet[][][] tables, int node, int neighbour, int hop) {
      if (hop == 0) {
        return keysAt[neighbour];
      }
      BitSet union = new BitSet(keys);
      int[] onward = network.neighbours(neighbour);
      for (int i = 0; i < onward.length; i++) {
        if (onward[i] != node) {
          union.or(tables[neighbour][i][hop - 1]);
        }
      }
      return union;
    }
  }
}
