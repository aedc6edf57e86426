package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.ListReader.Examples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the known-good queries that the filters would block, and whether rightly. */
final class KnownGood {

  private final Blocklist blocklist;
  private final List<Candidate> candidates = new ArrayList<>();

  /** Checks queries against a block list with its filters and its hand-written allow entries. */
  KnownGood(Blocklist blocklist) {
    this.blocklist = blocklist;
  }

  /** Takes a query, and keeps it if it would be blocked. */
  void take(String where, Subject subject) {
    boolean ignoresTags = blocklist.ignoresTags();
    if (blocklist.allowlist().admits(subject, ignoresTags)) {
      return;
    }
    List<Hit> hits = new ArrayList<>();
    for (KeyForms.Key key : blocklist.forms().keys(subject, ignoresTags)) {
      long hash = blocklist.hash().hashText(key.text());
      for (int i = 0; i < blocklist.lists().size(); i++) {
        if (blocklist.lists().get(i).mightContain(key, hash)) {
          hits.add(new Hit(i, key.text(), hash));
        }
      }
    }
    if (!hits.isEmpty()) {
      candidates.add(new Candidate(where, subject, List.copyOf(hits)));
    }
  }

  long count() {
    return candidates.size();
  }

  /** Returns the hashes that one of the filters affirmed. */
  long[] hashes(int list) {
    return candidates.stream()
        .flatMap(candidate -> candidate.hits.stream())
        .filter(hit -> hit.list == list)
        .mapToLong(Hit::hash)
        .toArray();
  }

  /**
   * Allows the queries that are really on a list, for which no exception helps.
   *
   * @param unlisted for each list the hashes that it does not have, ascending
   * @param conflicts takes a message for each such query
   */
  void allow(List<long[]> unlisted, Examples conflicts) {
    for (Candidate candidate : candidates) {
      candidate.hits.stream()
          .filter(hit -> Arrays.binarySearch(unlisted.get(hit.list), hit.hash) < 0)
          .findFirst()
          .ifPresent(
              hit -> {
                conflicts.add(candidate.conflict(hit, blocklist.lists().get(hit.list).name()));
                blocklist
                    .allowlist()
                    .put(ListEntry.parse(candidate.subject.toString()), Finding.Kind.KNOWN_GOOD);
              });
    }
  }

  /** A query that would be blocked. */
  private record Candidate(String where, Subject subject, List<Hit> hits) {

    String conflict(Hit hit, String list) {
      String query = Refusal.quoted(subject.toString()) + " is known good, but listed as ";
      return where
          + ": "
          + query
          + Refusal.quoted(hit.key)
          + " in "
          + list
          + "; it will be allowed";
    }
  }

  /** Why: an entry that a list seems to have. */
  private record Hit(int list, String key, long hash) {}
}
