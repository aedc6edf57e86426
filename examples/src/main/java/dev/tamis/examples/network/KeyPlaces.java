package dev.tamis.examples.network;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/** The keys of each node, and the routing tables that are exact. */
final class KeyPlaces {

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
