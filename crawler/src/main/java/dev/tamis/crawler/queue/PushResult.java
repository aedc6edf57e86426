package dev.tamis.crawler.queue;

import java.util.Optional;

/**
 * What became of a URL that was pushed.
 *
 * @param status what was done
 * @param rejection why it was rejected; present with {@link Status#REJECTED} alone
 */
public record PushResult(Status status, Optional<Rejection> rejection) {

  static final PushResult ACCEPTED = new PushResult(Status.ACCEPTED, Optional.empty());
  static final PushResult DUPLICATE = new PushResult(Status.DUPLICATE, Optional.empty());
  static final PushResult FULL = new PushResult(Status.FULL, Optional.empty());

  /** Checks that a rejection, and nothing else, has a reason. */
  public PushResult {
    if ((status == Status.REJECTED) != rejection.isPresent()) {
      throw new IllegalArgumentException(
          "a rejection, and nothing else, has a reason: got " + status + " with " + rejection);
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
    /** It is new and will be delivered. */
    ACCEPTED,
    /** Its key was seen before: nothing was done. */
    DUPLICATE,
    /** The queue is not for such URLs: nothing was done. */
    REJECTED,
    /** It is new, but the queue holds as many keys as it was built for: nothing was done. */
    FULL
  }

  /** Kinds of reasons for which a URL is rejected. */
  public enum Reason {
    /** It is no URL, or has characters that no URL has. */
    UNPARSABLE,
    /** It has more bytes than a URL may have here. */
    TOO_LONG,
    /** The scope does not contain it. */
    OUT_OF_SCOPE,
    /** As many URLs of its host as may be were accepted already. */
    HOST_LIMIT
  }

  /**
   * Why a URL was rejected.
   *
   * @param reason the kind of reason, for programs
   * @param detail what was found and what was expected, for people
   */
  public record Rejection(Reason reason, String detail) {}
}
