package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.FieldList;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineHash;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.crawler.queue.PushResult;
import dev.tamis.crawler.queue.PushResult.Status;
import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.StoredParameterException;
import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis queue DIR push}: puts lines in the queue. */
@Command(
    name = "push",
    customSynopsis = "tamis queue DIR push [OPTION]... [FILE...]",
    description =
        "Add each line to the queue, unless it was added before; create the queue if needed.",
    footer = {
      "The options are fixed when the queue is created; leave them out later. Without",
      "-n it grows as needed. Rejected lines are reported with the reason.",
      "",
      "Keys, by which URLs are compared:",
      "  none    the line as it is",
      "  defrag  without the fragment",
      "  strict  in normal form, absolute URLs only (default)",
      "",
      "With -k, --csv or --json-key the URL is a part of the line. With --part only the",
      "URLs of that part are pushed, by a hash of their normal form.",
      "",
      "Example:",
      "  $ printf 'http://a/\\nhttp://A:80/#top\\n' | tamis queue todo push",
      "  pushed=2 accepted=1 duplicates=1 rejected=0 full=0 ...",
      "  $ printf '{\"url\":\"http://b/\"}\\n' | tamis queue todo push -q --json-key url",
    })
final class QueuePush implements Callable<Integer> {

  /** Rejected lines reported one by one; the summary has the number of all. */
  private static final int MAX_NAMED = 20;

  private final QueueCommand queue;
  private final Streams streams;

  @Mixin private final SeenOption seen;
  @Mixin private QueueOptions options = new QueueOptions();
  @Mixin private KeyOptions keys = new UrlOptions();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = "--allow-overfull",
      description = "Succeed although new lines were refused, or dropped by a full filter.")
  private boolean allowOverfull;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  private long rejected;

  /** Rejected here, because a queue takes text only. */
  private long undecodable;

  QueuePush(QueueCommand queue, Streams streams) {
    this.queue = queue;
    this.streams = streams;
    this.seen = new SeenOption(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    keys.check(delimiter.value());
    Inputs all =
        Inputs.of(files, delimiter.value(), decompression, streams); // refuses what cannot be read
    return seen.openOrCreate(
        "queue push",
        options,
        FilterOptions.DEFAULT_FPP,
        shared -> {
          try (VisitQueue opened = open(shared)) {
            return push(all, opened, start);
          }
        });
  }

  private int push(Inputs all, VisitQueue opened, long start) throws IOException {
    QueueStats before = opened.stats();
    long lines = 0;
    for (Path path : all.paths()) {
      lines += push(path, opened);
    }
    QueueStats after = opened.stats();
    Reconciliation.check(
        "lines", keys.counts().keyed(lines), after.pushed() - before.pushed() + undecodable);
    if (rejected > MAX_NAMED) {
      streams.err().line("tamis queue push: %s lines were rejected in total", rejected);
    }
    if (after.full() > before.full()) {
      streams.message(
          "tamis queue push: the queue is full: %s new lines were not added",
          after.full() - before.full());
    }
    report.print(summary(before, after).secondsSince(start), streams.err());
    return status(before, after);
  }

  private VisitQueue open(@Nullable HashedMutableFilter<CharSequence> shared) throws IOException {
    VisitQueueBuilder builder = builder();
    if (shared != null) {
      builder.sharedFilter(shared);
    }
    try {
      return builder.open(queue.directory());
    } catch (StoredParameterException e) {
      throw QueueOptions.differs(queue.directory(), e);
    }
  }

  private int status(QueueStats before, QueueStats after) {
    if (allowOverfull) {
      return 0;
    }
    if (after.overfull()) {
      streams.message(
          "tamis queue push: the queue is overfull: its fpp is %s, more than 10 times the"
              + " requested one, so new lines are dropped as duplicates; create one with a"
              + " larger -n, or repeat with --allow-overfull",
          NumberFormats.number(after.expectedFpp()));
    }
    return after.overfull() || after.full() > before.full() ? ExitStatus.ERROR : 0;
  }

  private Report summary(QueueStats before, QueueStats after) {
    Report summary =
        new Report()
            .count("pushed", after.pushed() - before.pushed() + undecodable)
            .count("accepted", after.accepted() - before.accepted())
            .count("duplicates", after.duplicates() - before.duplicates())
            .count("rejected", after.rejected() - before.rejected() + undecodable)
            .count("full", after.full() - before.full())
            .count("pending", after.pending())
            .number("fpp", after.expectedFpp())
            .known("expected-wrong-drops", after.expectedWrongDrops());
    keys.withCounts(summary, keys.counts());
    return after.overfull() ? summary.flag("overfull") : summary;
  }

  private VisitQueueBuilder builder() {
    VisitQueueBuilder builder =
        queue.builder(streams).defaults(FilterOptions.STARTING_KEYS, FilterOptions.DEFAULT_FPP);
    options.apply(builder, "queue push", streams);
    if (options.key() != null) {
      builder.key(options.key());
    }
    return builder;
  }

  private long push(Path path, VisitQueue opened) throws IOException {
    Inputs input =
        Inputs.of(List.of(path), delimiter.value(), decompression, streams)
            .withLines(keys.format(delimiter.value()));
    LineHash noHash = keys.newHash(delimiter.value(), line -> 0);
    LineKey key = keys.newKey(delimiter.value());
    long number = 0;
    try (Progress progress = report.progress(input.sizeInBytes(), true, streams.err());
        LineReader reader = input.lines(noHash, progress, () -> {}, RedisFilters.BATCH)) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        push(reader, key, path, number, opened);
        number += count;
      }
    }
    return number;
  }

  /** Pushes the URLs of the reader's lines, after {@code before} others of the file. */
  private void push(LineReader reader, LineKey key, Path path, long before, VisitQueue opened) {
    List<Optional<String>> urls = new ArrayList<>();
    for (int i = 0; i < reader.keyed(); i++) {
      urls.add(decode(key.of(reader.line(reader.keyedLine(i)))));
    }
    Iterator<PushResult> results =
        opened.pushAll(urls.stream().flatMap(Optional::stream).toList()).iterator();
    for (int i = 0; i < reader.keyed(); i++) {
      String place = path + ":" + (before + reader.keyedLine(i) + 1);
      if (urls.get(i).isEmpty()) {
        undecodable++;
        reject(place, "not UTF-8");
        continue;
      }
      PushResult result = results.next();
      if (result.status() == Status.REJECTED) {
        reject(place, result.rejection().orElseThrow().detail());
      }
    }
  }

  private static Optional<String> decode(Line line) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(line.bytes()).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private void reject(String place, String why) {
    rejected++;
    if (rejected <= MAX_NAMED) {
      streams.err().line("tamis queue push: %s: %s", place, why);
    }
  }

  /** The options where keys are URLs: {@code --key} is something else, and case matters. */
  private static final class UrlOptions extends KeyOptions {

    @Option(
        names = {"-k", "--field"},
        paramLabel = "FIELDS",
        converter = FieldList.Converter.class,
        description = "The URL is this field, such as 2, as cut -f selects it.")
    private @Nullable FieldList fields;

    @Option(
        names = {"-t", "--field-separator"},
        paramLabel = "SEP",
        description = SEPARATOR)
    private @Nullable String separator;

    @Override
    protected @Nullable FieldList fields() {
      return fields;
    }

    @Override
    protected @Nullable String separatorText() {
      return separator;
    }

    @Override
    protected boolean ignoresCase() {
      return false;
    }

    @Override
    protected LineKey csvKey(FieldList fields, byte separator) {
      return LineKey.csvValue(fields, separator);
    }

    /**
     * The strictest of all normal forms, so that the same URL is in one part however it is written.
     */
    @Override
    protected Line partKey(Line url) {
      Line normal = new Line();
      byte[] bytes =
          decode(url)
              .flatMap(UrlKey.STRICT::of)
              .map(parsed -> parsed.key().getBytes(StandardCharsets.UTF_8))
              .orElse(null);
      if (bytes == null) {
        return url;
      }
      normal.set(bytes, 0, bytes.length);
      return normal;
    }
  }
}
