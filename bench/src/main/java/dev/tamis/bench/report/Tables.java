package dev.tamis.bench.report;

import static dev.tamis.bench.report.Markdown.bytes;
import static dev.tamis.bench.report.Markdown.decimals;
import static dev.tamis.bench.report.Markdown.nanos;
import static dev.tamis.bench.report.Markdown.percent;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.bench.peers.BulkLookup;
import dev.tamis.bench.peers.Contender;
import dev.tamis.bench.peers.LongKeys;
import dev.tamis.bench.peers.RawLoads;
import dev.tamis.bench.peers.TextKeys;
import dev.tamis.bench.peers.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Writes the tables of the comparison in Markdown. */
final class Tables {

  private final Results results;
  private final Markdown out = new Markdown();

  private Tables(Results results) {
    this.results = results;
  }

  /** Returns all tables that there are results for, after a link to {@code chart}. */
  static String of(Results results, String chart) throws IOException {
    Tables tables = new Tables(results);
    tables.versions();
    tables.targets();
    if (results.about(Part.LONG).isPresent()) {
      tables.out.line("\n![Time of a look-up against the size of the filter](" + chart + ")");
    }
    tables.longs();
    tables.text();
    tables.threads();
    tables.loads();
    tables.bulk();
    return tables.out.toString();
  }

  private void versions() throws IOException {
    try (InputStream in = Tables.class.getResourceAsStream("versions.txt")) {
      if (in == null) {
        throw new IOException("versions.txt is missing from the jar");
      }
      out.line(new String(in.readAllBytes(), UTF_8).strip() + ".");
    }
  }

  private void targets() {
    out.title("Targets");
    out.line("Ratios of times in one run; a target of 5 × means five times as fast.\n");
    out.header(
        2,
        "work",
        "against",
        "scalar: target",
        "measured",
        "met",
        "SIMD: target",
        "measured",
        "met");
    for (Target target : Target.all(results)) {
      out.row(target.cells());
    }
  }

  /** Says how a part was measured; returns whether it was. */
  private boolean begin(Part part, String title) {
    Optional<About> about = results.about(part);
    about.ifPresent(
        found -> {
          out.title(title);
          out.line("`" + found.command() + "`, " + found.date() + ". " + found.machine() + ".");
          out.line(found.jvm() + ".\n");
        });
    return about.isPresent();
  }

  private void longs() {
    if (begin(Part.LONG, "Long keys")) {
      for (long keys : results.values(LongKeys.class, "keys")) {
        out.line("\n" + Markdown.keys(keys) + " keys:\n");
        operations(LongKeys.class, keys, List.of("put", "hit", "miss", "mixed"));
      }
    }
  }

  private void text() {
    if (begin(Part.TEXT, "Addresses of 60 characters")) {
      for (long keys : results.values(TextKeys.class, "keys")) {
        out.line("\n" + Markdown.keys(keys) + " keys:\n");
        operations(TextKeys.class, keys, List.of("put", "hit", "miss"));
      }
    }
  }

  private void operations(Class<?> benchmark, long keys, List<String> operations) {
    List<String> columns = new ArrayList<>(List.of("filter", "bits a key", "fpp"));
    columns.addAll(operations);
    columns.addAll(List.of("B a put", "B a hit", "B a miss"));
    out.header(1, columns.toArray(String[]::new));
    for (Contender contender : Contender.values()) {
      Map<String, ?> where = Map.of("keys", keys);
      Optional<Measurement> hit = results.find(benchmark, "hit", contender, where);
      if (hit.isEmpty()) {
        continue;
      }
      List<String> cells = new ArrayList<>();
      cells.add(contender.label());
      cells.add(decimals(hit.get().bitsAKey(), 2));
      cells.add(percent(hit.get().fpp()));
      for (String operation : operations) {
        String mark =
            operation.equals("put") && benchmark == LongKeys.class && !contender.takesLongs()
                ? " (built)"
                : "";
        cells.add(nanos(results.find(benchmark, operation, contender, where)) + mark);
      }
      for (String operation : List.of("put", "hit", "miss")) {
        cells.add(bytes(results.find(benchmark, operation, contender, where)));
      }
      out.row(cells);
    }
  }

  private void threads() {
    if (!begin(Part.THREADS, "Several threads")) {
      return;
    }
    out.header(
        1,
        "filter",
        "keys",
        "put: 1",
        "2",
        "times as fast",
        "hit: 1",
        "2",
        "times as fast",
        "miss: 1",
        "2",
        "times as fast");
    for (long keys : results.values(Threads.class, "keys")) {
      for (Contender contender : Contender.values()) {
        List<String> cells = new ArrayList<>(List.of(contender.label(), Markdown.keys(keys)));
        for (String operation : List.of("put", "hit", "miss")) {
          Optional<Measurement> one = shared(operation, contender, keys, 1);
          Optional<Measurement> two = shared(operation, contender, keys, 2);
          cells.addAll(List.of(nanos(one), nanos(two), decimals(ratio(one, two), 2)));
        }
        if (cells.stream().skip(2).anyMatch(cell -> !cell.isEmpty())) {
          out.row(cells);
        }
      }
    }
  }

  private Optional<Measurement> shared(
      String operation, Contender contender, long keys, int threads) {
    return results.find(
        Threads.class, operation, contender, Map.of("keys", keys, "threads", threads));
  }

  private static OptionalDouble ratio(Optional<Measurement> above, Optional<Measurement> below) {
    return above.isPresent() && below.isPresent()
        ? OptionalDouble.of(above.get().median() / below.get().median())
        : OptionalDouble.empty();
  }

  private void loads() {
    if (!begin(Part.LOADS, "What memory allows")) {
      return;
    }
    List<String> operations = List.of("word", "line", "alignedLine", "dependent");
    out.header(0, "memory", "8 bytes", "64 bytes, array", "64 bytes, aligned", "one by one");
    for (long bytes : results.values(RawLoads.class, "bytes")) {
      List<String> cells = new ArrayList<>(List.of(Markdown.size((double) bytes)));
      for (String operation : operations) {
        cells.add(nanos(load(operation, bytes)));
      }
      out.row(cells);
    }
  }

  private Optional<Measurement> load(String operation, long bytes) {
    return results.of(RawLoads.class).stream()
        .filter(measurement -> measurement.operation().equals(operation))
        .filter(measurement -> measurement.parameter("bytes").equals(String.valueOf(bytes)))
        .findFirst();
  }

  private void bulk() {
    if (!begin(Part.BULK, "Look-ups by the array")) {
      return;
    }
    out.header(
        1,
        "filter",
        "MiB",
        "bits a key",
        "fpp",
        "bulk: hit",
        "miss",
        "one by one: hit",
        "miss",
        "loads of lines");
    for (long mebibytes : results.values(BulkLookup.class, "mebibytes")) {
      for (Contender contender : Contender.values()) {
        Map<String, ?> where = Map.of("mebibytes", mebibytes);
        results
            .find(BulkLookup.class, "bulkHit", contender, where)
            .ifPresent(
                hit -> {
                  List<String> cells = new ArrayList<>();
                  cells.addAll(List.of(contender.label(), String.valueOf(mebibytes)));
                  cells.add(decimals(hit.bitsAKey(), 2));
                  cells.add(percent(hit.fpp()));
                  Stream.of("bulkHit", "bulkMiss", "singleHit", "singleMiss", "loads")
                      .map(name -> results.find(BulkLookup.class, name, contender, where))
                      .forEach(found -> cells.add(nanos(found)));
                  out.row(cells);
                });
      }
    }
  }
}
