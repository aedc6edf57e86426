package dev.tamis.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.ScalableBloomFilterBuilder;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Prints what a scalable filter costs at the end of each stage, as tables in Markdown.
 *
 * <pre>
 * java -Xmx2g -cp bench/target/benchmarks.jar dev.tamis.bench.ScalableGrowth [KEYS]
 * </pre>
 *
 * <p>It grows from 1000 keys until it has KEYS or more, ten million by default, at 1 %; in its
 * default layout, then in the classic one. Keys are random hashes; drawing one is part of the
 * times, at about a nanosecond. A put is timed over the stage that ends, a miss over a million
 * absent keys at its end.
 */
public final class ScalableGrowth {

  private static final double FPP = 0.01;
  private static final long INITIAL_KEYS = 1_000;
  private static final int ABSENT = 1_000_000;
  private static final long WARM_UP_KEYS = 300_000;

  private ScalableGrowth() {}

  /** Prints the tables. */
  public static void main(String[] args) {
    long keys = args.length > 0 ? Long.parseLong(args[0]) : 10_000_000;
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    grow("warm-up", builder(), WARM_UP_KEYS, nowhere);
    grow("default layout", builder(), keys, System.out);
    grow("classic", builder().layout(Layout.CLASSIC), keys, System.out);
  }

  private static ScalableBloomFilterBuilder<Long> builder() {
    return ScalableBloomFilter.<Long>builder(KeyHasher.longs()).initialKeys(INITIAL_KEYS).fpp(FPP);
  }

  private static void grow(
      String title, ScalableBloomFilterBuilder<Long> builder, long keys, PrintStream out) {
    out.printf(Locale.ROOT, "%n%s:%n%n", title);
    out.println(
        "| keys | stages | bits per key | expectedFpp() | measured | ns per put | ns per miss |");
    out.println("|---:|---:|---:|---:|---:|---:|---:|");
    ScalableBloomFilter<Long> filter = builder.build();
    SplittableRandom random = new SplittableRandom(1);
    long puts = 0;
    while (puts < keys) {
      long start = System.nanoTime();
      long before = puts;
      put(filter, random, 1); // makes the stage, except the first
      puts++;
      BloomFilter<Long> newest = filter.stages().get(filter.stages().size() - 1);
      while (newest.acceptedKeys() < newest.expectedKeys()) {
        long room = newest.expectedKeys() - newest.acceptedKeys();
        put(filter, random, room);
        puts += room;
      }
      out.println(row(filter, puts, (double) (System.nanoTime() - start) / (puts - before)));
    }
  }

  private static void put(ScalableBloomFilter<Long> filter, SplittableRandom random, long count) {
    for (long i = 0; i < count; i++) {
      boolean unused = filter.putHash(random.nextLong());
    }
  }

  private static String row(ScalableBloomFilter<Long> filter, long keys, double nanosPerPut) {
    SplittableRandom random = new SplittableRandom(2);
    int wrong = 0;
    long start = System.nanoTime();
    for (int i = 0; i < ABSENT; i++) {
      if (filter.mightContainHash(random.nextLong())) {
        wrong++;
      }
    }
    double nanosPerMiss = (double) (System.nanoTime() - start) / ABSENT;
    return String.format(
        Locale.ROOT,
        "| %d | %d | %.2f | %.4f %% | %.4f %% | %.1f | %.1f |",
        keys,
        filter.stages().size(),
        (double) filter.bitSize() / keys,
        100 * filter.expectedFpp(),
        100.0 * wrong / ABSENT,
        nanosPerPut,
        nanosPerMiss);
  }
}
