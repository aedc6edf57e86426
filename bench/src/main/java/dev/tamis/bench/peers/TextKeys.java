package dev.tamis.bench.peers;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * Time of one lookup with URLs of 60 characters, and of putting them all, for one contender in each
 * JVM.
 *
 * <p>Works as {@link LongKeys} does. The keys are in memory in the order in which they are queried
 * for, so that what is timed is the filter and not the way to the key.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class TextKeys {

  private static final int BATCH = 10_000;

  /** Keys in each stream: 50 MB of them. */
  private static final int LENGTH = 500_000;

  private static final long PUT_SEED = 1;
  private static final long ABSENT_SEED = 2;
  private static final long CHOICE_SEED = 3;

  /** Which filter. */
  @Param({"tamis", "guava"})
  public String contender = "";

  /** Keys in it. */
  @Param("10000000")
  public int keys;

  private static @Nullable Full full;

  private int from;

  /** Fills the filter and measures its fpp, unless the benchmark before has done it. */
  @Setup(Level.Trial)
  public void fill() {
    full();
  }

  private Full full() {
    Full known = full;
    if (known == null || !known.contender.equals(contender) || known.keys.length != keys) {
      full = null; // the memory of the one before is needed for the next
      known = new Full(contender, keys);
      full = known;
    }
    return known;
  }

  /** Moves on in the stream of keys. */
  @Setup(Level.Invocation)
  public void advance() {
    from = (from + BATCH) % LENGTH;
  }

  /** Asks for keys that are there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit() {
    return count(full().filter, full().present, from, from + BATCH);
  }

  /** Asks for keys that are not there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() {
    return count(full().filter, full().absent, from, from + BATCH);
  }

  /** Puts all keys into an empty filter: the time is that of all keys. */
  @Benchmark
  public TakesText put(Start start) {
    putAll(start.filter(), full().keys);
    return start.filter();
  }

  private static void putAll(TakesText filter, String[] keys) {
    for (int i = 0; i < keys.length; i += BATCH) {
      filter.putAll(Arrays.asList(keys).subList(i, Math.min(keys.length, i + BATCH)));
    }
  }

  private static int count(TakesText filter, String[] keys, int from, int to) {
    return filter.count(Arrays.asList(keys).subList(from, to));
  }

  /** An empty filter, another one for each invocation. */
  @State(Scope.Benchmark)
  public static class Start {

    private @Nullable TakesText filter;

    /** Makes the empty filter. */
    @Setup(Level.Invocation)
    public void make(TextKeys benchmark) {
      filter = Contender.named(benchmark.contender).emptyText(benchmark.keys);
    }

    private TakesText filter() {
      TakesText made = filter;
      if (made == null) {
        throw new IllegalStateException("make has not run");
      }
      return made;
    }
  }

  /** A filled filter and its queries. */
  private static final class Full {

    private final String contender;
    private final String[] keys;
    private final TakesText filter;
    private final String[] present;
    private final String[] absent;

    Full(String id, int count) {
      Contender known = Contender.named(id);
      known.requireItsJvm();
      contender = id;
      keys = Urls.of(PUT_SEED, count);
      filter = known.emptyText(count);
      putAll(filter, keys);
      present = Urls.chosen(keys, CHOICE_SEED, LENGTH);
      absent = Urls.of(ABSENT_SEED, LENGTH);
      int found = count(filter, present, 0, LENGTH);
      int wrong = count(filter, absent, 0, LENGTH);
      Achieved.report(id, filter.bits(), count, LENGTH, found, wrong);
    }
  }
}
