package dev.tamis.cli.filter;

import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.WaitOption;
import dev.tamis.cli.lines.KeyedHash;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.place.OverfullOption;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.AtomicFile;
import dev.tamis.file.WriteLock;
import dev.tamis.filter.BloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis build}: a filter of the lines. */
@Command(
    name = "build",
    description = "Build a filter of the lines, for tamis check and for programs.",
    footer = {
      "Without -n, regular files are read twice: once to count their lines.",
      "",
      "Types:",
      "  blocked      the fastest; the bits of a key are in one or two cache lines",
      "  classic      fewer bits, slower",
      "  partitioned  like classic, with one slice of the bits per hash",
      "  counting     a program can remove lines, as often as they were put",
      "  cuckoo       the same in less memory, for lines that repeat rarely",
      "  scalable     grows beyond -n as needed",
      "  windowed     remembers the last -n lines",
      "  fuse         a fifth smaller, needs no -n; immutable once built",
      "  ribbon       the smallest, needs no -n; immutable once built",
      "  static       classic or fuse, whichever is smaller for these lines",
      "  guava        the filter of Guava's BloomFilter, for tamis convert",
      "  spark        the filter of Spark 4.1 and later",
      "  spark-v1     the filter that every release of Spark reads",
      "  parquet      the filter of a column of a Parquet file",
      "  dcso         the filter of DCSO's bloom",
      "",
      "With a secret key nobody else can find or craft false positives. To create one:",
      "  $ tamis key new -q secret.key",
      "",
      "With --json-key the keys are values of a member; tamis check needs the same. With",
      "--part, -n is the number of keys in that part.",
      "",
      "Example:",
      "  $ printf 'apple\\npear\\n' > words.txt",
      "  $ tamis build -q -o words.tamis -p 0.001 words.txt",
      "  $ printf 'pear\\nplum\\n' | tamis check -v words.tamis",
      "  plum",
      "  $ echo '{\"k\":\"a\"}' | tamis build -q -n 1 --json-key k -o k.tamis",
    })
public final class Build implements Callable<Integer> {

  private static final String NOT_WRITTEN = "it was not written";

  private final Streams streams;

  @Mixin private FilterOptions sizing = new FilterOptions();
  @Mixin private KeyOptions keys = new KeyOptions.LongNames();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisConnectionOptions password;
  @Mixin private WaitOption wait = new WaitOption();
  @Mixin private OverfullOption overfull = new OverfullOption();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILTER",
      required = true,
      description = "The file to write, or redis://HOST:PORT/NAME; replaced atomically on success.")
  private FilterPlace output;

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      converter = FilterType.TypeChoice.class,
      completionCandidates = FilterType.TypeChoice.class,
      description = "One of ${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
  private FilterType type = FilterType.BLOCKED;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  public Build(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisConnectionOptions(streams.err());
  }

  @SuppressWarnings("try") // the lock is held, not used
  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    sizing.check();
    keys.check(delimiter.value());
    Inputs inputs =
        Inputs.of(files, delimiter.value(), decompression, streams)
            .withLines(keys.format(delimiter.value()));
    Built built;
    if (output instanceof RedisName server) {
      built = RedisFilters.with(server, password, filters -> upload(inputs, server, filters));
    } else {
      Path path = Path.of(output.toString());
      try (WriteLock lock = wait.lock(path);
          AtomicFile file = AtomicFile.create(path)) {
        built = make(inputs);
        if (overfull.accepts(built.made().capacity(), NOT_WRITTEN)) {
          built.made().filter().stored().writeTo(file.out());
          FileOwner.watch(path, streams.err(), file::commit);
        }
      }
    }
    report.print(overfull.mark(built.summary()).secondsSince(start), streams.err());
    return overfull.status();
  }

  private Built upload(Inputs inputs, RedisName server, RedisFilters filters) throws IOException {
    if (!type.canBeOnServer()) {
      throw new CommandException(
          "%s: type: must be blocked, classic or partitioned on a server, got %s; name a file",
          server, type);
    }
    filters.requireReachable();
    Built built = make(inputs);
    BloomFilter<Line> filter = RedisFilters.requireForServer(server, built.made().filter());
    if (overfull.accepts(built.made().capacity(), NOT_WRITTEN)) {
      filters.upload(filter, keyFile, rule());
    }
    return built;
  }

  private KeyRule rule() {
    return keys.storedRule(delimiter.value());
  }

  private Built make(Inputs inputs) throws IOException {
    FilterMaker maker =
        type.start(
            new FilterMaker.Request(
                type,
                sizing,
                rule().hasher(keyFile.hasher()),
                inputs,
                keys,
                delimiter.value(),
                streams.err()));
    KeyedHash hashing = keys.newHash(delimiter.value(), Line.hashing(keyFile.function()));
    long lines;
    try (Progress progress = report.progress(inputs.sizeInBytes(), true, streams.err());
        LineReader reader = inputs.lines(hashing, progress, () -> {})) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        maker.take(reader);
      }
      lines = reader.lines();
    }
    FilterMaker.BuildResult made = maker.finish();
    Reconciliation.check("lines", hashing.counts().keyed(lines), made.lines());
    return new Built(made, keys.withCounts(made.summary(lines), hashing.counts()));
  }

  /** A filter with its summary. */
  private record Built(FilterMaker.BuildResult made, Report summary) {}
}
