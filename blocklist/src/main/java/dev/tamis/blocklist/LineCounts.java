package dev.tamis.blocklist;

/**
 * What became of the lines that were read.
 *
 * @param lines all lines
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
