package dev.tamis.bench.speed;

import com.google.common.hash.Funnels;
import dev.tamis.KeyHasher;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilterBuilder;
import dev.tamis.sizing.Layout;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of one put, hit and miss with long keys, for Tamis' layouts and Guava's filter at the same
 * fpp; one filter a fork.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PutAndAsk {

  private static final int BATCH = 1 << 16;
  private static final double FPP = 0.01;

  /** Which filter. */
  @Param({"tamis", "tamis-concurrent", "tamis-classic", "guava"})
  public String filter = "";

  /** Keys in it: in the cache of a core, and far outside. */
  @Param({"100000", "20000000"})
  public int keys;

  private final long[] present = new long[BATCH];
  private final long[] absent = new long[BATCH];
  private LongPredicate put = key -> false;
  private LongPredicate ask = key -> false;

  /** Fills the filter and picks the keys to ask for. */
  @Setup(Level.Trial)
  public void fill() {
    open();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < keys; i++) {
      long key = random.nextLong();
      boolean unused = put.test(key);
      if (i % Math.max(1, keys / BATCH) == 0) {
        present[i / Math.max(1, keys / BATCH) % BATCH] = key;
      }
    }
    SplittableRandom other = new SplittableRandom(2);
    for (int i = 0; i < BATCH; i++) {
      absent[i] = other.nextLong();
      int j = other.nextInt(i + 1); // shuffled: asking in the order of putting would be local
      long swapped = present[i];
      present[i] = present[j];
      present[j] = swapped;
    }
  }

  private void open() {
    if (filter.equals("guava")) {
      var guava = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), keys, FPP);
      put = guava::put;
      ask = guava::mightContain;
      return;
    }
    BloomFilterBuilder<Long> builder =
        BloomFilter.<Long>builder(KeyHasher.longs()).expectedKeys(keys).fpp(FPP);
    if (filter.equals("tamis-classic")) {
      builder.layout(Layout.CLASSIC);
    } else if (filter.equals("tamis-concurrent")) {
      builder.concurrent();
    }
    BloomFilter<Long> tamis = builder.build();
    put = tamis::put;
    ask = tamis::mightContain;
  }

  /** Asks for keys that are there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit() {
    return count(ask, present);
  }

  /** Asks for keys that are not there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() {
    return count(ask, absent);
  }

  /** Puts keys into a filter on its way from empty to as full as planned. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int put(Fresh fresh) {
    return count(fresh.put, fresh.keys);
  }

  private static int count(LongPredicate predicate, long[] keys) {
    int count = 0;
    for (long key : keys) {
      if (predicate.test(key)) {
        count++;
      }
    }
    return count;
  }

  /** Keys that were never put, and a filter with room for them, new for each call. */
  @State(Scope.Thread)
  public static class Fresh {
    private final SplittableRandom random = new SplittableRandom(3);
    private final long[] keys = new long[BATCH];
    private LongPredicate put = key -> false;
    private long room;

    /** Draws the keys, and starts over when the filter is full. */
    @Setup(Level.Invocation)
    public void draw(PutAndAsk benchmark) {
      if (room < BATCH) {
        benchmark.open();
        put = benchmark.put; // JMH hands over an instance other than the one that is measured
        room = benchmark.keys;
      }
      room -= BATCH;
      for (int i = 0; i < BATCH; i++) {
        keys[i] = random.nextLong();
      }
    }
  }
}
