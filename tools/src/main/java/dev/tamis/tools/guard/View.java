package dev.tamis.tools.guard;

import org.jspecify.annotations.Nullable;

/**
 * What the threads of a guard go by at one moment; replaced as a whole.
 *
 * @param active holds every key of the store; null if there is no such filter
 * @param next the filter of a rebuild that is under way; null if there is none
 * @param stale whether too many of the active filter's keys are gone from the store
 * @param disabled whether the guard is switched off
 * @param writers those who write under this view, and under others between the same two waits
 */
record View<K>(
    @Nullable Generation<K> active,
    @Nullable Generation<K> next,
    boolean stale,
    boolean disabled,
    Writers writers) {

  GuardState state() {
    if (disabled) {
      return GuardState.DISABLED;
    }
    if (active == null) {
      return GuardState.REBUILDING;
    }
    return stale ? GuardState.STALE : GuardState.READY;
  }

  /** Returns the filter that may answer, or null if the store has to. */
  @Nullable Generation<K> answering() {
    return state() == GuardState.READY ? active : null;
  }

  /** Returns this view for writers of its own. */
  View<K> withNewWriters() {
    return new View<>(active, next, stale, disabled, new Writers(writers));
  }

  View<K> withNext(@Nullable Generation<K> generation) {
    return new View<>(active, generation, stale, disabled, writers);
  }

  /** Returns this view with another active filter, of which nothing is stale. */
  View<K> withActive(@Nullable Generation<K> generation) {
    return new View<>(generation, next, false, disabled, writers);
  }

  View<K> withStale() {
    return new View<>(active, next, true, disabled, writers);
  }

  View<K> withDisabled(boolean off) {
    return new View<>(active, next, stale, off, writers);
  }
}
