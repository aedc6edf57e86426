package dev.tamis.examples.network;

import dev.tamis.examples.network.BroadcastRun.Renewal;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Runs queries, broadcasts, loop detection and message flow with and without filters (B7 to B10).
 *
 * <p>There are three kinds of graph. Equal seeds print equal tables on every machine.
 */
public final class SimulateNetwork {

  private static final int HOPS = 3;

  /** A window of more messages than are ever in flight at once, and one of fewer. */
  private static final int AMPLE = 100;

  private static final int SHORT = 6;

  private static final String[] GUESSES = {
    "true hits", "false hits", "true misses", "false misses"
  };

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

  /** Takes the seed (default: 1). */
  public static void main(String[] args) throws FormatException {
    new SimulateNetwork(System.out, 300, 20, args.length > 0 ? Long.parseLong(args[0]) : 1).run();
  }

  void run() throws FormatException {
    MarkdownTable table = new MarkdownTable("graph", "nodes", "links");
    networks.forEach(n -> table.row(n.label(), n.size(), n.links()));
    print("Graphs, seed " + seed, table);
    loops();
    broadcasts();
    queries();
    flow();
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
            GUESSES);
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

  private static void loopRow(MarkdownTable table, Network network, String how, LoopRun.Result r) {
    table.row(
        network.label(),
        how,
        r.sent(),
        r.wasted(),
        r.delivered(),
        r.wronglyDropped(),
        r.expected(),
        r.guesses());
  }

  private void broadcasts() {
    int messages = 20 * scale;
    MarkdownTable table =
        new MarkdownTable(
            "graph",
            "seen is remembered in",
            "bytes per node",
            "sent",
            "wasted",
            "handled twice",
            "wrongly dropped",
            "expected",
            "unreached",
            GUESSES);
    for (Network network : networks) {
      BroadcastRun run = new BroadcastRun(network, messages, seed);
      double without = run.sentWithoutSuppression() * messages;
      table.row(network.label(), "nothing, hop limit " + BroadcastRun.HOP_LIMIT, 0, without);
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
      MarkdownTable table, Network network, String how, BroadcastRun.Result r) {
    table.row(
        network.label(),
        how,
        r.bytesPerNode(),
        r.sent(),
        r.wasted(),
        r.handledTwice(),
        r.wronglyDropped(),
        r.expected(),
        r.unreached(),
        r.guesses());
  }

  private void queries() throws FormatException {
    int queries = 100 * scale;
    MarkdownTable table =
        new MarkdownTable(
            "graph", "a query goes by", "sent", "wasted", "answered", "wrongly missed", GUESSES);
    MarkdownTable updates = new MarkdownTable("graph", "updates", "number", "MB");
    for (Network network : networks) {
      QueryRun run = new QueryRun(network, HOPS, queries, 0.01, seed);
      updateRow(updates, network, "at first", run.exchange());
      for (QueryRun.Method method : QueryRun.Method.values()) {
        queryRow(table, network, method.label, run.run(method));
      }
      run.moveKeys(0.02);
      queryRow(table, network, "filters, 2 % of the keys moved", run.run(QueryRun.Method.FILTER));
      updateRow(updates, network, "2 % of the keys moved", run.exchange());
      queryRow(table, network, "filters, updated", run.run(QueryRun.Method.FILTER));
    }
    print(String.format(Locale.ROOT, "Queries within %d hops, %,d each", HOPS, queries), table);
    print("Updates of the tables", updates);
  }

  private static void queryRow(
      MarkdownTable table, Network network, String how, QueryRun.Result r) {
    table.row(
        network.label(), how, r.sent(), r.wasted(), r.answered(), r.wronglyMissed(), r.guesses());
  }

  private static void updateRow(
      MarkdownTable table, Network network, String when, QueryRun.Exchange exchange) {
    table.row(network.label(), when, exchange.updates(), exchange.bytes() / 1e6);
  }

  /** Messages in flight; one in a hundred is acknowledged twice. */
  private void flow() {
    MarkdownTable table =
        new MarkdownTable(
            "requested fpp", "entered", "left", "in flight", "true underflows", "underflows");
    for (double fpp : new double[] {0.1, 0.01, 0.0001}) {
      FlowLedger<Long> ledger =
          new FlowLedger<>(KeyHasher.longs().keyedBy(HashKey.of(new byte[16])), 1_000, fpp);
      SplittableRandom random = new SplittableRandom(seed);
      ArrayDeque<Long> queue = new ArrayDeque<>();
      long repeated = 0;
      for (long message = 0; message < 5_000L * scale; message++) {
        FlowLedger.Entry unused = ledger.enter(message);
        queue.add(message);
        if (queue.size() > 1_000) {
          ledger.leave(queue.element());
          if (random.nextInt(100) == 0) {
            ledger.leave(queue.element());
            repeated++;
          }
          queue.remove();
        }
      }
      FlowLedger.Stats stats = ledger.stats();
      table.row(
          Double.toString(fpp),
          stats.entered(),
          stats.left(),
          stats.inFlight(),
          repeated,
          stats.underflows());
    }
    print("Flow of messages, 1,000 in flight, one in a hundred acknowledged twice", table);
  }

  private void print(String title, MarkdownTable table) {
    out.println(title + ":\n\n" + table);
  }

  /** A table in Markdown; numbers are aligned right. */
  private static final class MarkdownTable {

    private final List<String> lines = new ArrayList<>();
    private final int columns;

    /** Starts a table; an array among the heads stands for several. */
    MarkdownTable(Object... heads) {
      List<String> cells = cells(heads);
      columns = cells.size();
      lines.add(line(cells));
      lines.add("|---|" + String.join("|", Collections.nCopies(columns - 1, "---:")) + "|");
    }

    /** Adds a row, with empty cells at its end if there are too few. */
    void row(Object... values) {
      List<String> cells = new ArrayList<>(cells(values));
      cells.addAll(Collections.nCopies(columns - cells.size(), ""));
      lines.add(line(cells));
    }

    private static String line(List<String> cells) {
      return "| " + String.join(" | ", cells) + " |";
    }

    private static List<String> cells(Object... values) {
      return Stream.of(values)
          .flatMap(
              value ->
                  value instanceof Object[] several
                      ? Stream.of(several)
                      : value instanceof Guesses g
                          ? Stream.of(g.trueHits(), g.falseHits(), g.trueMisses(), g.falseMisses())
                          : Stream.of(value))
          .map(MarkdownTable::text)
          .toList();
    }

    private static String text(Object cell) {
      if (cell instanceof Double value) {
        return value == 0
            ? "0"
            : String.format(
                Locale.ROOT, value < 0.01 ? "%.1e" : value < 100 ? "%.2f" : "%,.0f", value);
      }
      return cell instanceof Number number
          ? String.format(Locale.ROOT, "%,d", number.longValue())
          : cell.toString();
    }

    @Override
    public String toString() {
      return String.join("\n", lines) + "\n";
    }
  }
}
