package dev.tamis.bench.report;

import dev.tamis.bench.peers.Contender;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A line of {@code targets.txt}, which explains the fields, with the largest size for each *. */
record Target(
    String benchmark,
    Map<String, String> parameters,
    List<String> operations,
    String filter,
    String comparedWith,
    String rule,
    List<String> bounds) {

  /** How much above 1 % a peer's fpp may be for its speed to count: rounding, not another size. */
  private static final double SAME_FPP = 1.1 * Contender.FPP;

  /** Returns all targets. */
  static List<Target> all(Results results) {
    List<Target> targets = new ArrayList<>();
    for (List<String> row : Text.rows("targets.txt", 7)) {
      Map<String, String> parameters = new TreeMap<>();
      for (String word : Text.words(row.get(1))) {
        String[] pair = word.split("=", 2);
        Optional<Long> largest =
            results.values(row.get(0), pair[0]).stream().max(Comparator.naturalOrder());
        String any = largest.map(String::valueOf).orElse("*");
        parameters.put(pair[0], pair[1].equals("*") ? any : pair[1]);
      }
      targets.add(
          new Target(
              row.get(0),
              parameters,
              Text.words(row.get(2)),
              row.get(3),
              row.get(4),
              row.get(5),
              Text.words(row.get(6))));
    }
    return targets;
  }

  /** Returns the table of all targets, and a line that says how many bounds were met. */
  static String table(Results results) {
    List<String> columns =
        List.of("benchmark", "filter", "compared with", "target", "measured", "verdict");
    StringBuilder text = new StringBuilder(Text.header(3, columns));
    Map<String, Integer> counts = new TreeMap<>();
    for (Target target : all(results)) {
      List<String> figures = new ArrayList<>();
      List<String> verdicts = new ArrayList<>();
      for (int i = 0; i < target.operations.size(); i++) {
        double figure = target.figure(results, target.operations.get(i));
        figures.add(Double.isNaN(figure) ? "–" : Text.number("%.2f", figure));
        verdicts.add(target.verdict(figure, Double.parseDouble(target.bounds.get(i))));
      }
      verdicts.forEach(verdict -> counts.merge(verdict.replace("*", ""), 1, Integer::sum));
      text.append(Text.row(target.cells(figures, verdicts)));
    }
    return text + "\nBounds: " + counts.toString().replaceAll("[{}]", "") + ".\n";
  }

  private List<String> cells(List<String> figures, List<String> verdicts) {
    String unit = rule.equals("bytes") ? " B" : " ×";
    String where =
        parameters.entrySet().stream()
            .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining());
    return List.of(
        benchmark + where + ": " + String.join(" / ", operations),
        filter,
        comparedWith,
        (rule.equals("speedup") ? "≥ " : "≤ ") + String.join(" / ", bounds) + unit,
        String.join(" / ", figures) + unit,
        String.join(" / ", Set.copyOf(verdicts).size() == 1 ? verdicts.subList(0, 1) : verdicts));
  }

  private String verdict(double figure, double bound) {
    if (Double.isNaN(figure)) {
      return "not measured";
    }
    return (rule.equals("speedup") ? figure >= bound : figure <= bound) ? "met" : "**missed**";
  }

  /** Returns the figure that has a bound, NaN if unknown. */
  private double figure(Results results, String operation) {
    Map<String, String> own = new TreeMap<>(parameters);
    own.put("contender", filter);
    Optional<Measurement> ours = results.find(benchmark, operation, own);
    if (rule.equals("bytes")) {
      return ours.map(found -> Math.rint(found.bytes())).orElse(Double.NaN);
    }
    double time =
        ours.map(Measurement::median).orElse(Double.NaN)
            / baseline(results, operation, own).map(Measurement::median).orElse(Double.NaN);
    return rule.equals("time") ? time : 1 / time;
  }

  private Optional<Measurement> baseline(
      Results results, String operation, Map<String, String> own) {
    if (comparedWith.equals("best-peer")) {
      return results
          .of(benchmark, operation, parameters)
          .filter(found -> !found.contender().isOurs() && found.contender().takesLongs())
          .filter(found -> found.fpp() <= SAME_FPP)
          .min(Comparator.comparingDouble(Measurement::median));
    }
    if (comparedWith.startsWith(".")) {
      return results.find(benchmark, comparedWith.substring(1), own);
    }
    Map<String, String> where = new TreeMap<>(own);
    String[] pair = comparedWith.split("=", 2);
    where.put(pair.length == 2 ? pair[0] : "contender", pair[pair.length - 1]);
    return results.find(benchmark, operation, where);
  }
}
