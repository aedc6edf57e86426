package dev.tamis.tools.guard;

import dev.tamis.HashedFilter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Queries the filter and reads the store, counting the results and timing both. */
final class GuardMeter {

  /** One query of the filter in 64 is timed: reading the clock twice takes longer than a query. */
  private static final int ASKS_PER_SAMPLE = 64;

  private final LongSupplier nanoClock;
  private final LongAdder skipped = new LongAdder();
  private final LongAdder found = new LongAdder();
  private final LongAdder falsePositives = new LongAdder();
  private final LongAdder failedReads = new LongAdder();
  private final LongAdder passedThrough = new LongAdder();
  private final LongAdder timedAsks = new LongAdder();
  private final LongAdder askNanos = new LongAdder();
  private final LongAdder absentReads = new LongAdder();
  private final LongAdder absentNanos = new LongAdder();
  private final LongAdder foundReads = new LongAdder();
  private final LongAdder foundNanos = new LongAdder();

  /** Plain on purpose: a count lost to a race only moves the next sample. */
  private int asks;

  GuardMeter(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  <K> boolean ask(GuardFilter<K> filter, K key) {
    if (asks++ % ASKS_PER_SAMPLE != 0) {
      return filter.filter().mightContain(key);
    }
    long start = nanos();
    boolean maybe = filter.filter().mightContain(key);
    askNanos.add(nanos() - start);
    timedAsks.increment();
    return maybe;
  }

  /** Queries a filter for several keys in bulk. */
  void askAll(HashedFilter<?> filter, long[] hashes, boolean[] answers) {
    long start = nanos();
    filter.mightContainHashes(hashes, hashes.length, answers);
    askNanos.add(nanos() - start);
    timedAsks.add(hashes.length);
  }

  /** Counts a key that was not looked up in the store. */
  void skip() {
    skipped.increment();
  }

  /** Reads a key from the store; {@code asked} tells whether the filter was queried before. */
  <K, V> @Nullable V read(StoreReader<K, V> reader, K key, boolean asked) {
    boolean done = false;
    long start = nanos();
    try {
      V value = reader.get(key);
      count(asked, 1, value == null ? 0 : 1, nanos() - start);
      done = true;
      return value;
    } finally {
      countFailure(done, asked, 1);
    }
  }

  /** Reads several keys at once, like {@link #read}. */
  <K, V> Map<K, V> readAll(StoreReader<K, V> reader, List<K> keys, boolean asked) {
    boolean done = false;
    long start = nanos();
    try {
      Map<K, V> values = reader.getAll(keys);
      long present = keys.stream().filter(values::containsKey).count();
      count(asked, keys.size(), present, nanos() - start);
      done = true;
      return values;
    } finally {
      countFailure(done, asked, keys.size());
    }
  }

  private void countFailure(boolean done, boolean asked, int keys) {
    if (!done) {
      (asked ? failedReads : passedThrough).add(keys);
    }
  }

  private void count(boolean asked, long keys, long present, long nanos) {
    long absent = keys - present;
    if (asked) {
      found.add(present);
      falsePositives.add(absent);
    } else {
      passedThrough.add(keys);
    }
    foundReads.add(present);
    absentReads.add(absent);
    foundNanos.add(nanos * present / keys);
    absentNanos.add(nanos * absent / keys);
  }

  GetStats gets() {
    return new GetStats(
        skipped.sum(), found.sum(), falsePositives.sum(), failedReads.sum(), passedThrough.sum());
  }

  Times times() {
    return new Times(
        timedAsks.sum(),
        askNanos.sum(),
        absentReads.sum(),
        absentNanos.sum(),
        foundReads.sum(),
        foundNanos.sum());
  }

  long nanos() {
    return nanoClock.getAsLong();
  }

  /**
   * Total times in nanoseconds, with the number of operations that took them.
   *
   * @param asks timed queries of the filter
   * @param absentReads keys that the store did not have
   * @param foundReads keys that the store had
   */
  record Times(
      long asks,
      double askNanos,
      long absentReads,
      double absentNanos,
      long foundReads,
      double foundNanos) {

    long allReads() {
      return absentReads + foundReads;
    }

    double nanosOfAllReads() {
      return absentNanos + foundNanos;
    }
  }
}
