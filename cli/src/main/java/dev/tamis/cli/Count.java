package dev.tamis.cli;

import dev.tamis.Estimate;
import dev.tamis.cli.lines.Line;
import dev.tamis.format.Kind;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.kit.file.FileHeader;
import dev.tamis.kit.file.ForeignFile;
import dev.tamis.kit.file.SketchFile;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis count}: how many distinct keys files hold, and share. */
@Command(
    name = "count",
    description = "Estimate how many distinct keys a file holds; of two, how many they share.",
    footer = {
      "",
      "Each number has its interval, which holds the true one as often as --confidence",
      "says. What two files share is known of Bloom filters and counting filters of one",
      "shape, of scalable filters that have not grown, of foreign filters of one shape, and",
      "of distinct counters by tamis stats lines. Of count-min sketches, the puts are",
      "counted, not the keys.",
      "",
      "Example:",
      "  $ seq 1000 | tamis build -q -n 1000 -o a.tamis",
      "  $ tamis count a.tamis",
      "  keys        1000 (999 to 1001)",
      "  confidence  0.95",
    })
final class Count implements Callable<Integer> {

  private final Streams streams;

  @Mixin private KeyFile keyFile = new KeyFile();
  @Mixin private ConfidenceOption confidence = new ConfidenceOption();

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Parameters(paramLabel = "FILE", arity = "1..2", description = "One filter or sketch, or two.")
  private List<Path> files = List.of();

  Count(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    Facts facts = files.size() == 1 ? one(files.get(0)) : two(files.get(0), files.get(1));
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }

  private Facts one(Path path) throws IOException {
    if (holds(path, Kind.COUNT_MIN)) {
      return new Facts().count("puts", countMin(path).totalCount());
    }
    return withConfidence(new Facts().estimate("keys", keys(path)));
  }

  private Estimate keys(Path path) throws IOException {
    if (holds(path, Kind.DISTINCT)) {
      return distinct(path).approximateElementCount(confidence.value());
    }
    return holds(path, Kind.FOREIGN)
        ? foreign(path).approximateElementCount(confidence.value())
        : keyFile.load(path).approximateElementCount(confidence.value());
  }

  private Facts two(Path first, Path second) throws IOException {
    requireSameSort(first, second);
    if (holds(first, Kind.COUNT_MIN)) {
      long puts = countMin(first).totalCount();
      long others = countMin(second).totalCount();
      return new Facts()
          .count("first-puts", puts)
          .count("second-puts", others)
          .count("puts", saturatingSum(puts, others));
    }
    return withConfidence(shared(first, second));
  }

  private Facts shared(Path first, Path second) throws IOException {
    if (holds(first, Kind.DISTINCT)) {
      return SharedKeys.ofCounters(
          first, distinct(first), second, distinct(second), confidence.value());
    }
    return holds(first, Kind.FOREIGN)
        ? SharedKeys.ofForeign(first, foreign(first), second, foreign(second), confidence.value())
        : SharedKeys.ofFilters(
            first, keyFile.load(first), second, keyFile.load(second), confidence.value());
  }

  /** Returns the sum, or the largest number there is, at which a total stays too. */
  private static long saturatingSum(long first, long second) {
    return first > Long.MAX_VALUE - second ? Long.MAX_VALUE : first + second;
  }

  private Facts withConfidence(Facts facts) {
    return facts.exact("confidence", confidence.value().probability());
  }

  private CountMinSketch<Line> countMin(Path path) throws IOException {
    return keyFile.load(path, SketchFile::<Line>loadCountMin);
  }

  private DistinctCounter<Line> distinct(Path path) throws IOException {
    return keyFile.load(path, SketchFile::<Line>loadDistinct);
  }

  private ForeignFilter<Line> foreign(Path path) throws IOException {
    return keyFile.load(path, ForeignFile::<Line>load);
  }

  /** Checks that neither or both are of such a kind; what filters are is known when loaded. */
  private static void requireSameSort(Path first, Path second) throws IOException {
    for (Kind kind : List.of(Kind.COUNT_MIN, Kind.DISTINCT, Kind.FOREIGN)) {
      if (holds(first, kind) != holds(second, kind)) {
        throw new CommandException(
            String.format(
                Locale.ROOT,
                "%s and %s: cannot be compared: kind differs: %s and %s",
                first,
                second,
                FileHeader.read(first).kind().label(),
                FileHeader.read(second).kind().label()));
      }
    }
  }

  /** Looks at the header; a pipe can be read once only, and is taken to hold a filter. */
  private static boolean holds(Path path, Kind kind) throws IOException {
    return Files.isRegularFile(path) && FileHeader.read(path).kind() == kind;
  }
}
