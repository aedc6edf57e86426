package dev.tamis.bench.peers;

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
 * Time of one lookup with long keys, and of putting them all, for one contender in each JVM.
 *
 * <p>{@code bench/peers} runs it: all four for one contender and size in one JVM, which is filled
 * once. Before anything is timed the filter has been queried for keys of both kinds, so what the
 * JIT compiled knows both answers, as in a program.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class LongKeys {

  private static final int BATCH = 50_000;

  /** Which filter. */
  @Param({"tamis", "guava"})
  public String contender = "";

  /** Keys in it. */
  @Param({"10000", "100000", "1000000", "20000000"})
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
    from = (from + BATCH) % LongStreams.LENGTH;
  }

  /** Asks for keys that are there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit() {
    return ask(full().streams.present);
  }

  /** Asks for keys that are not there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() {
    return ask(full().streams.absent);
  }

  /** Asks for keys that are there and keys that are not, in random order. */
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
    return start.filling().fill(full().keys);
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

    private Contender.Filling filling() {
      Contender.Filling made = filling;
      if (made == null) {
        throw new IllegalStateException("make has not run");
      }
      return made;
    }
  }

  /** A filled filter and its queries. */
  private static final class Full {

    private final String contender;
    private final long[] keys;
    private final AsksLongs filter;
    private final LongStreams streams;

    Full(String id, int count) {
      Contender known = Contender.named(id);
      known.requireItsJvm();
      contender = id;
      keys = LongStreams.keys(count);
      filter = known.startLongs(count).fill(keys);
      streams = new LongStreams(keys);
      int found = LongLoops.count(filter, streams.present, 0, LongStreams.LENGTH);
      int wrong = LongLoops.count(filter, streams.absent, 0, LongStreams.LENGTH);
      Achieved.report(id, filter.bits(), count, LongStreams.LENGTH, found, wrong);
    }
  }
}
