package dev.tamis.bench.speed;

import dev.tamis.HashedMutableFilter;
import dev.tamis.RemovableFilter;
import dev.tamis.bench.Member;
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
 * Time of one put, hit, miss and remove for every filter of the family, in and out of the cache.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar speed.Family -rf json -rff family.json
 * bench/ratios family.json
 * </pre>
 *
 * <p>Part of it: {@code 'Family.(hit|miss)' -p filter=fuse,classic -p fpp=0.01 -p keys=100000}. A
 * static filter named for put or remove fails by name, and the rest goes on.
 *
 * <p>All use the overloads for hashes, with random longs, so no hash function is measured. Puts are
 * the mean from an empty filter to one as full as planned, and removals the mean from there to
 * empty; only the windowed filter takes its puts in the state it stays in. One iteration of those
 * two is 1e7 of them: a filter of 1e7 keys once, or a hundred of 1e5 in turn.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms4g", "-Xmx4g"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class Family {

  private static final int BATCH = 100_000;
  private static final int BATCHES = 100;

  /** The keys queried: more than a branch predictor remembers, and than a cache has lines. */
  private static final int ASKED = 10 * BATCH;

  /** Queries present keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int hit(Full full) {
    return count(full.ask, full.present, full.nextBatch());
  }

  /** Queries absent keys. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int miss(Full full) {
    return count(full.ask, full.absent, full.nextBatch());
  }

  /** Puts keys that are new. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @Warmup(iterations = 1, batchSize = BATCHES)
  @Measurement(iterations = 3, batchSize = BATCHES)
  @OperationsPerInvocation(BATCH * BATCHES) // JMH does not multiply by the batches
  public int put(Filling filling) {
    return count(filling.put, filling.hashes, 0);
  }

  /** Removes keys that are there. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @Warmup(iterations = 1, batchSize = BATCHES)
  @Measurement(iterations = 3, batchSize = BATCHES)
  @OperationsPerInvocation(BATCH * BATCHES) // JMH does not multiply by the batches
  public int remove(Emptying emptying) {
    return count(emptying.remove, emptying.hashes, 0);
  }

  private static int count(LongPredicate predicate, long[] hashes, int from) {
    int count = 0;
    for (int i = from; i < from + BATCH; i++) {
      if (predicate.test(hashes[i])) {
        count++;
      }
    }
    return count;
  }

  /** The parameters that all have in common. */
  @State(Scope.Thread)
  public abstract static class Sized {

    /** The requested fpp. */
    @Param({"0.01", "0.001", "0.0001"})
    public double fpp;

    /** Keys in it, a multiple of 1e5: in the cache of a core, and outside. */
    @Param({"100000", "10000000"})
    public int keys;

    final SplittableRandom random(long seed) {
      if (keys % BATCH != 0) {
        throw new IllegalArgumentException("keys must be a multiple of " + BATCH + ", got " + keys);
      }
      return new SplittableRandom(seed);
    }
  }

  /** A filter with all of its keys. */
  @State(Scope.Thread)
  public static class Full extends Sized {

    /** Which filter. */
    @Param({
      "classic",
      "default",
      "counting",
      "cuckoo",
      "scalable",
      "windowed",
      "fuse",
      "fuse4",
      "ribbon"
    })
    public String filter = "";

    private final long[] present = new long[ASKED];
    private final long[] absent = new long[ASKED];
    private LongPredicate ask = hash -> false;
    private int batch;

    /** Fills the filter and picks the keys to query. */
    @Setup(Level.Trial)
    public void fill() {
      ask = Member.named(filter).full(keys, fpp, random(1)::nextLong)::mightContainHash;
      SplittableRandom random = random(1);
      int picked = 0;
      for (long i = 1; i <= keys; i++) {
        long hash = random.nextLong();
        while (picked < i * ASKED / keys) { // evenly spread, or each several times
          present[picked++] = hash;
        }
      }
      SplittableRandom other = random(2);
      for (int i = 0; i < ASKED; i++) {
        absent[i] = other.nextLong();
        int j = other.nextInt(i + 1); // shuffled: in the order of putting, stage after stage is hit
        long swapped = present[i];
        present[i] = present[j];
        present[j] = swapped;
      }
    }

    private int nextBatch() {
      batch = (batch + BATCH) % ASKED;
      return batch;
    }
  }

  /** Keys that were never put, and a filter with room for them. */
  @State(Scope.Thread)
  public static class Filling extends Sized {

    /** Which filter; one that takes puts. */
    @Param({"classic", "default", "counting", "cuckoo", "scalable", "windowed"})
    public String filter = "";

    private final long[] hashes = new long[BATCH];
    private SplittableRandom random = new SplittableRandom(0);
    private LongPredicate put = hash -> false;
    private int room;

    /** Starts with a filter that has no room left, unless it always has. */
    @Setup(Level.Trial)
    public void begin() {
      random = random(3);
      if (Member.named(filter) == Member.WINDOWED) {
        HashedMutableFilter<Long> windowed = Member.WINDOWED.empty(keys, fpp);
        for (long i = 0; i < 2L * keys; i++) { // once around the ring and more
          boolean unused = windowed.putHash(random.nextLong());
        }
        put = windowed::putHash;
      }
    }

    /** Draws the keys, and starts over when the filter is full. */
    @Setup(Level.Invocation)
    public void draw() {
      if (room == 0) {
        if (Member.named(filter) != Member.WINDOWED) {
          put = Member.named(filter).empty(keys, fpp)::putHash;
        }
        room = keys;
      }
      room -= BATCH;
      for (int i = 0; i < BATCH; i++) {
        hashes[i] = random.nextLong();
      }
    }
  }

  /** Keys that are there to be removed. */
  @State(Scope.Thread)
  public static class Emptying extends Sized {

    /** Which filter; one that keys can leave. */
    @Param({"counting", "cuckoo"})
    public String filter = "";

    private final long[] hashes = new long[BATCH];
    private SplittableRandom random = new SplittableRandom(0);
    private LongPredicate remove = hash -> false;
    private int left;

    /** Draws the keys as they were put, and fills another filter when this one is empty. */
    @Setup(Level.Invocation)
    public void draw() {
      if (left == 0) {
        if (!(Member.named(filter).full(keys, fpp, random(4)::nextLong)
            instanceof RemovableFilter<Long> full)) {
          throw new IllegalArgumentException("no key can be removed from " + filter);
        }
        remove = full::removeHash;
        random = random(4);
        left = keys;
      }
      left -= BATCH;
      for (int i = 0; i < BATCH; i++) {
        hashes[i] = random.nextLong();
      }
    }
  }
}
