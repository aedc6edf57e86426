package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.PushResult.Reason;
import dev.tamis.crawler.queue.QueueState.LoggedState;
import dev.tamis.crawler.queue.SeenKeys.Lookup;
import dev.tamis.crawler.queue.SeenKeys.Outcome;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides which pushes are accepted, and commits those; one thread at a time. */
final class Admission {

  /*
   * A queue's own filter is looked up and then added to, both under the queue's lock, so one logged
   * change is enough. A put into a shared filter decides which of all queues is first, and cannot be
   * undone. So it is enclosed by two changes: the claim, which is an intent record, and its outcome.
   * If the process ends or the filter throws in between, it is unknown which queue was first. The
   * claim stays open and is settled before the next claim, or when the queue is opened, by another
   * put, and the URL is accepted either way. No URL is lost, and each such event makes at most one
   * URL be visited by two queues; or, as the claims of a batch are put with one call, one batch.
   *
   * A batch has the results of its pushes in order. A URL whose decision depends on
   * those before it, because of a limit, waits for theirs; but a key for the second time is a
   * duplicate in any case.
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

  /** Accepts URLs or returns why not, for each as if it was pushed after those before it. */
  List<PushResult> pushAll(List<Candidate> candidates) throws IOException {
    PushResult[] results = new PushResult[candidates.size()];
    boolean isAnyValid = candidates.stream().anyMatch(Candidate::isValid);
    Set<String> settled = isAnyValid ? settle() : new HashSet<>();
    Map<String, Integer> claims = new LinkedHashMap<>();
    for (int i = 0; i < results.length; i++) {
      Candidate candidate = candidates.get(i);
      if (dependsOn(claims)) {
        resolve(claims, candidates, results);
      }
      log.persistence().checkpointIfDue();
      Optional<PushResult> known =
          candidate.isValid() && claims.containsKey(candidate.key())
              ? Optional.of(PushResult.DUPLICATE)
              : decide(candidate, settled);
      if (known.isPresent()) {
        results[i] = known.get();
        count(candidate, known.get());
      } else {
        claims.put(candidate.key(), i);
      }
    }
    resolve(claims, candidates, results);
    return List.of(results);
  }

  private void count(Candidate candidate, PushResult result) {
    if (!result.isAccepted() && candidate.purpose() != Purpose.MARK) {
      state.counts().count(result.status());
    }
  }

  /** Returns whether a push cannot be decided before the open claims are. */
  private boolean dependsOn(Map<String, Integer> claims) {
    return !claims.isEmpty()
        && (parameters.onFull() == OnFull.REJECT
            || (parameters.byHost() && parameters.maxPerHost() < Long.MAX_VALUE));
  }

  /** Decides on a push; empty if only the shared filter can tell. */
  private Optional<PushResult> decide(Candidate candidate, Set<String> settled) throws IOException {
    Purpose purpose = candidate.purpose();
    if (candidate.rejection().isPresent()) {
      return candidate.rejection();
    }
    if (purpose != Purpose.MARK && settled.remove(candidate.key())) {
      return Optional.of(PushResult.ACCEPTED); // by an earlier push, which could not tell
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
          return refusal;
        }
      }
    }
    if (isSeen && purpose != Purpose.AGAIN) {
      return Optional.of(PushResult.DUPLICATE);
    }
    if (!seen.isShared()) {
      return Optional.of(accept(candidate, lookup));
    }
    if (purpose == Purpose.MARK) {
      boolean first = seen.putIfAbsent(candidate.hash());
      return Optional.of(first ? PushResult.ACCEPTED : PushResult.DUPLICATE);
    }
    return Optional.empty();
  }

  /** Returns why a URL is not accepted even if its key is new. */
  private Optional<PushResult> refusal(Candidate candidate) {
    if (candidate.purpose() == Purpose.VISIT && isHostFull(candidate.host())) {
      String limit = "limit of " + parameters.maxPerHost() + " URLs per host reached for ";
      return Optional.of(PushResult.rejected(Reason.HOST_LIMIT, limit + candidate.host()));
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

  /**
   * Accepts the URLs whose put into the shared filter is the first, or that are to be visited
   * again; {@code claims} has their keys and their indices in the other two.
   */
  private void resolve(
      Map<String, Integer> claims, List<Candidate> candidates, PushResult[] results)
      throws IOException {
    if (claims.isEmpty()) {
      return;
    }
    List<Integer> indices = List.copyOf(claims.values());
    List<Candidate> claimed = indices.stream().map(candidates::get).toList();
    for (Candidate candidate : claimed) {
      log.commit(new Change.Claimed(candidate.host(), candidate.url(), candidate.key()));
    }
    boolean[] first = seen.putIfAbsent(claimed.stream().mapToLong(Candidate::hash).toArray());
    for (int i = 0; i < first.length; i++) {
      Candidate candidate = claimed.get(i);
      boolean isAccepted = first[i] || candidate.purpose() == Purpose.AGAIN;
      Change.Outcome outcome = isAccepted ? Change.Outcome.ACCEPTED : Change.Outcome.DUPLICATE;
      log.commit(new Change.Settled(candidate.key(), outcome));
      PushResult result = isAccepted ? PushResult.ACCEPTED : PushResult.DUPLICATE;
      results[indices.get(i)] = result;
      count(candidate, result);
    }
    claims.clear();
  }

  /** Settles the open claims, if there are any, and returns their keys, to be changed. */
  Set<String> settle() throws IOException {
    Set<String> keys = new LinkedHashSet<>(seen.isShared() ? state.claims() : List.of());
    if (keys.isEmpty()) {
      return keys;
    }
    boolean[] first = seen.putIfAbsent(keys.stream().mapToLong(seen::hashOf).toArray());
    int i = 0;
    for (String key : keys) {
      Change.Outcome outcome = first[i++] ? Change.Outcome.ACCEPTED : Change.Outcome.DOUBTFUL;
      log.commit(new Change.Settled(key, outcome));
    }
    return keys;
  }

  /**
   * A URL that is pushed, with everything that can be computed without the lock.
   *
   * @param key its key; empty if rejected
   * @param host the host it is scheduled under; empty if rejected or hosts are not told apart
   * @param rejection the result, if the URL is rejected whatever the queue holds
   */
  record Candidate(
      String url,
      String key,
      String host,
      long hash,
      Purpose purpose,
      Optional<PushResult> rejection) {

    boolean isValid() {
      return rejection.isEmpty();
    }
  }

  enum Purpose {
    /** To be visited if its key is new. */
    VISIT,
    /** To be visited even if its key was seen. */
    AGAIN,
    /** To be marked as seen. */
    MARK
  }
}
