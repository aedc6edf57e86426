package dev.tamis.crawler.queue;

import java.util.Optional;

/**
 * Result of a push.
 *
 * @param status what was done
 * @param rejection why the URL was rejected; present only with {@link Status#REJECTED}
 */
public record PushResult(Status status, Optional<Rejection> rejection) {

  static final PushResult ACCEPTED = new PushResult(Status.ACCEPTED, Optional.empty());
  static final PushResult DUPLICATE = new PushResult(Status.DUPLICATE, Optional.empty());
  static final PushResult FULL = new PushResult(Status.FULL, Optional.empty());

  /** Checks that a reason is present exactly for a rejection. */
  public PushResult {
    if ((status == Status.REJECTED) != rejection.isPresent()) {
      throw new IllegalArgumentException(
          "rejection: must be present exactly with REJECTED, got " + rejection + " with " + status);
    }
  }

  static PushResult rejected(Reason reason, String detail) {
    return new PushResult(Status.REJECTED, Optional.of(new Rejection(reason, detail)));
  }

  /** Returns whether the URL is in the queue because of this push. */
  public boolean isAccepted() {
    return status == Status.ACCEPTED;
  }

  /** What was done with the URL. */
  public enum Status {
    /** It is new, and will be delivered. */
    ACCEPTED,
    /** Its key was seen before; it was not added. */
    DUPLICATE,
    /** It violates the rules of the queue; it was not added. */
    REJECTED,
    /** It is new, but the queue has seen as many keys as it was built for; it was not added. */
    FULL
  }

  /** Why a URL is rejected, by kind. */
  public enum Reason {
    /** It is not a URL, or has illegal characters. */
    UNPARSABLE,
    /** It has more bytes than the limit. */
    TOO_LONG,
    /** It is not in scope. */
    OUT_OF_SCOPE,
    /** As many URLs of its host as the limit were accepted already. */
    HOST_LIMIT
  }

  /**
   * Why a URL was rejected.
   *
   * @param reason the kind of reason, for programs
   * @param detail what was expected and what was found, for people
   */
  public record Rejection(Reason reason, String detail) {}
}
