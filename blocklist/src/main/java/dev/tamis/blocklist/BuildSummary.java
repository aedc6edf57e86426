package dev.tamis.blocklist;

import java.util.List;
import java.util.Map;

/**
 * The summary of a build, which counts every line that was read exactly once.
 *
 * @param lists the lines of the lists
 * @param allow the lines of the allow files
 * @param knownGood the lines of the known-good files
 * @param parsedEntries the entries in the lines of the lists, repeats included
 * @param falsePositives known-good lines that a filter took for listed and that will not be blocked
 * @param conflicts known-good lines that are really on a list, and are allowed all the same
 * @param badReasons the number of bad lines of the lists for each reason that occurred
 * @param badLines a message for each of the first few bad lines that were skipped
 * @param conflictLines a message for each of the first few conflicts
 */
public record BuildSummary(
    LineCounts lists,
    LineCounts allow,
    LineCounts knownGood,
    long parsedEntries,
    long falsePositives,
    long conflicts,
    Map<BadLineReason, Long> badReasons,
    List<String> badLines,
    List<String> conflictLines) {

  public BuildSummary {
    badReasons = Map.copyOf(badReasons);
    badLines = List.copyOf(badLines);
    conflictLines = List.copyOf(conflictLines);
  }

  /** Returns the bad lines of all files, which were skipped. */
  public long bad() {
    return lists.bad() + allow.bad() + knownGood.bad();
  }

  /** Returns the known-good lines that needed nothing. */
  public long clear() {
    return knownGood.used() - falsePositives - conflicts;
  }

  /**
   * Counters of the lines that were read.
   *
   * @param used those that had an entry
   * @param bad those that were neither an entry nor blank, and were skipped
   */
  public record LineCounts(long lines, long used, long bad) {

    static final LineCounts NONE = new LineCounts(0, 0, 0);

    /** Returns the lines that were blank, a comment, or a hosts file's own names. */
    public long blank() {
      return lines - used - bad;
    }

    LineCounts plus(LineCounts other) {
      return new LineCounts(lines + other.lines, used + other.used, bad + other.bad);
    }
  }
}
