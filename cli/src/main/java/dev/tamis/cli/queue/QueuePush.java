package dev.tamis.cli.queue;

import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.report.Facts;
import dev.tamis.cli.report.Quantities;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.crawler.queue.OnFull;
import dev.tamis.crawler.queue.PushResult;
import dev.tamis.crawler.queue.PushResult.Status;
import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code tamis queue DIR push}: puts lines in the queue. */
@Command(
    name = "push",
    description =
        "Put each line in the queue, unless it was there before; make the queue if needed.",
    footer = {
      "",
      "The options say what the queue is and stay as they are when it is made; leave them out",
      "later. Without -n it grows as needed. Lines that are rejected are named with the reason.",
      "",
      "Keys, by which URLs are the same:",
      "  none    the line as it is",
      "  defrag  without what follows #",
      "  strict  in normal form, for absolute URLs only; unless given",
      "",
      "Example:",
      "  $ printf 'http://a/\\nhttp://A:80/#top\\n' | tamis queue todo push",
      "  pushed=2 accepted=1 duplicates=1 rejected=0 full=0 ...",
    })
final class QueuePush implements Callable<Integer> {

  /** So many rejected lines are named; the account has the number of all. */
  private static final int MAX_NAMED = 20;

  private final QueueCommand queue;
  private final Streams streams;

  @Option(
      names = {"-n", "--expected-keys"},
      paramLabel = "N",
      converter = Quantities.CountConverter.class,
      description = "Different URLs expected, such as 1000000, 10M or 1e9.")
  private @Nullable Long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      converter = Quantities.ProbabilityConverter.class,
      description = "Probability that a new URL is taken for a seen one; 1e-6 unless given.")
  private @Nullable Double fpp;

  @Option(
      names = {"-x", "--exact"},
      description = "Never take a new URL for a seen one: keys are kept on disk too.")
  private boolean exact;

  @Option(
      names = "--on-full",
      paramLabel = "WHAT",
      converter = OnFullConverter.class,
      description = "Past -n URLs: warn, grow, or reject. Warn unless given; grow without -n.")
  private @Nullable OnFull onFull;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      converter = KeyConverter.class,
      description = "One of none, defrag, strict; explained below.")
  private @Nullable UrlKey key;

  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  private long rejected;

  /** Rejected here, because a queue takes text only. */
  private long undecodable;

  QueuePush(QueueCommand queue, Streams streams) {
    this.queue = queue;
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    Inputs all = Inputs.of(files, delimiter.value(), streams); // refuses what cannot be read
    try (VisitQueue opened = builder().open(queue.directory())) {
      QueueStats before = opened.stats();
      long lines = 0;
      for (Path path : all.paths()) {
        lines += push(path, opened);
      }
      QueueStats after = opened.stats();
      Reconciliation.check("lines", lines, after.pushed() - before.pushed() + undecodable);
      if (rejected > MAX_NAMED) {
        report.warn("tamis queue push: " + rejected + " lines were rejected in all", streams.err());
      }
      if (after.full() > before.full()) {
        report.warn(
            "tamis queue push: the queue is full: "
                + (after.full() - before.full())
                + " new lines were not taken",
            streams.err());
      }
      report.print(account(before, after).secondsSince(start), streams.err());
    }
    return 0;
  }

  private Facts account(QueueStats before, QueueStats after) {
    return new Facts()
        .count("pushed", after.pushed() - before.pushed() + undecodable)
        .count("accepted", after.accepted() - before.accepted())
        .count("duplicates", after.duplicates() - before.duplicates())
        .count("rejected", after.rejected() - before.rejected() + undecodable)
        .count("full", after.full() - before.full())
        .count("pending", after.pending())
        .number("fpp", after.expectedFpp())
        .known("expected-wrong-drops", after.expectedWrongDrops());
  }

  private VisitQueueBuilder builder() {
    VisitQueueBuilder builder = VisitQueue.builder().whenFull(this::warn);
    boolean isNew = !VisitQueue.exists(queue.directory());
    if (expectedKeys != null || isNew) {
      builder.expectedKeys(expectedKeys != null ? expectedKeys : FilterOptions.STARTING_KEYS);
    }
    if (fpp != null || isNew) {
      builder.fpp(fpp != null ? fpp : FilterOptions.DEFAULT_FPP);
    }
    if (onFull != null || isNew) {
      OnFull usual = expectedKeys != null ? OnFull.WARN : OnFull.GROW;
      builder.onFull(onFull != null ? onFull : usual);
    }
    if (key != null) {
      builder.key(key);
    }
    return exact ? builder.exactConfirmation() : builder;
  }

  private void warn(long keys) {
    report.warn(
        "tamis queue push: the queue has seen "
            + keys
            + " URLs, more than -n: more and more new ones are taken for seen; make a larger one",
        streams.err());
  }

  private long push(Path path, VisitQueue opened) throws IOException {
    Inputs input = Inputs.of(List.of(path), delimiter.value(), streams);
    long number = 0;
    try (Progress progress = report.progress(input.sizeInBytes(), true, streams.err());
        LineReader reader = input.lines(line -> 0, progress, () -> {})) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        for (int i = 0; i < count; i++) {
          number++;
          push(reader.line(i), path + ":" + number, opened);
        }
      }
    }
    return number;
  }

  private void push(Line line, String place, VisitQueue opened) {
    Optional<String> url = decode(line);
    if (url.isEmpty()) {
      undecodable++;
      reject(place, "is not UTF-8");
      return;
    }
    PushResult result = opened.push(url.get());
    if (result.status() == Status.REJECTED) {
      reject(place, result.rejection().orElseThrow().detail());
    }
  }

  /** Returns the line as text, empty if it is not UTF-8. */
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
      report.warn("tamis queue push: " + place + ": " + why, streams.err());
    }
  }

  /** Converts the argument of {@code --on-full}. */
  static final class OnFullConverter implements ITypeConverter<OnFull> {

    private static final Map<String, OnFull> WORDS =
        Map.of("warn", OnFull.WARN, "grow", OnFull.GROW, "reject", OnFull.REJECT);

    @Override
    public OnFull convert(String text) {
      OnFull found = WORDS.get(text);
      if (found == null) {
        throw new TypeConversionException("expected warn, grow or reject, got '" + text + "'");
      }
      return found;
    }
  }

  /** Converts the argument of {@code --key}. */
  static final class KeyConverter implements ITypeConverter<UrlKey> {
    @Override
    public UrlKey convert(String text) {
      for (UrlKey key : List.of(UrlKey.NONE, UrlKey.DEFRAG, UrlKey.STRICT)) {
        if (key.id().equals(text)) {
          return key;
        }
      }
      throw new TypeConversionException("expected none, defrag or strict, got '" + text + "'");
    }
  }
}
