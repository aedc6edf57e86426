package dev.tamis.bench.tools;

import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * Prints how many URLs a second a visit queue takes and gives, as a table in Markdown.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.tools.QueueRates DIR [URLS]
 * </pre>
 *
 * <p>URLS, a million by default, are pushed, pushed again as duplicates, and polled, in one thread;
 * the first of three runs is not printed. DIR is a directory that does not exist, for the queues on
 * disk; it is left for inspection.
 */
public final class QueueRates {

  private static final int RUNS = 3;
  private static final int SLOW_URLS = 20_000;
  private static final int HOSTS = 1_000;

  private final Path directory;
  private final int urls;
  private int made;

  private QueueRates(Path directory, int urls) {
    this.directory = directory;
    this.urls = urls;
  }

  /** Prints the table. */
  public static void main(String[] args) throws IOException {
    int urls = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    QueueRates rates = new QueueRates(Path.of(args[0]), urls);
    System.out.println("| queue | push/s | duplicate/s | poll/s |");
    System.out.println("|---|---:|---:|---:|");
    rates.plain();
    rates.row("in memory", rates.settings(), false);
    rates.row("in memory, hosts", rates.settings().perHostDelay(Duration.ZERO), false);
    rates.row("in memory, normal form", rates.settings().key(UrlKey.STRICT), false);
    rates.storeAlone();
    rates.row("on disk", rates.settings(), true);
    rates.row("on disk, confirmed", rates.settings().exactConfirmation(), true);
    rates.row("on disk, hosts", rates.settings().perHostDelay(Duration.ZERO), true);
  }

  private VisitQueueBuilder settings() {
    return VisitQueue.builder().expectedKeys(urls).fpp(1e-6).key(UrlKey.NONE);
  }

  private static String url(int i) {
    return "http://host" + i % HOSTS + ".example/a/path/to/page/" + i + ".html";
  }

  private void plain() {
    String row = "";
    for (int run = 0; run < RUNS; run++) {
      Set<String> seen = new HashSet<>();
      ArrayDeque<String> queue = new ArrayDeque<>();
      row =
          measure(
              url -> {
                boolean isNew = seen.add(url);
                if (isNew) {
                  queue.add(url);
                }
                return isNew;
              },
              queue::poll);
    }
    System.out.println("| HashSet and ArrayDeque " + row);
  }

  /** What a queue would be whose store is committed at each change, without a log. */
  private void storeAlone() throws IOException {
    Path place = Files.createDirectories(directory).resolve("alone.mv");
    try (MVStore store =
        new MVStore.Builder().fileName(place.toString()).autoCommitDisabled().open()) {
      store.setRetentionTime(0);
      MVMap<Long, String> map =
          store.openMap(
              "urls",
              new MVMap.Builder<Long, String>()
                  .keyType(LongDataType.INSTANCE)
                  .valueType(StringDataType.INSTANCE));
      long start = System.nanoTime();
      for (long i = 0; i < SLOW_URLS; i++) {
        map.put(i, url((int) i));
        store.commit();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT, "| store alone, committed each time | %,.0f | | |%n", SLOW_URLS / seconds);
    }
  }

  private void row(String name, VisitQueueBuilder builder, boolean onDisk) throws IOException {
    String row = "";
    for (int run = 0; run < RUNS; run++) {
      Path place = directory.resolve(String.valueOf(made++));
      try (VisitQueue queue =
          onDisk ? builder.open(Files.createDirectories(place)) : builder.build()) {
        row = measure(url -> queue.push(url).isAccepted(), () -> queue.poll().orElse(null));
      }
    }
    System.out.println("| " + name + " " + row);
  }

  private String measure(Predicate<String> push, Supplier<@Nullable String> poll) {
    long start = System.nanoTime();
    int accepted = pushAll(push);
    long pushed = System.nanoTime();
    int again = pushAll(push);
    long repeated = System.nanoTime();
    int polled = 0;
    while (poll.get() != null) {
      polled++;
    }
    long end = System.nanoTime();
    if (polled != accepted || again != 0) {
      throw new IllegalStateException(accepted + " accepted, " + again + " again, " + polled);
    }
    return String.format(
        Locale.ROOT,
        "| %,.0f | %,.0f | %,.0f |",
        urls * 1e9 / (pushed - start),
        urls * 1e9 / (repeated - pushed),
        polled * 1e9 / (end - repeated));
  }

  private int pushAll(Predicate<String> push) {
    int accepted = 0;
    for (int i = 0; i < urls; i++) {
      accepted += push.test(url(i)) ? 1 : 0;
    }
    return accepted;
  }
}
