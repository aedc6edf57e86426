package dev.tamis.bench.peers;

import dev.tamis.HashedFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Time of lookups in bulk in a filter far larger than a cache.
 *
 * <p>For comparison, in the same JVM: single lookups, and random loads of lines from an array of
 * the same size, which are what memory allows.
 */
public class BulkLookup extends Filled {

  private static final int BATCH = 50_000;

  /** Hashes in one call, as a caller would have them: small enough for the nearest cache. */
  private static final int CALL = 500;

  private static final int LINE_WORDS = 8;

  private static final int LENGTH = LongStreams.LENGTH;
  private static final long PUT_SEED = 1;
  private static final long ABSENT_SEED = 2;
  private static final double BITS_PER_KEY = 10.1; // of the default layout at 1 %
  private static final double BITS_PER_MEBIBYTE = 1 << 23;

  /** Which filter. */
  @Param({"tamis"})
  public String contender = "";

  /** Size of the filter in MiB. */
  @Param("1024")
  public int mebibytes;

  private static final Kept<Full> KEPT = new Kept<>();

  private final long[] call = new long[CALL];
  private final boolean[] answers = new boolean[CALL];

  /** Queries hashes in batches. */
  public BulkLookup() {
    super(BATCH, LENGTH);
  }

  /** Fills the filter and measures its fpp, unless the benchmark before has done it. */
  @Setup(Level.Trial)
  public void fill() {
    full();
  }

  private Full full() {
    return KEPT.get(List.of(contender, mebibytes), () -> new Full(contender, mebibytes));
  }

  /** Queries present hashes in bulk. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int bulkHit() {
    return bulk(full().present);
  }

  /** Queries absent hashes in bulk. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int bulkMiss() {
    return bulk(full().absent);
  }

  /** Queries present hashes one by one. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int singleHit() {
    return single(full().present);
  }

  /** Queries absent hashes one by one. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int singleMiss() {
    return single(full().absent);
  }

  /** Loads lines of an array of the size of the filter. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long loads() {
    long[] words = full().beside;
    long[] hashes = full().absent;
    int lines = words.length / LINE_WORDS;
    long sum = 0;
    for (int i = from; i < from + BATCH; i++) {
      int line = (int) (((hashes[i] >>> Integer.SIZE) * lines) >>> Integer.SIZE);
      int first = line * LINE_WORDS;
      sum +=
          (words[first] ^ words[first + 1])
              + (words[first + 2] ^ words[first + 3])
              + (words[first + 4] ^ words[first + 5])
              + (words[first + 6] ^ words[first + 7]);
    }
    return sum;
  }

  private int bulk(long[] stream) {
    HashedFilter<Long> filter = full().filter;
    int count = 0;
    for (int i = from; i < from + BATCH; i += CALL) {
      System.arraycopy(stream, i, call, 0, CALL);
      filter.mightContainHashes(call, CALL, answers);
      for (boolean answer : answers) {
        count += answer ? 1 : 0;
      }
    }
    return count;
  }

  private int single(long[] stream) {
    HashedFilter<Long> filter = full().filter;
    int count = 0;
    for (int i = from; i < from + BATCH; i++) {
      if (filter.mightContainHash(stream[i])) {
        count++;
      }
    }
    return count;
  }

  /** A filled filter, its queries, and as much memory again. */
  private static final class Full {

    private final BloomFilter<Long> filter;
    private final long[] beside;
    private final long[] present = new long[LENGTH];
    private final long[] absent = new SplittableRandom(ABSENT_SEED).longs(LENGTH).toArray();

    Full(String id, int mebibytes) {
      Contender.named(id).requireItsJvm();
      int calls = (int) (mebibytes * BITS_PER_MEBIBYTE / BITS_PER_KEY / CALL);
      long keys = (long) calls * CALL;
      filter = BloomFilter.create(KeyHasher.longs(), keys, Contender.FPP);
      put(calls);
      int found = 0;
      int wrong = 0;
      for (int i = 0; i < LENGTH; i++) {
        found += filter.mightContainHash(present[i]) ? 1 : 0;
        wrong += filter.mightContainHash(absent[i]) ? 1 : 0;
      }
      Achieved.report(id, filter.bitSize(), keys, LENGTH, found, wrong);
      beside = new SplittableRandom(1).longs(filter.bitSize() / Long.SIZE).toArray();
    }

    /** Puts random hashes, and keeps some of them from all over. */
    private void put(int calls) {
      SplittableRandom random = new SplittableRandom(PUT_SEED);
      long[] hashes = new long[CALL];
      boolean[] isNew = new boolean[CALL];
      int picked = 0;
      for (int done = 1; done <= calls; done++) {
        for (int i = 0; i < CALL; i++) {
          hashes[i] = random.nextLong();
        }
        filter.putHashes(hashes, CALL, isNew);
        for (long enough = (long) LENGTH * done / calls; picked < enough; picked++) {
          present[picked] = hashes[picked % CALL];
        }
      }
    }
  }
}
