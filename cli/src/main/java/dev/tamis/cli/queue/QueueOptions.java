package dev.tamis.cli.queue;

import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.crawler.queue.OnFull;
import dev.tamis.crawler.queue.StoredParameterException;
import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that are fixed when a queue is created, by {@code queue push} or {@code crawl}. */
final class QueueOptions {

  @Option(
      names = {"-n", "--expected-keys"},
      paramLabel = "N",
      description = "Distinct URLs expected, such as 1,000,000, 10M or 1e9.")
  private @Nullable Long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      description =
          "False-positive probability of a new URL (default: "
              + FilterOptions.DEFAULT_FPP_TEXT
              + " for push, 1e-9 for crawl).")
  private @Nullable Double fpp;

  @Option(
      names = {"-x", "--exact"},
      description = "No false positives: keys are stored on disk too.")
  private boolean exact;

  @Option(
      names = "--on-full",
      paramLabel = "WHAT",
      converter = OnFullChoice.class,
      completionCandidates = OnFullChoice.class,
      description = "Beyond -n URLs: warn, grow or reject (default: warn; grow without -n).")
  private @Nullable OnFull onFull;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      converter = KeyChoice.class,
      completionCandidates = KeyChoice.class,
      description = "Which URLs are the same: none, defrag or strict (default).")
  private @Nullable UrlKey key;

  @Nullable Long expectedKeys() {
    return expectedKeys;
  }

  @Nullable Double fpp() {
    return fpp;
  }

  boolean exact() {
    return exact;
  }

  /** Applies what was given, except the key, and a warning when the queue is full. */
  void apply(VisitQueueBuilder builder, String command, Streams streams) {
    builder.whenFull(
        seen ->
            streams
                .err()
                .line(
                    "tamis "
                        + command
                        + ": the queue has seen "
                        + seen
                        + " URLs, more than "
                        + (expectedKeys == null ? "its capacity" : "the " + expectedKeys + " of -n")
                        + ": false positives increase, or lookups on disk in a queue created with"
                        + " --exact; create a larger one"));
    if (expectedKeys != null) {
      builder.expectedKeys(expectedKeys);
    }
    if (fpp != null) {
      builder.fpp(fpp);
    }
    if (onFull != null) {
      builder.onFull(onFull);
    }
    if (exact) {
      builder.exactConfirmation();
    }
  }

  @Nullable OnFull onFull() {
    return onFull;
  }

  @Nullable UrlKey key() {
    return key;
  }

  /** Names the parameters of a queue by their options. */
  static CommandException differs(Path directory, StoredParameterException e) {
    String option =
        switch (e.parameter()) {
          case "expectedKeys" -> "-n";
          case "fpp" -> "-p";
          case "onFull" -> "--on-full";
          case "key" -> "--key";
          case "exactConfirmation" -> "--exact";
          case "sharedFilter" -> "--seen";
          default -> e.parameter();
        };
    if (e.requested().equals("true")) { // the stored value of an option without one is false
      return new CommandException(
          "%s: the queue was created without %s; leave it out, or create another queue",
          directory, option);
    }
    return new CommandException(
        "%s: the queue was created with %s %s, got %s; leave %2$s out, or create another queue",
        directory, option, value(option, e.stored()), value(option, e.requested()));
  }

  private static String value(String option, String value) {
    return option.equals("-p")
        ? NumberFormats.number(Double.parseDouble(value))
        : value.toLowerCase(Locale.ROOT);
  }

  static final class OnFullChoice extends Choice<OnFull> {
    OnFullChoice() {
      super(
          List.of(OnFull.WARN, OnFull.GROW, OnFull.REJECT),
          onFull -> onFull.name().toLowerCase(Locale.ROOT));
    }
  }

  static final class KeyChoice extends Choice<UrlKey> {
    KeyChoice() {
      super(List.of(UrlKey.NONE, UrlKey.DEFRAG, UrlKey.STRICT), UrlKey::id);
    }
  }
}
