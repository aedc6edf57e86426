package dev.tamis.examples.network;

import dev.tamis.format.FormatException;
import dev.tamis.tools.network.BroadcastSuppression.Renewal;
import dev.tamis.tools.network.GuessTable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs loop detection, broadcasts and queries on three kinds of graph, with and without filters.
 *
 * <p>It prints tables, the same ones for the same seed, on every machine.
 */
public final class SimulateNetwork {

  private static final int HOPS = 3;

  /** A window of more messages than are ever on their way at once, and one of fewer. */
  private static final int AMPLE = 100;

  private static final int SHORT = 6;

  private final PrintStream out;
  private final List<Network> networks = new ArrayList<>();
  private final long seed;
  private final int scale;

  SimulateNetwork(PrintStream out, int nodes, int scale, long seed) {
    this.out = out;
    this.seed = seed;
    this.scale = scale;
    for (Network.Kind kind : Network.Kind.values()) {
      networks.add(kind.create(nodes, seed));
    }
  }

  /** Takes the seed (default: 1) and the file for the chart (default: no chart). */
  public static void main(String[] args) throws IOException {
    long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
    SimulateNetwork simulation = new SimulateNetwork(System.out, 300, 20, seed);
    List<NetworkChart.Bar> bars = simulation.run();
    if (args.length > 1) {
      try (OutputStream file = Files.newOutputStream(Path.of(args[1]))) {
        NetworkChart.write(bars, seed, file);
      }
    }
  }

  List<NetworkChart.Bar> run() throws FormatException {
    networks();
    loops();
    broadcasts();
    List<NetworkChart.Bar> bars = queries();
    regions();
    return bars;
  }

  private void networks() {
    MarkdownTable table = new MarkdownTable("graph", "nodes", "links");
    networks.forEach(n -> table.row(n.label(), n.size(), n.links()));
    print("Graphs, seed " + seed, table);
  }

  private void loops() {
    int packets = 1_000 * scale;
    MarkdownTable table =
        new MarkdownTable(
            "graph",
            "loops are found by",
            "sent",
            "wasted",
            "delivered",
            "wrongly dropped",
            "expected",
            "true hits",
            "false hits",
            "true misses",
            "false misses");
    for (Network network : networks) {
      LoopRun run = new LoopRun(network, packets, seed);
      loopRow(table, network, "hop limit " + LoopRun.HOP_LIMIT, run.withHopLimit());
      loopRow(table, network, "list of nodes", run.withList());
      for (int bits : new int[] {64, 128, 248}) {
        loopRow(table, network, bits + " bits", run.withFilter(bits, 10));
      }
    }
    print(String.format(Locale.ROOT, "Loop detection, %,d packets each", packets), table);
  }

  private static void loopRow(
      MarkdownTable table, Network network, String how, LoopRun.Result result) {
    GuessTable guesses = result.guesses();
    table.row(
        network.label(),
        how,
        result.sent(),
        result.wasted(),
        result.delivered(),
        result.wronglyDropped(),
        result.expectedWrongDrops(),
        guesses.trueHits(),
        guesses.falseHits(),
        guesses.trueMisses(),
        guesses.falseMisses());
  }

  private void broadcasts() {
    int messages = 20 * scale;
    MarkdownTable table =
        new MarkdownTable(
            "graph",
            "seen is remembered in",
            "bytes a node",
            "sent",
            "wasted",
            "handled twice",
            "wrongly dropped",
            "expected",
            "unreached",
            "true hits",
            "false hits",
            "true misses",
            "false misses");
    for (Network network : networks) {
      BroadcastRun run = new BroadcastRun(network, messages, seed);
      double without = run.sentWithoutSuppression() * messages;
      table.row(
          network.label(),
          "nothing, hop limit " + BroadcastRun.HOP_LIMIT,
          0,
          without,
          "",
          "",
          "",
          "",
          "",
          "",
          "",
          "",
          "");
      broadcastRow(table, network, "sets of all messages", run.withSets());
      for (double fpp : new double[] {0.01, 0.0001}) {
        String how = "window of " + AMPLE + ", fpp " + fpp;
        broadcastRow(table, network, how, run.withWindow(AMPLE, fpp, Renewal.FIRST_SEEN));
      }
      for (Renewal renewal : Renewal.values()) {
        String how = "window of " + SHORT + ", fpp 1.0E-4, " + renewal;
        broadcastRow(table, network, how, run.withWindow(SHORT, 0.0001, renewal));
      }
    }
    print(String.format(Locale.ROOT, "Broadcasts, %,d messages each", messages), table);
  }

  private static void broadcastRow(
      MarkdownTable table, Network network, String how, BroadcastRun.Result result) {
    GuessTable guesses = result.guesses();
    table.row(
        network.label(),
        how,
        result.bytesPerNode(),
        result.sent(),
        result.wasted(),
        result.handledTwice(),
        result.wronglyDropped(),
        result.expectedWrongDrops(),
        result.unreached(),
        guesses.trueHits(),
        guesses.falseHits(),
        guesses.trueMisses(),
        guesses.falseMisses());
  }

  private List<NetworkChart.Bar> queries() throws FormatException {
    int queries = 100 * scale;
    List<NetworkChart.Bar> bars = new ArrayList<>();
    MarkdownTable table =
        new MarkdownTable(
            "graph",
            "a query goes by",
            "sent",
            "wasted",
            "answered",
            "wrongly missed",
            "true hits",
            "false hits",
            "true misses",
            "false misses");
    MarkdownTable updates = new MarkdownTable("graph", "updates", "resets", "MB", "patches", "MB");
    for (Network network : networks) {
      QueryRun run = new QueryRun(network, HOPS, queries, 0.01, seed);
      updateRow(updates, network, "at first", run.exchange());
      for (QueryRun.Method method : QueryRun.Method.values()) {
        QueryRun.Result result = run.run(method);
        queryRow(table, network, method.label, result);
        bars.add(
            new NetworkChart.Bar(network.label(), method.label, (double) result.sent() / queries));
      }
      run.moveKeys(0.02);
      queryRow(table, network, "filters, 2 % of the keys moved", run.run(QueryRun.Method.FILTER));
      updateRow(updates, network, "2 % of the keys moved", run.exchange());
      queryRow(table, network, "filters, updated", run.run(QueryRun.Method.FILTER));
    }
    print(String.format(Locale.ROOT, "Queries within %d hops, %,d each", HOPS, queries), table);
    print("Updates of the tables", updates);
    return bars;
  }

  private static void queryRow(
      MarkdownTable table, Network network, String how, QueryRun.Result result) {
    GuessTable guesses = result.guesses();
    table.row(
        network.label(),
        how,
        result.sent(),
        result.wasted(),
        result.answered(),
        result.wronglyMissed(),
        guesses.trueHits(),
        guesses.falseHits(),
        guesses.trueMisses(),
        guesses.falseMisses());
  }

  private static void updateRow(
      MarkdownTable table, Network network, String when, QueryRun.Exchange exchange) {
    table.row(
        network.label(),
        when,
        exchange.resets(),
        exchange.resetBytes() / 1e6,
        exchange.patches(),
        exchange.patchBytes() / 1e6);
  }

  private void regions() {
    int packets = 20 * scale;
    MarkdownTable table =
        new MarkdownTable("graph", "targets", "regions", "hashes", "needed", "wasted");
    for (Network network : networks) {
      for (int targets : new int[] {4, 10}) {
        DeletableRegions run = new DeletableRegions(network, packets, targets, seed);
        for (int regions : new int[] {0, 8, 16, 32}) {
          DeletableRegions.Result result = run.run(regions);
          table.row(
              network.label(), targets, regions, result.hashes(), result.needed(), result.wasted());
        }
      }
    }
    print(
        String.format(Locale.ROOT, "Delivery trees in 248 bits, %,d packets each", packets), table);
  }

  private void print(String title, MarkdownTable table) {
    out.println(title + ":\n\n" + table);
  }
}
