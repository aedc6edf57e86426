package dev.tamis.crawler.queue;

import dev.tamis.DropAware;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Sized.Capacity;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The set of keys seen: a filter, and with exact confirmation also a map on disk that verifies the
 * filter's positives.
 *
 * @param isShared whether other queues put into the filter as well
 * @param earlierDrops the wrong drops expected from before the filter was read
 */
record SeenKeys(
    HashedMutableFilter<? super String> filter,
    boolean isShared,
    double earlierDrops,
    @Nullable StoredMap<String, Boolean> exact) {

  static SeenKeys of(HashedMutableFilter<CharSequence> filter, double earlierDrops) {
    return new SeenKeys(filter, false, earlierDrops, null);
  }

  /** Relies on a filter that other queues put into as well, and that is stored elsewhere. */
  static SeenKeys shared(HashedMutableFilter<? super String> filter) {
    return new SeenKeys(filter, true, 0, null);
  }

  /** Verifies the filter's positives against the keys in the store. */
  static SeenKeys confirmed(HashedMutableFilter<CharSequence> filter, QueueStore store) {
    return new SeenKeys(filter, false, 0, store.map("seen", StoredType.TEXT, StoredType.PRESENT));
  }

  /** Returns the hash of a key. Thread-safe. */
  long hashOf(String key) {
    return filter.hashOf(key);
  }

  /** Looks a key up before it is put; a shared filter is not queried, as its put decides. */
  Lookup lookUp(String key, long hash) {
    return new Lookup(hash, isShared ? Outcome.UNDECIDED : query(key, hash));
  }

  boolean contains(String key, long hash) {
    return query(key, hash) == Outcome.SEEN;
  }

  private Outcome query(String key, long hash) {
    if (!filter.mightContainHash(hash)) {
      return Outcome.NEW;
    }
    return exact == null || exact.containsKey(key) ? Outcome.SEEN : Outcome.FALSE_POSITIVE;
  }

  /** Puts a key into a shared filter; returns whether it was new to it. */
  boolean putIfAbsent(long hash) {
    return filter.putHash(hash);
  }

  /** Puts several keys into a shared filter at once; returns which of them were new to it. */
  boolean[] putIfAbsent(long[] hashes) {
    boolean[] first = new boolean[hashes.length];
    filter.putHashes(hashes, hashes.length, first);
    return first;
  }

  /** Adds a key unless the lookup found it; returns whether it was added. */
  boolean add(String key, Lookup lookup) {
    if (lookup.isSeen()) {
      return false;
    }
    filter.putHash(lookup.hash());
    if (exact != null) {
      exact.put(key, Boolean.TRUE);
    }
    return true;
  }

  /** Replays a change that the store already has and the filter does not. */
  void addToFilter(Change change) {
    if (change instanceof Change.Accepted accepted) {
      filter.put(accepted.key());
    } else if (change instanceof Change.Marked marked) {
      filter.put(marked.key());
    }
  }

  /** Returns how many keys were seen, given the number this queue counted itself. */
  long keys(long counted) {
    return isShared ? filter.acceptedKeys() : counted;
  }

  /** Returns whether the map on disk, if there is one, has this many keys. */
  boolean hasKeys(long keys) {
    return exact == null || exact.size() == keys;
  }

  /** Returns the probability that a new key is taken for a seen one. */
  double expectedFpp() {
    return exact != null ? 0 : filter.expectedFpp();
  }

  /**
   * Returns whether new keys are lost, because the filter is far over its capacity.
   *
   * @param fpp what {@link #expectedFpp} returned, which reads all of a filter on a server
   */
  boolean isOverfull(double fpp) {
    return Capacity.of(filter).map(capacity -> capacity.isOverfull(fpp)).orElse(false);
  }

  /** Returns how many new keys are expected to have been taken for seen ones, if known. */
  OptionalDouble expectedWrongDrops() {
    if (exact != null) {
      return OptionalDouble.of(0);
    }
    return filter instanceof DropAware aware
        ? OptionalDouble.of(earlierDrops + aware.expectedWrongDrops())
        : OptionalDouble.empty();
  }

  /**
   * Result of a lookup, reused when the key is added so that a push hashes and queries once.
   *
   * @param hash the key's hash
   * @param outcome what was found
   */
  record Lookup(long hash, Outcome outcome) {

    boolean isSeen() {
      return outcome == Outcome.SEEN;
    }
  }

  enum Outcome {
    /** The key was not seen. */
    NEW,
    /** The key was seen, as far as is known. */
    SEEN,
    /** The filter reported the key, and the map on disk does not have it. */
    FALSE_POSITIVE,
    /** Only a put into the shared filter tells. */
    UNDECIDED
  }
}
