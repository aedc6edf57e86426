package dev.tamis.cli.stats;

import dev.tamis.Confidence;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.KeyedHash.Counts;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.report.ConfidenceOption;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.file.FilterFile;
import dev.tamis.hash.KeyHasher;
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
    description = "Count lines and distinct lines, and list the most frequent.",
    footer = {
      "A listed line occurred at most \"count\" and at least \"at least\" times; any other",
      "line at most \"max unlisted count\" times. With probability C a count is too high",
      "by at most EPS of all lines. Memory depends on -k, --error and --confidence, not",
      "on the number of lines. Lines are cut after 4096 bytes.",
      "",
      "With --key, --csv or --json-key it is keys that are counted and listed; lines",
      "without a key are counted as without-key alone.",
      "",
      "Example:",
      "  $ printf 'b\\na\\nb\\n' | tamis stats lines",
      "  lines               3",
      "  distinct            2 (1 to 3)",
      "  ...",
      "",
      "  count  at least   share  line",
      "      2         2  66.7 %  b",
      "      1         1  33.3 %  a",
    })
final class StatsLines implements Callable<Integer> {

  /** A standard error of 0.6 % in 16 KiB. */
  private static final int PRECISION = 14;

  /** More lines are tracked than shown, which improves the counts for next to no memory. */
  private static final int KEPT_FOR_EACH_SHOWN = 4;

  private static final int MIN_KEPT = 1_000;
  private static final long MAX_SHOWN = 1_000_000;

  /** Shown of a line; one byte more is kept to see that it goes on. */
  static final int SHOWN_BYTES = 4096;

  private final Streams streams;

  @Mixin private KeyOptions keys = new KeyOptions.LongNames();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private final KeyFile keyFile;
  @Mixin private ConfidenceOption confidence = new ConfidenceOption();

  @Option(
      names = {"-k", "--top"},
      paramLabel = "K",
      description = "Number of lines to list, 1 to 1000000 (default: 10).")
  private long shown = 10;

  @Option(
      names = "--error",
      paramLabel = "EPS",
      description = "Maximum overcount as a share of all lines (default: 1e-4).")
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
    this.keyFile = new KeyFile(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    check();
    keys.check(delimiter.value());
    Inputs inputs =
        Inputs.of(files, delimiter.value(), decompression, streams)
            .withLines(keys.format(delimiter.value()));
    DistinctCounter<Line> distinct = DistinctCounter.create(hasher(), PRECISION);
    HeavyHitters<Line> leaders = HeavyHitters.over(sketch(), kept());
    long lines;
    try (Progress progress = progress(inputs);
        LineReader reader =
            inputs.lines(keys.newHash(delimiter.value(), distinct::hashOf), progress, () -> {})) {
      read(reader, new CopyOfKey(reader, keys.newKey(delimiter.value())), distinct, leaders);
      lines = reader.lines();
    }
    Counts counts = keys.counts();
    Reconciliation.check("lines", counts.keyed(lines), leaders.sketch().totalCount());
    if (distinctFile != null) {
      Path file = distinctFile;
      FileOwner.watch(file, streams.err(), () -> FilterFile.save(file, distinct));
    }
    if (countsFile != null) {
      Path file = countsFile;
      FileOwner.watch(file, streams.err(), () -> FilterFile.save(file, leaders.sketch()));
    }
    LineStatistics statistics =
        LineStatistics.of(
            distinct,
            leaders,
            (int) shown,
            confidence.value(),
            lines,
            keys.withCounts(new Report(), counts),
            keys.takeWholeLines() ? "line" : "key");
    if (json) {
      streams.print(statistics.json() + "\n");
    } else {
      statistics.write(new StandardOutput(streams.out()), delimiter.value());
    }
    return 0;
  }

  private void check() {
    if (shown > MAX_SHOWN) {
      throw new CommandException("--top must be 1 to %s, got %s", MAX_SHOWN, shown);
    }
    if (distinctFile != null
        && countsFile != null
        && distinctFile
            .toAbsolutePath()
            .normalize()
            .equals(countsFile.toAbsolutePath().normalize())) {
      throw new CommandException(
          "%s: is named by both --save-distinct and --save-counts; name two files", distinctFile);
    }
  }

  private CountMinSketch<Line> sketch() throws IOException {
    Confidence held = confidence.value();
    try {
      return CountMinSketch.<Line>builder(hasher())
          .epsilon(error)
          .delta(1 - held.probability())
          .conservative()
          .build();
    } catch (IllegalArgumentException e) { // larger than an array or the heap
      throw new CommandException("--error %s: %s", error, e.getMessage());
    }
  }

  private KeyHasher<Line> hasher() throws IOException {
    boolean isSaved = distinctFile != null || countsFile != null;
    return isSaved ? keyFile.hasher() : keyFile.privateHasher();
  }

  private int kept() {
    return Math.max(MIN_KEPT, KEPT_FOR_EACH_SHOWN * (int) shown);
  }

  private Progress progress(Inputs inputs) throws IOException {
    return json ? Progress.NONE : Progress.overBytes(inputs.sizeInBytes(), true, streams.err());
  }

  private static void read(
      LineReader reader, CopyOfKey copy, DistinctCounter<Line> distinct, HeavyHitters<Line> leaders)
      throws IOException {
    while (reader.next() > 0) {
      for (copy.index = 0; copy.index < reader.keyed(); copy.index++) {
        long hash = reader.hashes()[copy.index];
        distinct.putHash(hash);
        leaders.putHash(hash, 1, copy);
      }
    }
  }

  /** Copies the current key if it is needed; one object for all lines. */
  private static final class CopyOfKey implements Supplier<Line> {
    private final LineReader reader;
    private final LineKey key;
    private int index;

    CopyOfKey(LineReader reader, LineKey key) {
      this.reader = reader;
      this.key = key;
    }

    @Override
    public Line get() {
      return key.of(reader.line(reader.keyedLine(index))).copy(SHOWN_BYTES + 1);
    }
  }
}
