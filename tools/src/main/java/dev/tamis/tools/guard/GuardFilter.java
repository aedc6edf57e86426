package dev.tamis.tools.guard;

import dev.tamis.HashedMutableFilter;
import dev.tamis.RemovableFilter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A filter of a guard, with the number of its keys that the store no longer has. */
final class GuardFilter<K> {

  private final HashedMutableFilter<K> filter;
  private final @Nullable RemovableFilter<K> removable;
  private final long expectedKeys;
  private final AtomicLong staleKeys = new AtomicLong();
  private final AtomicBoolean overFull = new AtomicBoolean();
  private volatile GetStats before = GetStats.NONE;

  /** Wraps a filter whose fpp rises above {@code expectedKeys}; never if that is the maximum. */
  GuardFilter(HashedMutableFilter<K> filter, long expectedKeys) {
    this.filter = filter;
    this.removable = filter instanceof RemovableFilter<K> other ? other : null;
    this.expectedKeys = expectedKeys;
  }

  HashedMutableFilter<K> filter() {
    return filter;
  }

  /** Takes back one put of a key; does nothing where the filter cannot. */
  void remove(K key) {
    if (removable != null) {
      boolean unused = removable.remove(key);
    }
  }

  /** Returns how often a key counts; 0 where the filter cannot tell. */
  long count(K key) {
    return removable == null ? 0 : removable.approximateCount(key);
  }

  /** Counts a key that stays in the filter though the store does not have it. */
  void addStale() {
    staleKeys.incrementAndGet();
  }

  /** Takes back one {@link #addStale}: a removed key has come back. */
  void dropStale() {
    staleKeys.decrementAndGet(); // below zero for a moment, if the key's removal is counted later
  }

  long staleKeys() {
    return Math.max(0, staleKeys.get());
  }

  /** Returns the share of the filter's keys that the store no longer has, in [0, 1]. */
  double staleShare() {
    return Math.min(1, (double) staleKeys() / Math.max(1, filter.acceptedKeys()));
  }

  /**
   * Returns the upper end of the estimated number of keys, from the set bits, since puts into a
   * full filter count too few. A filter built for that number does not start over capacity.
   */
  long mostKeys() {
    double most = filter.approximateElementCount().high();
    long taken = filter.acceptedKeys();
    return Double.isFinite(most) ? Math.max(taken, Math.round(most)) : 2 * taken;
  }

  /** Returns true once, to one caller, when there are more keys than the filter was built for. */
  boolean becameOverFull() {
    return filter.acceptedKeys() > expectedKeys && overFull.compareAndSet(false, true);
  }

  /** Records the counters at the moment this filter took over. */
  void tookOverAt(GetStats counters) {
    before = counters;
  }

  /** Returns the gets counted since this filter took over. */
  GetStats since(GetStats counters) {
    return counters.since(before);
  }
}
