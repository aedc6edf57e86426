package dev.tamis.bench.speed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashKey;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * Time to hash a key, with and without a secret.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar speed.Hashes
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class Hashes {

  private static final int KEYS = 1_000;

  /** Which function. */
  @Param({"xxh3", "siphash"})
  public String function = "xxh3";

  private final String[] texts = new String[KEYS];
  private final byte[][] bytes = new byte[KEYS][];
  private HashFunction hash = HashFunction.xxh3(0);

  /** Makes addresses of 43 characters. */
  @Setup
  public void fill() {
    hash =
        function.equals("xxh3")
            ? HashFunction.xxh3(0)
            : HashFunction.sipHash(HashKey.of(new byte[HashKey.BYTES]));
    for (int i = 0; i < KEYS; i++) {
      texts[i] = "https://example.org/catalogue/items?page=" + (100 + i % 900);
      bytes[i] = texts[i].getBytes(UTF_8);
    }
  }

  /** Hashes longs. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public long longs() {
    long sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += hash.hashLong(i);
    }
    return sum;
  }

  /** Hashes text. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public long text() {
    long sum = 0;
    for (String text : texts) {
      sum += hash.hashText(text);
    }
    return sum;
  }

  /** Hashes the same as bytes. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public long bytes() {
    long sum = 0;
    for (byte[] key : bytes) {
      sum += hash.hashBytes(key, 0, key.length);
    }
    return sum;
  }
}
