package dev.tamis.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of the puts and look-ups of several threads in one filter, by the clock on the wall.
 *
 * <p>Two threads that do not hinder each other take half the time of one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class Threads {

  /** Look-ups in an invocation: what it costs to start the threads is lost among them. */
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

  private static @Nullable Full full;

  private @Nullable ExecutorService workers;
  private int from;

  /** Fills the filter, unless the benchmark before has done it, and starts the threads. */
  @Setup(Level.Trial)
  public void begin() {
    full();
    workers = Executors.newFixedThreadPool(threads);
  }

  /** Ends the threads. */
  @TearDown(Level.Trial)
  public void end() {
    workers().shutdown();
  }

  private ExecutorService workers() {
    ExecutorService started = workers;
    if (started == null) {
      throw new IllegalStateException("begin has not run");
    }
    return started;
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
  public int hit() throws InterruptedException, ExecutionException {
    return ask(full().streams.present);
  }

  /** Asks for keys that are not there. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss() throws InterruptedException, ExecutionException {
    return ask(full().streams.absent);
  }

  /** Puts all keys into an empty filter: the time is that of all keys. */
  @Benchmark
  public int put(Start start) throws InterruptedException, ExecutionException {
    TakesLongs filter = start.filter();
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
    for (Future<Integer> result : workers().invokeAll(parts)) {
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

    private TakesLongs filter() {
      TakesLongs made = filter;
      if (made == null) {
        throw new IllegalStateException("make has not run");
      }
      return made;
    }
  }

  /** A filter that holds its keys, and what to ask it for. */
  private static final class Full {

    private final String contender;
    private final long[] keys;
    private final TakesLongs filter;
    private final LongStreams streams;

    Full(String id, int count) {
      Contender known = Contender.named(id);
      known.requireItsJvm();
      contender = id;
      keys = LongStreams.keys(count);
      filter = known.emptyLongs(count);
      LongLoops.putAll(filter, keys);
      streams = new LongStreams(keys);
    }
  }
}
