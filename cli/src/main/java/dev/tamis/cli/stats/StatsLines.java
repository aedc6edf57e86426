package dev.tamis.cli.stats;

import dev.tamis.Confidence;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.report.ConfidenceOption;
import dev.tamis.cli.report.Quantities;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.file.SketchFile;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import dev.tamis.sketch.HeavyHitters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis stats lines}: how many lines, how many distinct ones, and which come most often. */
@Command(
    name = "lines",
    description = "Count the lines and the distinct ones, and list those that come most often.",
    footer = {
      "",
      "A line of the list came no more often than its count and no less often than its",
      "\"at least\"; a line that is not listed came no more often than \"others at most\".",
      "With probability C a count is too high by no more than EPS of all lines.",
      "Memory depends on -k, --error and --confidence, not on the number of lines. Of",
      "each listed line the first 4096 bytes are shown.",
      "",
      "Example:",
      "  $ printf 'b\\na\\nb\\n' | tamis stats lines",
      "  lines           3",
      "  distinct        2 (1 to 3)",
      "  ...",
      "",
      "  count  at least   share  line",
      "      2         2  66.7 %%  b",
      "      1         1  33.3 %%  a",
    })
final class StatsLines implements Callable<Integer> {

  /** A standard error of 0.6 % in 16 KiB. */
  private static final int PRECISION = 14;

  /** More lines are kept than shown, which makes the counts better for next to no memory. */
  private static final int KEPT_FOR_EACH_SHOWN = 4;

  private static final int MIN_KEPT = 1_000;
  private static final long MAX_SHOWN = 1_000_000;

  /** Of each line that is kept; one byte more says that the line goes on. */
  static final int SHOWN_BYTES = 4096;

  private final Streams streams;

  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private KeyFile keyFile = new KeyFile();
  @Mixin private ConfidenceOption confidence = new ConfidenceOption();

  @Option(
      names = {"-k", "--top"},
      paramLabel = "K",
      converter = Quantities.CountConverter.class,
      description = "How many lines to list, 1 to 1000000; 10.")
  private long shown = 10;

  @Option(
      names = "--error",
      paramLabel = "EPS",
      converter = Quantities.ProbabilityConverter.class,
      description = "How much too high a count may be, as a share of all lines; 1e-4.")
  private double error = 1e-4;

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Option(
      names = "--save-distinct",
      paramLabel = "FILE",
      description = "Save the counter of distinct lines, for tamis count.")
  private @Nullable Path distinctFile;

  @Option(
      names = "--save-counts",
      paramLabel = "FILE",
      description = "Save the count-min sketch of all lines.")
  private @Nullable Path countsFile;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  StatsLines(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    check();
    Inputs inputs = Inputs.of(files, delimiter.value(), streams);
    DistinctCounter<Line> distinct = DistinctCounter.create(keyFile.hasher(), PRECISION);
    HeavyHitters<Line> leaders = HeavyHitters.over(sketch(), kept());
    try (Progress progress = progress(inputs);
        LineReader reader = inputs.lines(distinct::hashOf, progress, () -> {})) {
      read(reader, distinct, leaders);
      Reconciliation.check("lines", reader.lines(), leaders.sketch().totalCount());
    }
    if (distinctFile != null) {
      SketchFile.save(distinctFile, distinct);
    }
    if (countsFile != null) {
      SketchFile.save(countsFile, leaders.sketch());
    }
    LineStatistics statistics =
        LineStatistics.of(distinct, leaders, (int) shown, confidence.value());
    if (json) {
      streams.print(statistics.json() + "\n");
    } else {
      statistics.write(new StandardOutput(streams.out()), delimiter.value());
    }
    return 0;
  }

  private void check() {
    if (shown > MAX_SHOWN) {
      throw new CommandException("--top must be 1 to " + MAX_SHOWN + ", got " + shown);
    }
    if (distinctFile != null
        && countsFile != null
        && distinctFile
            .toAbsolutePath()
            .normalize()
            .equals(countsFile.toAbsolutePath().normalize())) {
      throw new CommandException(
          distinctFile + ": is named by --save-distinct and by --save-counts; name two files");
    }
  }

  private CountMinSketch<Line> sketch() throws IOException {
    Confidence held = confidence.value();
    try {
      return CountMinSketch.<Line>builder(keyFile.hasher())
          .epsilon(error)
          .delta(1 - held.probability())
          .conservative()
          .build();
    } catch (IllegalArgumentException e) { // larger than an array or the heap
      throw new CommandException("--error " + error + ": " + e.getMessage());
    }
  }

  private int kept() {
    return Math.max(MIN_KEPT, KEPT_FOR_EACH_SHOWN * (int) shown);
  }

  private Progress progress(Inputs inputs) throws IOException {
    return json ? Progress.NONE : Progress.overBytes(inputs.sizeInBytes(), true, streams.err());
  }

  private static void read(
      LineReader reader, DistinctCounter<Line> distinct, HeavyHitters<Line> leaders)
      throws IOException {
    CopyOfLine copy = new CopyOfLine(reader);
    for (int count = reader.next(); count > 0; count = reader.next()) {
      for (copy.index = 0; copy.index < count; copy.index++) {
        long hash = reader.hashes()[copy.index];
        distinct.putHash(hash);
        leaders.putHash(hash, 1, copy);
      }
    }
  }

  /** Copies the line that is looked at, if it is asked for; one object for all lines. */
  private static final class CopyOfLine implements Supplier<Line> {
    private final LineReader reader;
    private int index;

    CopyOfLine(LineReader reader) {
      this.reader = reader;
    }

    @Override
    public Line get() {
      return reader.line(index).copy(SHOWN_BYTES + 1);
    }
  }
}
