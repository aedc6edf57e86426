package dev.tamis.bench.peers;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark of a filled filter: how it is measured, and its position in the stream of keys. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public abstract class Filled {

  private final int batch;
  private final int length;

  /** The first key of this invocation. */
  int from;

  /** A benchmark that queries {@code batch} keys of a stream of {@code length} each time. */
  Filled(int batch, int length) {
    this.batch = batch;
    this.length = length;
  }

  /** Moves on in the stream of keys. */
  @Setup(Level.Invocation)
  public void advance() {
    from = (from + batch) % length;
  }

  /** What one trial has filled, kept for the next one with the same parameters. */
  static final class Kept<F> {

    private @Nullable Object parameters;
    private @Nullable F filled;

    F get(Object wanted, Supplier<F> fill) {
      F known = filled;
      if (known == null || !wanted.equals(parameters)) {
        filled = null; // the memory of the one before is needed for the next
        known = fill.get();
        filled = known;
        parameters = wanted;
      }
      return known;
    }
  }
}
