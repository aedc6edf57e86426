package dev.tamis.examples.network;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.generate.BarabasiAlbertGraphGenerator;
import org.jgrapht.generate.GnmRandomGraphGenerator;
import org.jgrapht.generate.GraphGenerator;
import org.jgrapht.generate.WattsStrogatzGraphGenerator;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;

/** A connected graph of nodes 0 to n − 1. */
final class Network {

  /** The kinds of graph, each with about three times as many links as nodes. */
  enum Kind {
    RANDOM("random"),
    SCALE_FREE("scale-free"),
    SMALL_WORLD("small world");

    private static final int LINKS = 3;
    private static final double REWIRED = 0.1;

    final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Returns the largest connected part of such a graph. */
    Network create(int nodes, long seed) {
      Random random = new Random(seed);
      GraphGenerator<Integer, DefaultEdge, Integer> generator =
          switch (this) {
            case RANDOM ->
                new GnmRandomGraphGenerator<>(nodes, LINKS * nodes, random, false, false);
            case SCALE_FREE -> new BarabasiAlbertGraphGenerator<>(LINKS + 1, LINKS, nodes, random);
            case SMALL_WORLD ->
                new WattsStrogatzGraphGenerator<>(nodes, 2 * LINKS, REWIRED, false, random);
          };
      Graph<Integer, DefaultEdge> graph =
          new SimpleGraph<>(numbers(), () -> new DefaultEdge(), false);
      generator.generateGraph(graph);
      return largestPart(label, graph);
    }

    private static Supplier<Integer> numbers() {
      int[] next = {0};
      return () -> next[0]++;
    }
  }

  private final String label;
  private final int[][] neighbours;

  private Network(String label, int[][] neighbours) {
    this.label = label;
    this.neighbours = neighbours;
  }

  private static Network largestPart(String label, Graph<Integer, DefaultEdge> graph) {
    Set<Integer> largest = Set.of();
    for (Set<Integer> part : new ConnectivityInspector<>(graph).connectedSets()) {
      largest = part.size() > largest.size() ? part : largest;
    }
    int[] nodes = largest.stream().mapToInt(Integer::intValue).sorted().toArray();
    int[][] neighbours = new int[nodes.length][];
    for (int i = 0; i < nodes.length; i++) {
      int node = nodes[i];
      neighbours[i] =
          graph.edgesOf(node).stream()
              .mapToInt(e -> graph.getEdgeSource(e) + graph.getEdgeTarget(e) - node)
              .map(other -> Arrays.binarySearch(nodes, other))
              .sorted()
              .toArray();
    }
    return new Network(label, neighbours);
  }

  String label() {
    return label;
  }

  int size() {
    return neighbours.length;
  }

  /** Returns the neighbours of a node, in rising order. */
  int[] neighbours(int node) {
    return neighbours[node];
  }

  /** Returns the number of links, each in both directions. */
  int links() {
    return Arrays.stream(neighbours).mapToInt(n -> n.length).sum() / 2;
  }

  /** Returns for each node the next one on a shortest path to {@code target}. */
  int[] nextHops(int target) {
    int[] next = new int[size()];
    Arrays.fill(next, -1);
    next[target] = target;
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(target);
    while (!queue.isEmpty()) {
      int node = queue.remove();
      for (int neighbour : neighbours[node]) {
        if (next[neighbour] < 0) {
          next[neighbour] = node;
          queue.add(neighbour);
        }
      }
    }
    return next;
  }
}
