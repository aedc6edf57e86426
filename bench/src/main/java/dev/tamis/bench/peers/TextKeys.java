package dev.tamis.bench.peers;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Time of one lookup with URLs of 60 characters, and of putting them all, for one contender in each
 * JVM.
 *
 * <p>Works as {@link LongKeys} does. The keys are in memory in the order in which they are queried
 * for, so that what is timed is the filter and not the way to the key.
 */
public class TextKeys extends Filled {

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

  private static final Kept<Full> KEPT = new Kept<>();

  /** Queries keys in batches. */
  public TextKeys() {
    super(BATCH, LENGTH);
  }

  /** Fills the filter and measures its fpp, unless the benchmark before has done it. */
  @Setup(Level.Trial)
  public void fill() {
    full();
  }

  private Full full() {
    return KEPT.get(List.of(contender, keys), () -> new Full(contender, keys));
  }

  /** Queries present keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit() {
    return count(full().filter, full().present, from, from + BATCH);
  }

  /** Queries absent keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() {
    return count(full().filter, full().absent, from, from + BATCH);
  }

  /** Puts all keys into an empty filter: the time is that of all keys. */
  @Benchmark
  public TakesText put(Start start) {
    putAll(requireNonNull(start.filter), full().keys);
    return requireNonNull(start.filter);
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
  }

  /** A filled filter and its queries. */
  private static final class Full {

    private final String[] keys;
    private final TakesText filter;
    private final String[] present;
    private final String[] absent;

    Full(String id, int count) {
      Contender known = Contender.named(id);
      known.requireItsJvm();
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
