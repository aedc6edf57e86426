package dev.tamis.bench.tools;

import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Prints heap and disk of a visit queue while it fills and drains, as a table in Markdown.
 *
 * <pre>
 * java -Xmx512m -cp bench/target/benchmarks.jar dev.tamis.bench.tools.QueueOnDisk DIR [URLS]
 * </pre>
 *
 * <p>URLS, such as 1e8, 2e6 by default, are pushed, then polled; there is a row for each tenth. DIR
 * is a directory that does not exist. Heap is what is in use after a collection; the filter, which
 * is a part of it, is of the size that it will need.
 */
public final class QueueOnDisk {

  private static final int ROWS = 10;

  private QueueOnDisk() {}

  /** Prints the table. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    long urls = args.length > 1 ? (long) Double.parseDouble(args[1]) : 2_000_000;
    System.out.println("| pushed | pending | heap, MB | disk, MB | seconds |");
    System.out.println("|---:|---:|---:|---:|---:|");
    try (VisitQueue queue =
        VisitQueue.builder().expectedKeys(urls).fpp(0.01).key(UrlKey.NONE).open(directory)) {
      long start = System.nanoTime();
      for (long i = 1; i <= urls; i++) {
        queue.push("http://host.example/a/path/to/page/" + i + ".html");
        if (i % (urls / ROWS) == 0) {
          row(queue, directory, start);
        }
      }
      for (long i = 1; queue.poll().isPresent(); i++) {
        if (i % (urls / ROWS) == 0) {
          row(queue, directory, start);
        }
      }
    }
    System.out.printf(Locale.ROOT, "| closed | | | %.1f | |%n", bytesIn(directory) / 1e6);
  }

  private static void row(VisitQueue queue, Path directory, long start) throws IOException {
    var stats = queue.stats();
    System.gc();
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    System.out.printf(
        Locale.ROOT,
        "| %d | %d | %.1f | %.1f | %.0f |%n",
        stats.pushed(),
        stats.pending(),
        heap / 1e6,
        bytesIn(directory) / 1e6,
        (System.nanoTime() - start) / 1e9);
  }

  private static long bytesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
