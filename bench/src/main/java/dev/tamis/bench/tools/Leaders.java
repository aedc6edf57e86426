package dev.tamis.bench.tools;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.HeavyHitter;
import dev.tamis.sketch.HeavyHitters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.LongsSketch;

/**
 * Prints how well the keys that come most often are found, as a table in Markdown.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.tools.Leaders [TRIALS]
 * </pre>
 *
 * <p>Each trial, of 100 by default, is a stream of a million puts of a million keys, the r-th of
 * them 1/r^s as often as the first. "Found" is the share of the hundred true leaders that are among
 * the hundred listed; "bounds" the mean distance of the two ends of a listed count as a share of
 * the puts; "held" how often the true count was between them.
 */
public final class Leaders {

  private static final int PUTS = 1_000_000;
  private static final int KEYS = 1_000_000;
  private static final int LISTED = 100;
  private static final int KEPT = 1_000;
  private static final double DELTA = 0.05;
  private static final double[] EXPONENTS = {0.7, 1, 1.3};

  private Leaders() {}

  /** A key with the two ends of its count. */
  private record Listed(long key, long low, long high) {}

  /** Looks for the leaders of a stream. */
  private interface Finder {
    List<Listed> find(long[] stream);
  }

  /** Prints the table. */
  public static void main(String[] args) {
    int trials = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    System.out.println("| s | found by | found | bounds, ppm of puts | held | ns per put |");
    System.out.println("|---|---|---:|---:|---:|---:|");
    for (double exponent : EXPONENTS) {
      double[] upTo = upTo(exponent);
      row(exponent, upTo, trials, "Tamis, ε = 1e-4, 1000 kept (0.7 MB)", s -> tamis(s, 1e-4));
      row(exponent, upTo, trials, "Tamis, ε = 1e-3, 1000 kept (0.1 MB)", s -> tamis(s, 1e-3));
      row(exponent, upTo, trials, "DataSketches, map of 32768 (0.6 MB)", s -> theirs(s, 1 << 15));
      row(exponent, upTo, trials, "DataSketches, map of 4096 (0.1 MB)", s -> theirs(s, 1 << 12));
    }
  }

  private static double[] upTo(double exponent) {
    double[] upTo = new double[KEYS];
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += Math.pow(i + 1.0, -exponent);
      upTo[i] = sum;
    }
    return upTo;
  }

  private static void row(double exponent, double[] upTo, int trials, String name, Finder finder) {
    long found = 0;
    long held = 0;
    long listed = 0;
    double widths = 0;
    long nanos = 0;
    for (int trial = 0; trial < trials; trial++) {
      long[] truth = new long[KEYS + 1];
      long[] stream = stream(trial, upTo, truth);
      long start = System.nanoTime();
      List<Listed> leaders = finder.find(stream);
      nanos += System.nanoTime() - start;
      long least = Arrays.stream(truth).sorted().skip(truth.length - LISTED).findFirst().orElse(0);
      for (Listed leader : leaders) {
        long exact = truth[(int) leader.key];
        found += exact >= least ? 1 : 0;
        held += leader.low <= exact && exact <= leader.high ? 1 : 0;
        widths += leader.high - leader.low;
        listed++;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.2f %% | %.1f | %.2f %% | %d |%n",
        exponent,
        name,
        100.0 * found / ((double) LISTED * trials),
        1e6 * widths / listed / PUTS,
        100.0 * held / listed,
        nanos / ((long) PUTS * trials));
  }

  private static long[] stream(long seed, double[] upTo, long[] truth) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] stream = new long[PUTS];
    for (int i = 0; i < PUTS; i++) {
      int at = Arrays.binarySearch(upTo, random.nextDouble() * upTo[KEYS - 1]);
      int key = at >= 0 ? at : -at - 1;
      stream[i] = key;
      truth[key]++;
    }
    return stream;
  }

  private static List<Listed> tamis(long[] stream, double epsilon) {
    HeavyHitters<Long> leaders =
        HeavyHitters.over(
            CountMinSketch.<Long>builder(KeyHasher.longs())
                .epsilon(epsilon)
                .delta(DELTA)
                .conservative()
                .build(),
            KEPT);
    for (long key : stream) {
      leaders.put(key);
    }
    List<Listed> listed = new ArrayList<>();
    for (HeavyHitter<Long> hitter : leaders.top(LISTED)) {
      listed.add(new Listed(hitter.key(), hitter.atLeast(), hitter.count()));
    }
    return listed;
  }

  private static List<Listed> theirs(long[] stream, int mapSize) {
    LongsSketch sketch = new LongsSketch(mapSize);
    for (long key : stream) {
      sketch.update(key);
    }
    List<Listed> listed = new ArrayList<>();
    for (LongsSketch.Row row : sketch.getFrequentItems(0, ErrorType.NO_FALSE_NEGATIVES)) {
      if (listed.size() < LISTED) {
        listed.add(new Listed(row.getItem(), row.getLowerBound(), row.getUpperBound()));
      }
    }
    return listed;
  }
}
