package dev.tamis.cli.dedup;

import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.tools.dedup.Deduplicator;

/** Which of the lines that a reader gives at a time are seen for the first time. */
public final class FirstSeen {

  private final Deduplicator<Line> dedup;
  private final boolean[] first = new boolean[LineReader.MAX_LINES];

  public FirstSeen(Deduplicator<Line> dedup) {
    this.dedup = dedup;
  }

  /** Looks at {@code count} lines of the reader, hashed for it, and remembers them for ever. */
  public void look(LineReader reader, int count) {
    dedup.firstSeenHashes(reader.hashes(), count, first);
  }

  /** Returns for each line whether it was certainly seen for the first time; for reading. */
  boolean[] first() {
    return first;
  }
}
