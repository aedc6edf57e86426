package dev.tamis.blocklist;

import java.util.List;

/**
 * Why a question has its verdict.
 *
 * @param question the address or host in canonical form
 * @param verdict the answer
 * @param findings every entry that matched, allow entries first
 */
public record Explanation(String question, Verdict verdict, List<Finding> findings) {

  /** Copies the list. */
  public Explanation {
    findings = List.copyOf(findings);
  }
}
