package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * An event that the operator of a guard should know of.
 *
 * @param kind what happened
 * @param state the state of the guard since
 * @param message what happened, and what to do about it
 * @param cause the error behind it, if there was one
 */
public record GuardNotice(Kind kind, GuardState state, String message, Optional<Throwable> cause) {

  /** Checks that nothing is null. */
  public GuardNotice {
    requireNonNull(kind, "kind");
    requireNonNull(state, "state");
    requireNonNull(message, "message");
    requireNonNull(cause, "cause");
  }

  /** What can happen to a guard. */
  public enum Kind {
    /** The saved filter was read and is in use. */
    LOADED(System.Logger.Level.INFO),
    /** There is no saved filter, or none that may be used: rebuild. */
    NOT_LOADED(System.Logger.Level.WARNING),
    /** A rebuild is finished and its filter is in use. */
    REBUILT(System.Logger.Level.INFO),
    /** A rebuild failed; everything is as it was before. */
    REBUILD_FAILED(System.Logger.Level.WARNING),
    /** The share of removed keys has passed the limit: rebuild. */
    STALE(System.Logger.Level.WARNING),
    /** There are more keys than the filter was built for, so its fpp rises: rebuild. */
    OVER_FULL(System.Logger.Level.WARNING),
    /** The filter could not take a key and is given up: rebuild. */
    FILTER_LOST(System.Logger.Level.WARNING),
    /** The filter could not be saved: the next start needs a rebuild. */
    NOT_SAVED(System.Logger.Level.WARNING);

    private final System.Logger.Level level;

    Kind(System.Logger.Level level) {
      this.level = level;
    }

    /** Returns the level at which it is logged. */
    public System.Logger.Level level() {
      return level;
    }
  }
}
