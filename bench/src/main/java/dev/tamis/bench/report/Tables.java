package dev.tamis.bench.report;

import dev.tamis.bench.peers.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The tables of the comparison in Markdown, as {@code tables.txt} says. */
record Tables(Results results, Plan.Part part, List<String> heads, List<List<String>> specs) {

  /** Below this, the million absent keys that are queried do not tell an fpp. */
  private static final double LEAST_FPP = 5e-5;

  /** Returns all tables that there are results for, after a link to {@code chart}. */
  static String of(Results results, String chart) {
    StringBuilder out = new StringBuilder(Text.of("versions.txt")).append(".\n");
    if (results.about("long").isPresent()) {
      out.append("\n![Time of a lookup against the size of the filter](" + chart + ")\n");
    }
    for (List<String> row : Text.rows("tables.txt", 3)) {
      List<String[]> columns =
          Stream.of(row.get(2).split("; ", -1)).map(column -> column.split(" = ", 2)).toList();
      Tables tables =
          new Tables(
              results,
              Plan.part(row.get(0)).orElseThrow(),
              columns.stream().map(column -> column[0]).toList(),
              columns.stream().map(column -> Text.words(column[1])).toList());
      results
          .about(row.get(0))
          .ifPresent(about -> out.append("\n### " + row.get(1) + "\n\n" + about + tables.text()));
    }
    return out.toString();
  }

  private String text() {
    boolean filters = !part.filters().equals("-");
    StringBuilder out = new StringBuilder(filters ? "" : "\n" + header("memory"));
    for (long size : results.values(part.benchmark(), part.size())) {
      Map<String, String> where = new TreeMap<>(Map.of(part.size(), String.valueOf(size)));
      String title = Text.size(part.size(), size);
      if (!filters) {
        out.append(row(title, where));
        continue;
      }
      out.append("\n" + title + ":\n\n" + header("filter"));
      for (Contender filter : Contender.values()) {
        where.put("contender", filter.id());
        out.append(row(filter.label(), where));
      }
    }
    return out.toString();
  }

  private String header(String first) {
    return Text.header(1, Stream.concat(Stream.of(first), heads.stream()).toList());
  }

  /** Returns a row; empty if none of its cells is known. */
  private String row(String label, Map<String, String> where) {
    List<String> cells = new ArrayList<>();
    cells.add(label);
    specs.forEach(spec -> cells.add(cell(where, spec)));
    return String.join("", cells).equals(label) ? "" : Text.row(cells);
  }

  private String cell(Map<String, String> where, List<String> spec) {
    String operation = spec.get(1);
    Map<String, String> exact = new TreeMap<>(where);
    if (spec.size() > 2) {
      exact.put("threads", spec.get(2));
    }
    Optional<Measurement> found = results.find(part.benchmark(), operation, exact);
    if (found.isEmpty()) {
      return "";
    }
    Measurement known = found.get();
    return switch (spec.get(0)) {
      case "ns" -> (known.isNoisy() ? "~" : "") + Text.nanos(known.median()) + mark(known);
      case "bytes" -> Text.number("%.0f", known.bytes());
      case "bits" -> Text.number("%.2f", known.bitsPerKey());
      case "fpp" ->
          known.fpp() < LEAST_FPP ? "< 0.01 %" : Text.number("%.2f %%", 100 * known.fpp());
      case "speedup" -> {
        exact.put("threads", "2");
        yield results
            .find(part.benchmark(), operation, exact)
            .map(two -> Text.number("%.2f", known.median() / two.median()))
            .orElse("");
      }
      default -> throw new IllegalStateException("tables.txt: column: unknown kind in " + spec);
    };
  }

  /** Marks filters that take all keys at once. */
  private static String mark(Measurement found) {
    boolean built = found.is("LongKeys", "put", Map.of()) && !found.contender().takesLongs();
    return built ? " (built)" : "";
  }
}
