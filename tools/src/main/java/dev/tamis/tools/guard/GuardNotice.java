package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event that the operator of a guard should know about.
 *
 * @param kind what happened
 * @param state the state of the guard after it
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
    /** There is no saved filter, or it cannot be used: rebuild. */
    NOT_LOADED(System.Logger.Level.WARNING),
    /** A rebuild is finished and its filter is in use. */
    REBUILT(System.Logger.Level.INFO),
    /** A rebuild failed; everything is as it was before. */
    REBUILD_FAILED(System.Logger.Level.WARNING),
    /** The share of removed keys has passed the limit: rebuild. */
    STALE(System.Logger.Level.WARNING),
    /** There are more keys than the filter was built for, so its fpp rises: rebuild. */
    OVER_FULL(System.Logger.Level.WARNING),
    /** The filter could not take a key and was abandoned: rebuild. */
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

  /** Sends notices to the log and to the listener. */
  static final class Sender {

    private static final System.Logger LOG = System.getLogger("dev.tamis.tools.guard");

    private final String name;
    private final Consumer<? super GuardNotice> listener;

    Sender(String name, Consumer<? super GuardNotice> listener) {
      this.name = name;
      this.listener = listener;
    }

    void send(Kind kind, GuardState state, String message) {
      send(kind, state, message, null);
    }

    void send(Kind kind, GuardState state, String message, @Nullable Throwable cause) {
      LOG.log(kind.level(), "Store guard \"" + name + "\" is " + state + ": " + message, cause);
      try {
        listener.accept(new GuardNotice(kind, state, message, Optional.ofNullable(cause)));
      } catch (RuntimeException e) {
        // a broken listener must not stop a put half way
        LOG.log(
            System.Logger.Level.WARNING, "The listener of store guard \"" + name + "\" failed", e);
      }
    }

    /**
     * Reports a rebuild that failed, and interrupts the thread again if that was why.
     *
     * @param outcome which filter is in use now
     * @param keys keys read before the failure
     */
    RebuildFailedException rebuildFailed(
        GuardState state, String outcome, long keys, Exception cause) {
      String reason = "after " + keys + " keys: " + cause;
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        reason = "interrupted after " + keys + " keys";
      }
      send(Kind.REBUILD_FAILED, state, "a rebuild failed " + reason + ". " + outcome, cause);
      return new RebuildFailedException("the rebuild failed " + reason, cause);
    }
  }
}
