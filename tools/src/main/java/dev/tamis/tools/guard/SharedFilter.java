package dev.tamis.tools.guard;

import dev.tamis.HashedMutableFilter;

/**
 * Where the filter is that several guards share, in processes of their own.
 *
 * <p>There is at most one filter in force. Whoever holds one that is not, because it was replaced
 * or its server lost it, must get an exception from the next call that asks it or puts into it, and
 * never an answer. Whoever puts must get an exception unless the filter in force has the key.
 * Everything that goes wrong is a {@link RuntimeException}.
 *
 * @param <K> the type of key
 */
public interface SharedFilter<K> {

  /** Returns the filter in force; if there is none, makes an empty one that is from now on. */
  HashedMutableFilter<K> open();

  /** Makes an empty filter that is in force from now on, in place of the one that was. */
  HashedMutableFilter<K> replace();
}
