package dev.tamis.kit.queue;

import dev.tamis.kit.queue.PushResult.Reason;

/**
 * Says which URLs come in, by what the queue holds.
 *
 * @param contents what it holds
 * @param parameters what it is for
 */
record Admission(Contents contents, Parameters parameters) {

  /** Decides about a URL that is fit. Changes nothing but a count. */
  PushResult decide(Rules.Verdict verdict, long hash, Purpose purpose) {
    Seen.Answer answer = contents.seen().ask(verdict.key(), hash);
    if (answer == Seen.Answer.SEEN) {
      return purpose == Purpose.AGAIN ? PushResult.ACCEPTED : PushResult.DUPLICATE;
    }
    if (purpose == Purpose.VISIT && isOneTooMany(verdict.host())) {
      return PushResult.rejected(
          Reason.HOST_LIMIT,
          "is one too many of "
              + verdict.host()
              + ", at most "
              + parameters.maxPerHost()
              + " may be");
    }
    if (parameters.onFull() == OnFull.REFUSE
        && contents.counts().seenKeys >= parameters.expectedKeys()) {
      return PushResult.FULL;
    }
    if (answer == Seen.Answer.RESCUED) {
      contents.counts().rescued++;
    }
    return PushResult.ACCEPTED;
  }

  private boolean isOneTooMany(String host) {
    return parameters.byHost() && contents.waiting().accepted(host) >= parameters.maxPerHost();
  }

  /** What a URL is handed in for. */
  enum Purpose {
    /** To be visited if it was not seen. */
    VISIT,
    /** To be visited in any case. */
    AGAIN,
    /** To have been seen. */
    MARK
  }
}
