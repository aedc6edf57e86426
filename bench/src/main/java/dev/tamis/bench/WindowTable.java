package dev.tamis.bench;

import com.google.common.hash.Funnels;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilterBuilder;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.filter.WindowedBloomFilterBuilder;
import dev.tamis.hash.KeyHasher;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Prints the time of windowed filters, of Bloom filters of as many keys, and the pauses of puts.
 *
 * <pre>
 * java -Xmx4g -XX:+UseTransparentHugePages -cp bench/target/benchmarks.jar \
 *     dev.tamis.bench.WindowTable [KEYS...]
 * </pre>
 *
 * <p>KEYS random hashes, 1e5 and 2e7 by default, are put, queried, and others queried; the window
 * has as many and is full before. Each time is of the processor, the best of many rounds, or a
 * single one where they are long. Then 6e6 puts are timed one by one, and so is a call that does
 * nothing.
 */
public final class WindowTable {

  private static final double[] PERCENTILES = {50, 99, 99.9, 99.99, 99.999, 100};
  private static final long PUTS_MEASURED = 6_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private WindowTable() {}

  /** Prints the tables. */
  public static void main(String[] args) {
    double[] sizes = args.length == 0 ? new double[] {1e5, 2e7} : parse(args);
    for (double size : sizes) {
      int keys = (int) size;
      System.out.printf(
          Locale.ROOT, "%n| %,d keys | put | hit | miss |%n|---|---:|---:|---:|%n", keys);
      for (double fpp : new double[] {0.01, 0.001}) {
        String p = String.format(Locale.ROOT, ", %.1f %%", 100 * fpp);
        row("default" + p, keys, () -> Subject.of(bloom(keys, fpp).build()), true);
        row(
            "default, one thread" + p,
            keys,
            () -> Subject.of(bloom(keys, fpp).singleThreaded().build()),
            true);
        row("windowed" + p, keys, () -> Subject.of(window(keys, fpp).build()), false);
        row(
            "windowed, one thread" + p,
            keys,
            () -> Subject.of(window(keys, fpp).singleThreaded().build()),
            false);
      }
      row("Guava, 1.0 %", keys, () -> guava(keys, 0.01), true);
    }
    int keys = (int) sizes[sizes.length - 1];
    System.out.printf(
        Locale.ROOT,
        "%n| %,d keys, µs | 50 %% | 99 %% | 99.9 %% | 99.99 %% | 99.999 %% | longest |%n",
        keys);
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    pauses("nothing", hash -> hash != 0);
    WindowedBloomFilter<Long> window = window(keys, 0.01).build();
    SplittableRandom random = new SplittableRandom(1);
    for (long i = 0; i < 2L * keys; i++) {
      boolean unused = window.putHash(random.nextLong());
    }
    pauses("put", window::putHash);
    pauses("nothing", hash -> hash != 0);
  }

  private static double[] parse(String[] args) {
    return Arrays.stream(args).mapToDouble(Double::parseDouble).toArray();
  }

  private static BloomFilterBuilder<Long> bloom(long keys, double fpp) {
    return BloomFilter.<Long>builder(KeyHasher.longs()).expectedKeys(keys).fpp(fpp);
  }

  private static WindowedBloomFilterBuilder<Long> window(long keys, double fpp) {
    return WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(keys).fpp(fpp);
  }

  private static Subject guava(long keys, double fpp) {
    var filter = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), keys, fpp);
    return new Subject(filter::put, filter::mightContain);
  }

  private static void row(String name, int keys, Supplier<Subject> subjects, boolean isEmptied) {
    SplittableRandom random = new SplittableRandom(7);
    long[] others = random.longs(keys).toArray();
    double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
    int rounds = keys < 1_000_000 ? 60 : 1;
    Subject subject = subjects.get();
    int warmUps = keys < 1_000_000 ? 2 : 1;
    for (int round = 0; round < rounds + warmUps; round++) {
      long[] hashes = random.longs(keys).toArray();
      if (isEmptied) {
        subject = subjects.get();
      }
      double[] times = {
        time(hashes, subject.put()), time(hashes, subject.query()), time(others, subject.query())
      };
      for (int i = 0; i < times.length && round >= warmUps; i++) { // the first ones are compiled
        best[i] = Math.min(best[i], times[i]);
      }
    }
    System.out.printf(
        Locale.ROOT, "| %s | %.1f | %.1f | %.1f |%n", name, best[0], best[1], best[2]);
  }

  private static double time(long[] hashes, LongPredicate operation) {
    long found = 0;
    long start = cpuNanos();
    for (long hash : hashes) {
      found += operation.test(hash) ? 1 : 0;
    }
    long nanos = cpuNanos() - start;
    return found < 0 ? Double.NaN : (double) nanos / hashes.length;
  }

  /** Returns the time of this thread alone, so that other processes do not count. */
  private static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static void pauses(String name, LongPredicate operation) {
    SplittableRandom random = new SplittableRandom(2);
    int[] nanos = new int[(int) PUTS_MEASURED];
    long found = 0;
    for (int i = 0; i < nanos.length; i++) {
      long hash = random.nextLong();
      long start = cpuNanos();
      found += operation.test(hash) ? 1 : 0;
      nanos[i] = (int) Math.min(Integer.MAX_VALUE, cpuNanos() - start);
    }
    Arrays.sort(nanos);
    StringBuilder row = new StringBuilder(found < 0 ? "" : "| " + name + " |");
    for (double percentile : PERCENTILES) {
      int at = (int) Math.ceil(percentile / 100 * nanos.length) - 1;
      row.append(String.format(Locale.ROOT, " %.2f |", nanos[at] / 1e3));
    }
    System.out.println(row);
  }

  /** The operations of a filter. */
  private record Subject(LongPredicate put, LongPredicate query) {

    static Subject of(HashedMutableFilter<Long> filter) {
      return new Subject(filter::putHash, filter::mightContainHash);
    }
  }
}
