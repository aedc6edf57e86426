package dev.tamis;

import java.util.Optional;

/**
 * A filter or sketch that can be merged with another of its kind, copied and cleared.
 *
 * <p>Parts of the data can be put into filters of their own, on several threads or machines, and
 * merged afterwards.
 *
 * @param <F> the kind itself
 */
public interface Mergeable<F extends Mergeable<F>> {

  /**
   * Merges {@code other} into this: afterwards this is as if all of its keys had been put here.
   *
   * @throws IllegalArgumentException if the two are not {@linkplain #isCompatible compatible},
   *     naming what differs; nothing has changed then
   */
  void putAll(F other);

  /** Returns the traits of this; two of a kind can be merged if those that must match agree. */
  Traits traits();

  /** Returns the first difference that prevents a merge, with both values; empty if compatible. */
  default Optional<String> incompatibility(F other) {
    return traits().difference(other.traits());
  }

  /** Returns whether parameters and hash function agree; the hashers cannot be compared. */
  default boolean isCompatible(F other) {
    return incompatibility(other).isEmpty();
  }

  /** Throws {@link IllegalArgumentException} unless compatible, naming what differs. */
  default void requireCompatible(F other) {
    incompatibility(other)
        .ifPresent(
            difference -> {
              throw new IllegalArgumentException("the two are not compatible: " + difference);
            });
  }

  /** Returns an independent copy with the same contents. */
  F copy();

  /** Removes all keys. */
  void clear();
}
