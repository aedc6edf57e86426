package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.PushResult.Reason;
import java.util.Optional;

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
    Optional<PushResult> refusal = refusal(verdict.host(), purpose);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    if (answer == Seen.Answer.RESCUED) {
      contents.counts().rescued++;
    }
    return PushResult.ACCEPTED;
  }

  /** Says why a URL could not come in even if it is new. */
  Optional<PushResult> refusal(String host, Purpose purpose) {
    if (purpose == Purpose.VISIT && isOneTooMany(host)) {
      return Optional.of(
          PushResult.rejected(
              Reason.HOST_LIMIT,
              "is one too many of " + host + ", at most " + parameters.maxPerHost() + " may be"));
    }
    return parameters.onFull() == OnFull.REFUSE && contents.seenKeys() >= parameters.expectedKeys()
        ? Optional.of(PushResult.FULL)
        : Optional.empty();
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
