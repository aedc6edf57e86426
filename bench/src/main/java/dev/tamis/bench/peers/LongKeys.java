package dev.tamis.bench.peers;

import static java.util.Objects.requireNonNull;

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
 * Time of one lookup with long keys, and of putting them all, for one contender in each JVM.
 *
 * <p>{@code bench/peers} runs it: all four for one contender and size in one JVM, which is filled
 * once. Before anything is timed the filter has been queried for keys of both kinds, so what the
 * JIT compiled knows both answers, as in a program.
 */
public class LongKeys extends Filled {

  private static final int BATCH = 50_000;

  /** Which filter. */
  @Param({"tamis", "guava"})
  public String contender = "";

  /** Keys in it. */
  @Param({"10000", "100000", "1000000", "20000000"})
  public int keys;

  private static final Kept<Full> KEPT = new Kept<>();

  /** Queries keys in batches. */
  public LongKeys() {
    super(BATCH, LongStreams.LENGTH);
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
    return ask(full().streams.present);
  }

  /** Queries absent keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() {
    return ask(full().streams.absent);
  }

  /** Queries present and absent keys in random order. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int mixed() {
    return ask(full().streams.mixed);
  }

  private int ask(long[] stream) {
    return LongLoops.count(full().filter, stream, from, from + BATCH);
  }

  /** Puts all keys into an empty filter, or builds one of them: the time is that of all keys. */
  @Benchmark
  public AsksLongs put(Start start) {
    return requireNonNull(start.filling).fill(full().keys);
  }

  /** An empty filter, another one for each invocation. */
  @State(Scope.Benchmark)
  public static class Start {

    private Contender.@Nullable Filling filling;

    /** Makes the empty filter. */
    @Setup(Level.Invocation)
    public void make(LongKeys benchmark) {
      filling = Contender.named(benchmark.contender).startLongs(benchmark.keys);
    }
  }

  /** A filled filter and its queries. */
  private static final class Full {

    private final long[] keys;
    private final AsksLongs filter;
    private final LongStreams streams;

    Full(String id, int count) {
      Contender known = Contender.named(id);
      known.requireItsJvm();
      keys = LongStreams.keys(count);
      filter = known.startLongs(count).fill(keys);
      streams = new LongStreams(keys);
      int found = LongLoops.count(filter, streams.present, 0, LongStreams.LENGTH);
      int wrong = LongLoops.count(filter, streams.absent, 0, LongStreams.LENGTH);
      Achieved.report(id, filter.bits(), count, LongStreams.LENGTH, found, wrong);
    }
  }
}
