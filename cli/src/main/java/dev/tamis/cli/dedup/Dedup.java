package dev.tamis.cli.dedup;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.ErrorLines;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.console.Output;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.WaitOption;
import dev.tamis.cli.lines.KeyedHash.Counts;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineEstimate;
import dev.tamis.cli.lines.LineHash;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.lines.ParallelLines;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.Descriptions;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.place.OverfullOption;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.WriteLock;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ParallelPuts;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
      "With --json-key strings are compared unescaped; 1 and 1.0 are equal, 1 and \"1\"",
      "are not. A line without the member, or with null, an array or an object, is",
      "printed and counted as without-key. Several members are one key.",
      "",
      "Example:",
      "  $ printf 'b\\na\\nb\\n' | tamis dedup",
      "  b",
      "  a",
      "  lines=3 unique=2 duplicates=1 ...",
      "  $ printf '1,ann\\n2,bob\\n3,ann\\n' | tamis dedup -q -t, -k2",
      "  1,ann",
      "  2,bob",
      "  $ printf '{\"u\":1}\\n{\"u\":1.0}\\n' | tamis dedup -q --json-key u",
      "  {\"u\":1}",
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
  @Mixin private KeyOptions keys = new KeyOptions.Usual();
  @Mixin private ExactOptions exact = new ExactOptions();
  @Mixin private ThreadOptions threads = new ThreadOptions();
  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisConnectionOptions password;
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
      description =
          "Load the filter from FILE before reading and save it back afterwards; or"
              + " redis://HOST:PORT/NAME, shared by concurrent runs: see below.")
  private @Nullable FilterPlace state;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  public Dedup(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisConnectionOptions(streams.err());
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
  private Report summary(Inputs inputs) throws IOException {
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

  private Report shared(Inputs inputs, RedisName server, RedisFilters filters) throws IOException {
    if (outputPath != null) {
      throw new CommandException(
          "-o replaces its file on success only, but %s records lines immediately: if the run fails"
              + " they would be lost; leave -o out and write > %s",
          server, outputPath);
    }
    HashedMutableFilter<Line> filter = filters.openOrCreate(sizing, keyFile, rule());
    filters.warnOfSilentLoss(filter, "dedup", streams.err());
    CapacityWatch capacity = new CapacityWatch("dedup", filter, streams.err());
    LineHash hashing = keys.newHash(delimiter.value(), filter::hashOf);
    LineWriter writer = new LineWriter(new StandardOutput(streams.out()), delimiter.value());
    long lines;
    long unique;
    try (Progress progress = report.progress(inputs.sizeInBytes(), false, streams.err());
        LineReader reader = inputs.lines(hashing, progress, writer, RedisFilters.BATCH)) {
      unique = put(reader, filter, writer, capacity, server);
      lines = reader.lines();
    }
    reconcile(lines, unique, writer.lines());
    boolean unused = overfull.accepts(capacity, LOST);
    return filled(filter, lines, unique);
  }

  /**
   * Sends batches of lines to the server and prints the new ones, or the repeats, of each before
   * the next: all clients together print a line at most once, and an interrupted run loses one
   * batch at most. Returns the number of new lines.
   */
  private long put(
      LineReader reader,
      HashedMutableFilter<Line> filter,
      LineWriter writer,
      CapacityWatch capacity,
      RedisName server)
      throws IOException {
    boolean[] isNew = new boolean[RedisFilters.BATCH];
    long unique = 0;
    for (int count = reader.next(); count > 0; count = reader.next()) {
      int keyed = reader.keyed();
      int known = count;
      RuntimeException failure = null;
      try {
        if (keyed > 0) {
          filter.putHashes(reader.hashes(), keyed, isNew);
        }
      } catch (RuntimeException e) {
        failure = e;
        known = reader.keyedLine(RedisFilters.firstUncertain(e).orElse(0));
      }
      for (int i = 0; failure == null && i < keyed; i++) {
        unique += isNew[i] ? 1 : 0;
      }
      reader.spread(isNew, true, duplicates);
      writer.write(reader, isNew, known, !duplicates);
      writer.flush();
      if (failure != null) {
        throw new CommandException(
            "%s: %s; lines %d to %d of the input may be in the filter and were not printed; all"
                + " lines before them were",
            server, failure.getMessage(), reader.lines() - count + known + 1, reader.lines());
      }
      capacity.accepted(unique);
    }
    return unique;
  }

  private Report once(Inputs inputs, @Nullable StateFile file) throws IOException {
    HashedMutableFilter<Line> filter = filter(inputs, file);
    CapacityWatch capacity = new CapacityWatch("dedup", filter, streams.err());
    SpaceEstimate space = new SpaceEstimate(filter.bitSize() / Byte.SIZE, 0, exact.directory());
    Report summary;
    space.announce(report, streams.err());
    boolean isAccepted;
    try (Output output = Output.compressed(outputPath, streams);
        Progress progress =
            report.progress(inputs.sizeInBytes(), outputPath != null, streams.err())) {
      Supplier<LineHash> hashing = () -> keys.newHash(delimiter.value(), filter::hashOf);
      long accepted = filter.acceptedKeys();
      try (ParallelLines lines =
          inputs.inParallel(
              hashing, threads.puts(filter), threads.count(), !duplicates, progress)) {
        lines.writeTo(output.stream(), capacity::accepted);
        long unique = lines.newLines();
        Reconciliation.check("new lines", unique, filter.acceptedKeys() - accepted);
        reconcile(lines.lines(), unique, lines.writtenLines());
        summary = filled(filter, lines.lines(), unique);
      }
      isAccepted = overfull.accepts(capacity, outputPath == null ? LOST : NOT_WRITTEN);
      if (isAccepted) {
        output.commit();
      }
    }
    if (file != null && isAccepted) {
      file.save(filter, streams.err());
    }
    return space.addTo(summary);
  }

  private KeyRule rule() {
    return keys.storedRule(delimiter.value());
  }

  private void reconcile(long lines, long unique, long written) {
    Counts counts = keys.counts();
    Reconciliation.check(
        "lines written",
        written,
        duplicates ? counts.keyed(lines) - unique : unique + counts.kept());
  }

  private Report filled(HashedMutableFilter<Line> filter, long lines, long unique) {
    Counts counts = keys.counts();
    Report summary =
        Descriptions.filled(filter, lines, unique, counts.keyed(lines) - unique, new Report());
    return keys.withCounts(summary, counts);
  }

  private Report exactly(Inputs inputs) throws IOException {
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
            exact.bufferBytes(),
            exact.directory(),
            keys.part().share(estimate.lines()),
            estimate.bytes());
    BloomFilter<Line> filter = sizing.fixedWithinHeap(keyFile.privateHasher(), limits.lines());
    long temporaryBytes = ExactDedup.temporaryBytes(limits);
    long filterBytes = filter.bitSize() / Byte.SIZE;
    SpaceEstimate space = new SpaceEstimate(filterBytes, temporaryBytes, exact.directory());
    space.announce(report, streams.err());
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
                keys,
                delimiter.value(),
                limits,
                exact.isCounting())) {
      run.note(filter);
      run.write(new LineWriter(output.stream(), delimiter.value()), duplicates);
      output.commit();
      return space.addTo(keys.withCounts(run.summary(), run.counts()));
    } catch (OutOfMemoryError e) {
      throw new CommandException(
          "out of memory: the filter takes %s, repeated lines %s; make one smaller with -m or -S,"
              + " or give the JVM more with %s",
          SpaceEstimate.size(filterBytes),
          SpaceEstimate.size(exact.bufferBytes()),
          ErrorLines.HEAP_OPTION);
    }
  }

  private HashedMutableFilter<Line> filter(Inputs inputs, @Nullable StateFile file)
      throws IOException {
    if (file != null) {
      var loaded = file.load(sizing, keyFile, rule());
      if (loaded.isPresent()) {
        return loaded.get();
      }
    }
    OptionalLong guess =
        sizing.expectedKeys() != null ? OptionalLong.empty() : keys.estimatedKeys(inputs);
    KeyHasher<Line> hasher =
        state != null ? rule().hasher(keyFile.hasher()) : keyFile.privateHasher();
    if (sizing.fixSize()) {
      return sizing.fixed(hasher, null, guess);
    }
    boolean small = state != null && guess.isPresent() && guess.getAsLong() < FIRST_STATE_KEYS;
    return sizing.growing(hasher, small ? OptionalLong.of(FIRST_STATE_KEYS) : guess);
  }

  /** The memory and temporary bytes that a run may take. */
  private record SpaceEstimate(long filterBytes, long temporaryBytes, Path directory) {

    /** Less need not be announced. */
    private static final long ANNOUNCED_BYTES = 64 << 20;

    void announce(SummaryOptions report, Messages err) throws IOException {
      if (filterBytes < ANNOUNCED_BYTES && temporaryBytes < ANNOUNCED_BYTES) {
        return;
      }
      String line = "tamis dedup: filter " + size(filterBytes);
      if (temporaryBytes > 0) {
        long free = Files.getFileStore(directory).getUsableSpace();
        line +=
            ", at most "
                + size(temporaryBytes)
                + " in "
                + directory
                + (free < temporaryBytes ? ", where " + size(free) + " are free" : "");
      }
      report.remark(line, err);
    }

    static String size(long bytes) {
      return NumberFormats.bytes((double) bytes, 1, " ");
    }

    Report addTo(Report summary) {
      return summary
          .planned("planned_filter", filterBytes)
          .planned("planned_temporary", temporaryBytes);
    }
  }

  static final class ThreadOptions {

    /** The reading thread is busy long before; each thread has a few megabytes of lines. */
    static final int MAX_THREADS = 64;

    private static final int DEFAULT_MAX_THREADS = 16;

    @Option(
        names = "--parallel",
        paramLabel = "N",
        description =
            "Threads that hash lines and query the filter (default: the number of cores, 16 at"
                + " most). The output does not depend on it.")
    private @Nullable Long count;

    void check() {
      if (count != null && (count < 1 || count > MAX_THREADS)) {
        throw new CommandException("--parallel: must be from 1 to %s, got %s", MAX_THREADS, count);
      }
    }

    int count() {
      return count != null
          ? count.intValue()
          : Math.min(DEFAULT_MAX_THREADS, Runtime.getRuntime().availableProcessors());
    }

    ParallelPuts puts(HashedMutableFilter<?> filter) {
      return ParallelPuts.into(filter, count());
    }
  }
}
