package dev.tamis.tools.guard;

import dev.tamis.HashedMutableFilter;

/**
 * The place of a filter that guards in several processes share.
 *
 * <p>At most one filter is in force. Queries of and puts into any other, because it was replaced or
 * its server lost it, must throw and never answer. A put must throw unless the filter in force has
 * the key. All failures are {@link RuntimeException}s.
 */
public interface SharedFilter<K> {

  /** Returns the filter in force, or puts an empty one in force if there is none. */
  HashedMutableFilter<K> open();

  /** Puts an empty filter in force, in place of any other. */
  HashedMutableFilter<K> replace();
}
