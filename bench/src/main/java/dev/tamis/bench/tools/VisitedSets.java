package dev.tamis.bench.tools;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Prints what it costs to remember visited URLs in several ways, as a table in Markdown.
 *
 * <pre>
 * java -Xmx2g -cp bench/target/benchmarks.jar dev.tamis.bench.tools.VisitedSets DIR [URLS]
 * </pre>
 *
 * <p>URLS, a million by default, are inserted; then all of them and as many others are looked up,
 * in one thread. DIR is a directory where the database may write. Memory is the heap in use after a
 * collection, less what was in use before; for the database the bytes of its file, compacted, which
 * counts for the time of inserting too. "Wrong" are others that were taken for visited.
 */
public final class VisitedSets {

  private static final int WARM_UP_URLS = 100_000;

  private VisitedSets() {}

  /** Prints the table. */
  public static void main(String[] args) throws Exception {
    int urls = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    VisitedKinds kinds = new VisitedKinds(Path.of(args[0]), urls);
    for (VisitedKinds.Kind kind : kinds.all()) {
      measure(kind, Math.min(urls, WARM_UP_URLS));
    }
    System.out.println("| visited URLs in | memory, MB | insert, ns | look up, ns | wrong |");
    System.out.println("|---|---:|---:|---:|---:|");
    for (VisitedKinds.Kind kind : kinds.all()) {
      System.out.println("| " + kind.name() + " " + measure(kind, urls));
    }
  }

  private static String url(int i) {
    return "http://host" + i % 1_000 + ".example/a/path/to/page/" + i + ".html";
  }

  private static String measure(VisitedKinds.Kind kind, int urls) throws Exception {
    long before = heap();
    try (VisitedKinds.Visited set = kind.maker().make()) {
      return measure(kind.name(), set, before, urls);
    }
  }

  private static String measure(String name, VisitedKinds.Visited set, long before, int urls)
      throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < urls; i++) {
      set.add(url(i));
    }
    set.finish();
    long inserted = System.nanoTime() - start;
    long bytes = set.fileBytes().orElse(heap() - before);
    start = System.nanoTime();
    for (int i = 0; i < urls; i++) {
      if (!set.has(url(i))) {
        throw new IllegalStateException(name + " forgot " + url(i));
      }
    }
    int wrong = 0;
    for (int i = urls; i < 2 * urls; i++) {
      wrong += set.has(url(i)) ? 1 : 0;
    }
    long asked = System.nanoTime() - start;
    return String.format(
        Locale.ROOT,
        "| %.1f | %d | %d | %d |",
        bytes / 1e6,
        inserted / urls,
        asked / (2L * urls),
        wrong);
  }

  private static long heap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
