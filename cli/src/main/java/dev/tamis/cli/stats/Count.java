package dev.tamis.cli.stats;

import dev.tamis.Confidence;
import dev.tamis.Overlapping;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.FilterPair;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.ConfidenceOption;
import dev.tamis.cli.report.Report;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis count}: the distinct keys of files, and how many two share. */
@Command(
    name = "count",
    description = "Estimate the number of distinct keys of a file, or the overlap of two.",
    footer = {
      "Each estimate has an interval that contains the true number with probability",
      "--confidence. Two files can be compared if both are Bloom, counting or foreign",
      "filters of the same parameters, scalable filters that have not grown, or",
      "distinct counters by tamis stats lines. For count-min sketches, puts are",
      "counted instead of keys.",
      "",
      "Example:",
      "  $ seq 1000 | tamis build -q -n 1000 -o a.tamis",
      "  $ tamis count a.tamis",
      "  keys        1009 (999 to 1018)",
      "  confidence  0.95",
    })
public final class Count implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisConnectionOptions password;
  @Mixin private ConfidenceOption confidence = new ConfidenceOption();

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..2",
      description = "One or two filters or sketches: files, or redis://HOST:PORT/NAME.")
  private List<FilterPlace> places = List.of();

  public Count(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisConnectionOptions(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    Report facts = places.size() == 1 ? one(places.get(0)) : two(places.get(0), places.get(1));
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }

  private Report one(FilterPlace place) throws IOException {
    if (place instanceof RedisName server) { // the server counts, and a window is no file
      return withConfidence(
          new Report()
              .estimate(
                  "keys",
                  RedisFilters.with(
                      server,
                      password,
                      filters ->
                          filters.open(keyFile).approximateElementCount(confidence.value()))));
    }
    Loaded loaded = place.load(keyFile, password);
    return loaded instanceof Loaded.Countable keys
        ? withConfidence(new Report().estimate("keys", keys.keys(confidence.value())))
        : new Report().count("puts", ((Loaded.OfFrequencies) loaded).sketch().totalCount());
  }

  private Report two(FilterPlace firstPlace, FilterPlace secondPlace) throws IOException {
    Loaded first = firstPlace.load(keyFile, password);
    Loaded second = secondPlace.load(keyFile, password);
    KeyRule unused = FilterPlace.commonRule(places, password);
    if (first instanceof Loaded.OfFrequencies one && second instanceof Loaded.OfFrequencies other) {
      long puts = one.sketch().totalCount();
      long others = other.sketch().totalCount();
      return new Report()
          .count("first-puts", puts)
          .count("second-puts", others)
          .count("puts", saturatingSum(puts, others));
    }
    return withConfidence(
        OverlapReport.of(firstPlace, first, secondPlace, second, confidence.value()));
  }

  private static long saturatingSum(long first, long second) {
    return first > Long.MAX_VALUE - second ? Long.MAX_VALUE : first + second;
  }

  private Report withConfidence(Report facts) {
    return facts.exact("confidence", confidence.value().probability());
  }

  /** The estimated overlap of two files. */
  private static final class OverlapReport {

    private OverlapReport() {}

    /** Compares two files; throws {@link CommandException} with the difference if it cannot. */
    static Report of(
        FilterPlace firstPlace,
        Loaded first,
        FilterPlace secondPlace,
        Loaded second,
        Confidence confidence) {
      if (first instanceof Loaded.OfFilter one && second instanceof Loaded.OfFilter other) {
        return ofFilters(new FilterPair(firstPlace, one, secondPlace, other), confidence);
      }
      if (first instanceof Loaded.OfCounter one && second instanceof Loaded.OfCounter other) {
        return ofCounters(firstPlace, one.counter(), secondPlace, other.counter(), confidence);
      }
      throw refusal(
          firstPlace, secondPlace, "kind differs: " + first.kind() + " and " + second.kind());
    }

    private static Report ofFilters(FilterPair pair, Confidence confidence) {
      Overlapping<?> first = overlapping(pair.firstPlace(), pair.first());
      Overlapping<?> second = overlapping(pair.secondPlace(), pair.second());
      if (!pair.isOfOneKind()) {
        throw refusal(
            pair.firstPlace(),
            pair.secondPlace(),
            String.format(
                Locale.ROOT,
                "kind differs: %s and %s; build both with the same -n, -p and -t",
                pair.first().kind(),
                pair.second().kind()));
      }
      pair.requireCompatible();
      try {
        return facts(overlap(first, second, confidence));
      } catch (IllegalArgumentException e) { // of stages
        throw refusal(
            pair.firstPlace(),
            pair.secondPlace(),
            e.getMessage() + "; build both with a sufficient -n");
      }
    }

    private static Overlapping<?> overlapping(FilterPlace place, Loaded.OfFilter loaded) {
      if (loaded.filter() instanceof Overlapping<?> overlapping) {
        return overlapping;
      }
      throw new CommandException(
          "%s: kind: must be bloom, counting, scalable, foreign or distinct to be compared, got %s;"
              + " build both with -t blocked",
          place, loaded.kind());
    }

    @SuppressWarnings("unchecked") // both are of one kind, F
    private static <F extends Overlapping<F>> Overlap overlap(
        Overlapping<?> first, Overlapping<?> second, Confidence confidence) {
      return ((F) first).estimateOverlap((F) second, confidence);
    }

    private static Report ofCounters(
        FilterPlace firstPath,
        DistinctCounter<Line> first,
        FilterPlace secondPath,
        DistinctCounter<Line> second,
        Confidence confidence) {
      first
          .hashId()
          .difference(second.hashId())
          .ifPresent(
              difference -> {
                throw refusal(firstPath, secondPath, difference + "; build both with the same");
              });
      return facts(first.estimateOverlap(second, confidence));
    }

    private static Report facts(Overlap overlap) {
      Report facts =
          new Report()
              .estimate("first", overlap.first())
              .estimate("second", overlap.second())
              .estimate("union", overlap.union());
      if (!overlap.union().isBounded()) {
        String reason = Report.reason(overlap.union());
        return facts
            .notEstimable("intersection", 0, overlap.intersection().high(), reason)
            .notEstimable("jaccard", 0, 1, reason);
      }
      facts.estimate("intersection", overlap.intersection());
      return overlap.jaccard().isPresent()
          ? facts.share("jaccard", overlap.jaccard().get())
          : facts.notEstimable("jaccard", 0, 1, "both are empty");
    }

    private static CommandException refusal(FilterPlace first, FilterPlace second, String reason) {
      return new CommandException("%s and %s: cannot be compared: %s", first, second, reason);
    }
  }
}
