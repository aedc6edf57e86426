package dev.tamis.bench.peers;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Time of the puts and lookups of several threads in one filter, by the clock on the wall.
 *
 * <p>Two threads that do not hinder each other take half the time of one.
 */
public class Threads extends Filled {

  /** Lookups in an invocation: what it costs to start the threads is lost among them. */
  private static final int BATCH = 1_000_000;

  /** Which filter, of those that several threads may fill. */
  @Param({"tamis", "guava"})
  public String contender = "";

  /** Keys in it. */
  @Param({"100000", "20000000"})
  public int keys;

  /** Threads that work at once. */
  @Param({"1", "2"})
  public int threads;

  private static final Kept<Full> KEPT = new Kept<>();

  private @Nullable ExecutorService workers;

  /** Queries keys in batches. */
  public Threads() {
    super(BATCH, LongStreams.LENGTH);
  }

  /** Fills the filter, unless the benchmark before has done it, and starts the threads. */
  @Setup(Level.Trial)
  public void begin() {
    full();
    workers = Executors.newFixedThreadPool(threads);
  }

  /** Ends the threads. */
  @TearDown(Level.Trial)
  public void end() {
    requireNonNull(workers).shutdown();
  }

  private Full full() {
    return KEPT.get(List.of(contender, keys), () -> new Full(contender, keys));
  }

  /** Queries present keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit() throws InterruptedException, ExecutionException {
    return ask(full().streams.present);
  }

  /** Queries absent keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() throws InterruptedException, ExecutionException {
    return ask(full().streams.absent);
  }

  /** Puts all keys into an empty filter: the time is that of all keys. */
  @Benchmark
  public int put(Start start) throws InterruptedException, ExecutionException {
    TakesLongs filter = requireNonNull(start.filter);
    long[] all = full().keys;
    return share(
        all.length,
        (first, last) -> {
          LongLoops.put(filter, all, first, last);
          return last - first;
        });
  }

  private int ask(long[] stream) throws InterruptedException, ExecutionException {
    TakesLongs filter = full().filter;
    int first = from;
    return share(
        BATCH, (begin, end) -> LongLoops.count(filter, stream, first + begin, first + end));
  }

  /** Has each thread do its part of {@code count}; returns the sum of what they return. */
  private int share(int count, Part part) throws InterruptedException, ExecutionException {
    List<Callable<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int begin = (int) ((long) count * i / threads);
      int end = (int) ((long) count * (i + 1) / threads);
      parts.add(() -> part.work(begin, end));
    }
    int sum = 0;
    for (Future<Integer> result : requireNonNull(workers).invokeAll(parts)) {
      sum += result.get();
    }
    return sum;
  }

  /** What one thread does. */
  private interface Part {
    int work(int begin, int end);
  }

  /** An empty filter, another one for each invocation. */
  @State(Scope.Benchmark)
  public static class Start {

    private @Nullable TakesLongs filter;

    /** Makes the empty filter. */
    @Setup(Level.Invocation)
    public void make(Threads benchmark) {
      filter = Contender.named(benchmark.contender).emptyLongs(benchmark.keys);
    }
  }

  /** A filled filter and its queries. */
  private static final class Full {

    private final long[] keys;
    private final TakesLongs filter;
    private final LongStreams streams;

    Full(String id, int count) {
      Contender known = Contender.named(id);
      known.requireItsJvm();
      keys = LongStreams.keys(count);
      filter = known.emptyLongs(count);
      LongLoops.putAll(filter, keys);
      streams = new LongStreams(keys);
    }
  }
}
