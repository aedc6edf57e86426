package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.PushResult.Reason;
import dev.tamis.crawler.queue.SeenKeys.Lookup;
import dev.tamis.crawler.queue.SeenKeys.Outcome;
import java.io.IOException;
import java.util.Optional;

/** Decides which pushes are accepted, and commits those; one thread at a time. */
final class Admission {

  /*
   * A queue's own filter is looked up and then added to, both under the queue's lock, so one logged
   * change is enough. A put into a shared filter decides which of all queues is first, and cannot be
   * undone. So it is enclosed by two changes: the claim, which is an intent record, and its outcome.
   * If the process ends or the filter throws in between, nobody knows which queue was first. The
   * claim stays open and is settled before the next claim, or when the queue is opened, by another
   * put, and the URL is accepted either way. No URL is lost, and each such event makes at most one
   * URL be visited by two queues.
   */

  private final LoggedState log;
  private final QueueState state;
  private final SeenKeys seen;
  private final Parameters parameters;

  Admission(LoggedState log, Parameters parameters) {
    this.log = log;
    this.state = log.state();
    this.seen = state.seen();
    this.parameters = parameters;
  }

  /** Accepts a URL, or returns why not. */
  PushResult push(Candidate candidate) throws IOException {
    log.persistence().checkpointIfDue();
    PushResult result = candidate.rejection().orElse(null);
    if (result == null) {
      result = decide(candidate);
    }
    if (!result.isAccepted() && candidate.purpose() != Purpose.MARK) {
      state.counts().count(result.status());
    }
    return result;
  }

  private PushResult decide(Candidate candidate) throws IOException {
    Purpose purpose = candidate.purpose();
    Optional<String> settled = settle();
    if (settled.filter(candidate.key()::equals).isPresent() && purpose != Purpose.MARK) {
      return PushResult.ACCEPTED; // by an earlier push of this key, which could not tell
    }
    Lookup lookup = seen.lookUp(candidate.key(), candidate.hash());
    boolean isSeen = lookup.isSeen();
    if (!isSeen) {
      Optional<PushResult> refusal = refusal(candidate);
      if (refusal.isPresent()) {
        isSeen =
            lookup.outcome() == Outcome.UNDECIDED
                && seen.contains(candidate.key(), candidate.hash());
        if (!isSeen) {
          return refusal.get();
        }
      }
    }
    if (isSeen && purpose != Purpose.AGAIN) {
      return PushResult.DUPLICATE;
    }
    return seen.isShared() ? claim(candidate) : accept(candidate, lookup);
  }

  /** Returns why a URL is not accepted even if its key is new. */
  private Optional<PushResult> refusal(Candidate candidate) {
    if (candidate.purpose() == Purpose.VISIT && isHostFull(candidate.host())) {
      return Optional.of(
          PushResult.rejected(
              Reason.HOST_LIMIT,
              "limit of "
                  + parameters.maxPerHost()
                  + " URLs per host reached for "
                  + candidate.host()));
    }
    return parameters.onFull() == OnFull.REJECT && state.seenKeys() >= parameters.expectedKeys()
        ? Optional.of(PushResult.FULL)
        : Optional.empty();
  }

  private boolean isHostFull(String host) {
    return parameters.byHost() && state.schedule().accepted(host) >= parameters.maxPerHost();
  }

  /** Accepts a URL on the lookup in the queue's own filter. */
  private PushResult accept(Candidate candidate, Lookup lookup) throws IOException {
    if (lookup.outcome() == Outcome.FALSE_POSITIVE) {
      state.counts().rescued++;
    }
    if (candidate.purpose() == Purpose.MARK) {
      log.commit(new Change.Marked(candidate.key(), Optional.of(lookup)));
    } else {
      QueuedUrl url =
          new QueuedUrl(
              state.counts().lastSequence + 1,
              candidate.host(),
              candidate.url(),
              /* failures= */ 0);
      log.commit(new Change.Accepted(url, candidate.key(), Optional.of(lookup)));
    }
    return PushResult.ACCEPTED;
  }

  /** Accepts a URL if its put into the shared filter is the first, or it is to be visited again. */
  private PushResult claim(Candidate candidate) throws IOException {
    if (candidate.purpose() == Purpose.MARK) {
      return seen.putFirst(candidate.hash()) ? PushResult.ACCEPTED : PushResult.DUPLICATE;
    }
    log.commit(new Change.Claimed(candidate.host(), candidate.url(), candidate.key()));
    boolean accepted = seen.putFirst(candidate.hash()) || candidate.purpose() == Purpose.AGAIN;
    log.commit(new Change.Settled(accepted ? Change.Outcome.ACCEPTED : Change.Outcome.DUPLICATE));
    return accepted ? PushResult.ACCEPTED : PushResult.DUPLICATE;
  }

  /** Settles the open claim, if there is one, and returns its key. */
  Optional<String> settle() throws IOException {
    if (!seen.isShared()) {
      return Optional.empty();
    }
    Optional<String> key = state.claim().map(Change.Claimed::key);
    if (key.isPresent()) {
      boolean first = seen.putFirst(seen.hashOf(key.get()));
      log.commit(new Change.Settled(first ? Change.Outcome.ACCEPTED : Change.Outcome.DOUBTFUL));
    }
    return key;
  }

  /**
   * A URL that is pushed, with everything that can be computed without the lock.
   *
   * @param url as it was pushed
   * @param key its key; empty if rejected
   * @param host the host it is scheduled under; empty if rejected or hosts are not told apart
   * @param hash the key's hash
   * @param purpose what it is pushed for
   * @param rejection the result, if the URL is rejected whatever the queue holds
   */
  record Candidate(
      String url,
      String key,
      String host,
      long hash,
      Purpose purpose,
      Optional<PushResult> rejection) {}

  /** What a URL is pushed for. */
  enum Purpose {
    /** To be visited if its key is new. */
    VISIT,
    /** To be visited even if its key was seen. */
    AGAIN,
    /** To be marked as seen. */
    MARK
  }
}
