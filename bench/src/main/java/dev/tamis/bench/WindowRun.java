package dev.tamis.bench;

import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Prints fpp, memory and lost keys of a windowed filter over a long run, as a table in Markdown.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.WindowRun [WINDOW [WINDOWS]]
 * </pre>
 *
 * <p>A window of WINDOW puts, 100,000 by default, at 1 %, is run for WINDOWS windows, 100 by
 * default, with a row for each ten. Ten times a window, so in every phase of a generation, all of
 * the last WINDOW keys and 10,000 absent ones are queried. "Lost" are keys of the window that were
 * denied: there must be none. Heap is what is in use after a collection, the keys of the window
 * included, which are kept for the queries.
 */
public final class WindowRun {

  private static final double FPP = 0.01;
  private static final int CHECKS_PER_WINDOW = 10;
  private static final int WINDOWS_PER_ROW = 10;
  private static final int ABSENT = 10_000;

  private final WindowedBloomFilter<Long> filter;
  private final long[] recent;
  private final SplittableRandom present = new SplittableRandom(1);
  private final SplittableRandom absent = new SplittableRandom(2);
  private long puts;
  private long wrong;
  private long asked;
  private double highest;
  private long lost;

  private WindowRun(int window) {
    this.filter =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(window).fpp(FPP).build();
    this.recent = new long[window];
  }

  /** Prints the table; ends with an error if a key was lost. */
  public static void main(String[] args) {
    int window = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    int windows = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    WindowRun run = new WindowRun(window);
    System.out.println("| windows | measured | highest expectedFpp() | lost | bits | heap, KB |");
    System.out.println("|---:|---:|---:|---:|---:|---:|");
    run.row();
    for (int i = 0; i < windows; i += WINDOWS_PER_ROW) {
      run.goOn(WINDOWS_PER_ROW);
      run.row();
    }
    if (run.lost > 0) {
      throw new IllegalStateException(run.lost + " keys of the window were denied");
    }
  }

  private void goOn(int windows) {
    wrong = 0;
    asked = 0;
    highest = 0;
    for (int check = 0; check < windows * CHECKS_PER_WINDOW; check++) {
      for (int i = 0; i < recent.length / CHECKS_PER_WINDOW; i++) {
        long hash = present.nextLong();
        boolean unused = filter.putHash(hash);
        recent[(int) (puts++ % recent.length)] = hash;
      }
      check();
    }
  }

  private void check() {
    for (int i = 0; i < Math.min(puts, recent.length); i++) {
      if (!filter.mightContainHash(recent[i])) {
        lost++;
      }
    }
    for (int i = 0; i < ABSENT; i++) {
      if (filter.mightContainHash(absent.nextLong())) {
        wrong++;
      }
    }
    asked += ABSENT;
    highest = Math.max(highest, filter.expectedFpp());
  }

  private void row() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        Locale.ROOT,
        "| %d | %.4f %% | %.4f %% | %d | %d | %d |%n",
        puts / recent.length,
        asked == 0 ? 0 : 100.0 * wrong / asked,
        100 * highest,
        lost,
        filter.bitSize(),
        (runtime.totalMemory() - runtime.freeMemory()) / 1000);
  }
}
