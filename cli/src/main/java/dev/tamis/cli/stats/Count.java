package dev.tamis.cli.stats;

import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.ConfidenceOption;
import dev.tamis.cli.report.Report;
import java.io.IOException;
import java.util.List;
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

  /** Returns the sum, at most the largest long, at which a total saturates too. */
  private static long saturatingSum(long first, long second) {
    return first > Long.MAX_VALUE - second ? Long.MAX_VALUE : first + second;
  }

  private Report withConfidence(Report facts) {
    return facts.exact("confidence", confidence.value().probability());
  }
}
