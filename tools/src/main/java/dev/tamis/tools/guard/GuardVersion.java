package dev.tamis.tools.guard;

import org.jspecify.annotations.Nullable;

/**
 * One immutable version of what the threads of a guard go by; a change publishes the next one.
 *
 * <p>This is read-copy-update: threads read the published version without a lock, and a change that
 * depends on nobody going by an older one waits for its {@link GracePeriod}.
 *
 * @param active holds every key of the store; null if there is no such filter
 * @param next the filter of a rebuild in progress; null if there is none
 * @param stale whether too many of the active filter's keys are gone from the store
 * @param disabled whether the guard is switched off
 * @param gracePeriod ends when nobody writes under this version any more, nor under others that
 *     share it
 */
record GuardVersion<K>(
    @Nullable GuardFilter<K> active,
    @Nullable GuardFilter<K> next,
    boolean stale,
    boolean disabled,
    GracePeriod gracePeriod) {

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
  @Nullable GuardFilter<K> answering() {
    return state() == GuardState.READY ? active : null;
  }

  /** Returns this version with a grace period of its own. */
  GuardVersion<K> withNewGracePeriod() {
    return new GuardVersion<>(active, next, stale, disabled, new GracePeriod(gracePeriod));
  }

  GuardVersion<K> withNext(@Nullable GuardFilter<K> filter) {
    return new GuardVersion<>(active, filter, stale, disabled, gracePeriod);
  }

  /** Returns this version with another active filter, of which nothing is stale. */
  GuardVersion<K> withActive(@Nullable GuardFilter<K> filter) {
    return new GuardVersion<>(filter, next, false, disabled, gracePeriod);
  }

  GuardVersion<K> withStale() {
    return new GuardVersion<>(active, next, true, disabled, gracePeriod);
  }

  GuardVersion<K> withDisabled(boolean off) {
    return new GuardVersion<>(active, next, stale, off, gracePeriod);
  }
}
