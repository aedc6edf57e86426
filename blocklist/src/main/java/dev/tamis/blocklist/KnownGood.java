package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.ListReader.Examples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Finds the known-good queries that the filters would block, and whether rightly. */
final class KnownGood {

  private final Blocklist blocklist;
  private final List<Candidate> candidates = new ArrayList<>();

  /**
   * Checks queries against a block list that has its filters and its hand-written allow entries.
   */
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

  /** Returns how many would be blocked. */
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
   * @param unlisted for each list the hashes it does not have
   * @param conflicts takes a message for each such query
   */
  void allow(List<long[]> unlisted, Examples conflicts) {
    List<Set<Long>> wrong = unlisted.stream().map(hashes -> setOf(LongStream.of(hashes))).toList();
    for (Candidate candidate : candidates) {
      candidate.hits.stream()
          .filter(hit -> !wrong.get(hit.list).contains(hit.hash))
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

  private static Set<Long> setOf(LongStream hashes) {
    Set<Long> set = new HashSet<>();
    hashes.forEach(set::add);
    return set;
  }

  /** A query that would be blocked. */
  private record Candidate(String where, Subject subject, List<Hit> hits) {

    String conflict(Hit hit, String list) {
      return where
          + ": "
          + Refusal.quoted(subject.toString())
          + " is known good, but listed as "
          + Refusal.quoted(hit.key)
          + " in "
          + list
          + "; it will be allowed";
    }
  }

  /** Why: an entry that a list seems to have. */
  private record Hit(int list, String key, long hash) {}
}
