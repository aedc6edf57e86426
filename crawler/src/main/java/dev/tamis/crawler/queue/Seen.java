package dev.tamis.crawler.queue;

import dev.tamis.DropAware;
import dev.tamis.HashedMutableFilter;
import java.util.OptionalDouble;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/** The keys that were seen: in a filter, and also on disk where its answers are confirmed. */
final class Seen {

  private static final byte[] NOTHING = {};

  private final HashedMutableFilter<? super String> filter;
  private final boolean shared;
  private final @Nullable MVMap<String, byte[]> exact;
  private final double earlierDrops;

  private Seen(
      HashedMutableFilter<? super String> filter,
      boolean shared,
      double earlierDrops,
      @Nullable MVMap<String, byte[]> exact) {
    this.filter = filter;
    this.shared = shared;
    this.earlierDrops = earlierDrops;
    this.exact = exact;
  }

  /**
   * Answers by the filter alone.
   *
   * @param earlierDrops the wrong drops to be expected from before the filter was read
   */
  static Seen of(HashedMutableFilter<CharSequence> filter, double earlierDrops) {
    return new Seen(filter, false, earlierDrops, null);
  }

  /** Answers by a filter that others put into too, and that keeps itself. */
  static Seen shared(HashedMutableFilter<? super String> filter) {
    return new Seen(filter, true, 0, null);
  }

  /** Answers by the filter, and where it says yes, by the keys in the store. */
  static Seen confirmed(HashedMutableFilter<CharSequence> filter, MVStore store) {
    return new Seen(
        filter,
        false,
        0,
        store.openMap(
            "seen",
            new MVMap.Builder<String, byte[]>()
                .keyType(StoredType.TEXT)
                .valueType(ByteArrayDataType.INSTANCE)));
  }

  /** Returns the hash that the other methods take. Any thread may call it at any time. */
  long hashOf(String key) {
    return filter.hashOf(key);
  }

  /** Returns whether others put into the filter too. */
  boolean isShared() {
    return shared;
  }

  /** Puts a key into a shared filter; returns whether it was new there. */
  boolean putFirst(long hash) {
    return filter.putHash(hash);
  }

  /** Returns how many keys were seen, of which this queue has counted so many. */
  long keys(long counted) {
    return shared ? filter.acceptedKeys() : counted;
  }

  /** Says whether a key was seen. */
  Answer ask(String key, long hash) {
    if (!filter.mightContainHash(hash)) {
      return Answer.NEW;
    }
    return exact == null || exact.containsKey(key) ? Answer.SEEN : Answer.RESCUED;
  }

  /** Notes that a key was seen. */
  void add(String key, long hash) {
    filter.putHash(hash);
    if (exact != null) {
      exact.put(key, NOTHING);
    }
  }

  /** Notes a key that the store has, but not the filter. */
  void addToFilter(Change change) {
    if (change instanceof Change.Accepted accepted) {
      filter.put(accepted.key());
    } else if (change instanceof Change.Marked marked) {
      filter.put(marked.key());
    }
  }

  /** Returns whether there are so many keys on disk, if keys are on disk. */
  boolean has(long keys) {
    return exact == null || exact.sizeAsLong() == keys;
  }

  /** Returns the probability that a new key is taken for a seen one. */
  double expectedFpp() {
    return exact != null ? 0 : filter.expectedFpp();
  }

  /** Returns how many new keys are expected to have been taken for seen ones. */
  OptionalDouble expectedWrongDrops() {
    if (exact != null) {
      return OptionalDouble.of(0);
    }
    return filter instanceof DropAware aware
        ? OptionalDouble.of(earlierDrops + aware.expectedWrongDrops())
        : OptionalDouble.empty();
  }

  /** Returns the filter. */
  HashedMutableFilter<? super String> filter() {
    return filter;
  }

  /** What is known of a key. */
  enum Answer {
    /** It was not seen. */
    NEW,
    /** It was seen, as far as is known. */
    SEEN,
    /** It was not seen, but the filter alone would have said so. */
    RESCUED
  }
}
