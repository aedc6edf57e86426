package dev.tamis.cli.dedup;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.ErrorLines;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Output;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.WaitOption;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineEstimate;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.lines.ParallelLines;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.OverfullOption;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.place.RedisPassword;
import dev.tamis.cli.report.Facts;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.WriteLock;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.dedup.DedupSummary;
import dev.tamis.tools.dedup.Deduplicator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis dedup}: each distinct line once, in order of first appearance. */
@Command(
    name = "dedup",
    description = "Print each distinct line once, in order of first appearance.",
    footer = {
      "A false positive drops a distinct line: one in 1/P at full capacity, fewer",
      "before. The summary on standard error has the expected number of such wrong",
      "drops. With -x there are none: repeated lines are compared byte by byte, up to",
      "-S in memory, beyond in a temporary file.",
      "",
      "With -s redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N] the filter is on a",
      "Redis or Valkey server: any number of runs, concurrent or later, together",
      "print each line at most once. It is created if missing, for -n lines, and does",
      "not grow.",
      "",
      "Example:",
      "  $ printf 'b\\na\\nb\\n' | tamis dedup",
      "  b",
      "  a",
      "  lines=3 unique=2 duplicates=1 ...",
      "  $ printf '1,ann\\n2,bob\\n3,ann\\n' | tamis dedup -q -t, -k2",
      "  1,ann",
      "  2,bob",
    })
public final class Dedup implements Callable<Integer> {

  /** Capacity beyond the first run: a state that grows by many small steps is slow. */
  private static final long FIRST_STATE_KEYS = 100_000;

  private static final String LOST = "most new lines were dropped as repeats";
  private static final String NOT_WRITTEN = LOST + ", so no file was written";

  private final Streams streams;

  @Mixin private FilterOptions sizing = new FilterOptions();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private FileNames names = new FileNames();
  @Mixin private KeyOptions keys = new KeyOptions();
  @Mixin private ExactOptions exact = new ExactOptions();
  @Mixin private ThreadOptions threads = new ThreadOptions();
  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisPassword password;
  @Mixin private WaitOption wait = new WaitOption();
  @Mixin private OverfullOption overfull = new OverfullOption();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-d", "--duplicates"},
      description = "Print the repeats instead: every occurrence after the first.")
  private boolean duplicates;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = {
        "Write to FILE; replaced atomically on success. It may be an input. Compressed if its name"
            + " ends in .gz, .zst, .bz2 or .xz.",
      })
  private @Nullable Path outputPath;

  @Option(
      names = {"-s", "--state"},
      paramLabel = "FILE",
      converter = FilterPlace.Converter.class,
      description =
          "Load the filter from FILE before reading and save it back afterwards; or"
              + " redis://HOST:PORT/NAME, shared by concurrent runs: see below.")
  private @Nullable FilterPlace state;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  public Dedup(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisPassword(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    sizing.check();
    keys.check(delimiter.value());
    exact.check(duplicates);
    threads.check();
    Inputs inputs =
        Inputs.of(names.of(files, streams), delimiter.value(), decompression, streams)
            .withLines(keys.format(delimiter.value()));
    report.print(overfull.mark(summary(inputs)).secondsSince(start), streams.err());
    return overfull.status();
  }

  @SuppressWarnings("try") // the lock is held, not used
  private Facts summary(Inputs inputs) throws IOException {
    if (exact.isExact()) {
      return exactly(inputs);
    }
    if (state instanceof RedisName server) {
      return RedisFilters.with(server, password, filters -> shared(inputs, server, filters));
    }
    if (!(state instanceof FilterPlace.InFile in)) {
      return once(inputs, null);
    }
    StateFile file = new StateFile(in.path());
    file.requireDistinct(outputPath, inputs.paths());
    file.requireSavable();
    try (WriteLock lock =
        wait.lock(in.path())) { // or what another run adds meanwhile would be lost
      return once(inputs, file);
    }
  }

  private Facts shared(Inputs inputs, RedisName server, RedisFilters filters) throws IOException {
    if (outputPath != null) {
      throw new CommandException(
          "-o replaces its file on success only, but "
              + server
              + " records lines immediately: if the run fails they would be lost; leave -o out and"
              + " write > "
              + outputPath);
    }
    HashedMutableFilter<Line> filter = filters.openOrCreate(sizing, keyFile);
    filters.warnOfSilentLoss(filter, "dedup", streams.err());
    Deduplicator<Line> dedup = Deduplicator.over(filter);
    LineKey key = keys.newKey();
    CapacityWatch capacity = new CapacityWatch("dedup", dedup.filter(), streams.err());
    try (Progress progress = report.progress(inputs.sizeInBytes(), false, streams.err())) {
      LineWriter writer = new LineWriter(new StandardOutput(streams.out()), delimiter.value());
      ToLongFunction<Line> hashing = line -> dedup.hashOf(key.of(line));
      try (LineReader reader = inputs.lines(hashing, progress, writer, RedisFilters.BATCH)) {
        new RedisDedup(server, dedup, capacity).run(reader, writer, duplicates);
        Reconciliation.check("lines", reader.lines(), dedup.seen());
      }
      checkWritten(writer, dedup);
    }
    boolean unused = overfull.accepts(capacity, LOST);
    return withKeys(facts(dedup.summary()), key.incomplete());
  }

  private void checkWritten(LineWriter writer, Deduplicator<Line> dedup) {
    long unique = dedup.unique();
    Reconciliation.check(
        "lines written", writer.lines(), duplicates ? dedup.seen() - unique : unique);
  }

  private Facts once(Inputs inputs, @Nullable StateFile file) throws IOException {
    HashedMutableFilter<Line> filter = filter(inputs, file);
    List<LineKey> used = new ArrayList<>();
    CapacityWatch capacity = new CapacityWatch("dedup", filter, streams.err());
    Needs needs = new Needs(filter.bitSize() / Byte.SIZE, 0, exact.directory());
    DedupSummary summary;
    needs.announce(report, streams.err());
    boolean isAccepted;
    try (Output output = Output.compressed(outputPath, streams);
        Progress progress =
            report.progress(inputs.sizeInBytes(), outputPath != null, streams.err())) {
      Supplier<ToLongFunction<Line>> hashing =
          () -> {
            LineKey key = keys.newKey();
            used.add(key);
            return line -> filter.hashOf(key.of(line));
          };
      long accepted = filter.acceptedKeys();
      try (ParallelLines lines =
          inputs.inParallel(
              hashing, threads.puts(filter), threads.count(), !duplicates, progress)) {
        lines.writeTo(output.stream(), capacity::accepted);
        long unique = lines.newLines();
        Reconciliation.check("new lines", unique, filter.acceptedKeys() - accepted);
        Reconciliation.check(
            "lines written", lines.writtenLines(), duplicates ? lines.lines() - unique : unique);
        summary = DedupSummary.of(filter, lines.lines(), unique);
      }
      isAccepted = overfull.accepts(capacity, outputPath == null ? LOST : NOT_WRITTEN);
      if (isAccepted) {
        output.commit();
      }
    }
    if (file != null && isAccepted) {
      file.save(filter, streams.err());
    }
    long incomplete = used.stream().mapToLong(LineKey::incomplete).sum();
    return needs.addTo(withKeys(facts(summary), incomplete));
  }

  /** Adds how many lines had none of the fields they were compared by. */
  private Facts withKeys(Facts facts, long incomplete) {
    return keys.hasFields() ? facts.count("without-key", incomplete) : facts;
  }

  private static Facts facts(DedupSummary summary) {
    return new Facts()
        .count("lines", summary.seen())
        .count("unique", summary.unique())
        .count("duplicates", summary.duplicates())
        .number("fpp", summary.fpp())
        .known("expected-wrong-drops", summary.expectedWrongDrops())
        .memory(summary.memoryBytes());
  }

  private Facts exactly(Inputs inputs) throws IOException {
    if (state != null) {
      throw new CommandException(
          "--exact cannot be combined with --state, which does not contain the lines; leave one"
              + " out");
    }
    if (!inputs.areRegularFiles()) {
      throw new CommandException(
          "--exact reads its input twice and needs regular files; save the lines in a file");
    }
    LineEstimate estimate = inputs.estimate();
    ExactDedup.Limits limits =
        new ExactDedup.Limits(
            exact.bufferBytes(), exact.directory(), estimate.lines(), estimate.bytes());
    BloomFilter<Line> filter = sizing.fixedWithinHeap(keyFile.privateHasher(), estimate.lines());
    long temporaryBytes = ExactDedup.temporaryBytes(limits);
    long filterBytes = filter.bitSize() / Byte.SIZE;
    Needs needs = new Needs(filterBytes, temporaryBytes, exact.directory());
    needs.announce(report, streams.err());
    int passes = exact.isCounting() || temporaryBytes > 0 ? 3 : 2;
    long bytes = passes * inputs.sizeInBytes().orElseThrow(); // they are regular files
    try (Output output = Output.compressed(outputPath, streams);
        Progress progress =
            report.progress(OptionalLong.of(bytes), outputPath != null, streams.err());
        ExactDedup run =
            new ExactDedup(
                inputs,
                progress,
                keyFile.privateFunction(),
                keys::newKey,
                limits,
                exact.isCounting())) {
      run.note(filter);
      run.write(new LineWriter(output.stream(), delimiter.value()), duplicates);
      output.commit();
      return needs.addTo(withKeys(run.summary(), run.incomplete()));
    } catch (OutOfMemoryError e) {
      throw new CommandException(
          "out of memory: the filter takes "
              + Needs.size(filterBytes)
              + ", repeated lines "
              + Needs.size(exact.bufferBytes())
              + "; make one smaller with -m or -S, or give the JVM more with "
              + ErrorLines.HEAP_OPTION);
    }
  }

  private HashedMutableFilter<Line> filter(Inputs inputs, @Nullable StateFile file)
      throws IOException {
    if (file != null) {
      var loaded = file.load(sizing, keyFile);
      if (loaded.isPresent()) {
        return loaded.get();
      }
    }
    OptionalLong guess =
        sizing.expectedKeys() != null ? OptionalLong.empty() : inputs.estimatedLines();
    KeyHasher<Line> hasher = state != null ? keyFile.hasher() : keyFile.privateHasher();
    if (sizing.fixSize()) {
      return sizing.fixed(hasher, null, guess);
    }
    boolean small = state != null && guess.isPresent() && guess.getAsLong() < FIRST_STATE_KEYS;
    return sizing.growing(hasher, small ? OptionalLong.of(FIRST_STATE_KEYS) : guess);
  }
}
