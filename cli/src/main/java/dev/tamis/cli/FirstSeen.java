package dev.tamis.cli;

import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.kit.dedup.Deduplicator;

/** Which of the lines that a reader gives at a time are seen for the first time. */
final class FirstSeen {

  private final Deduplicator<Line> dedup;
  private final long[] hashes = new long[LineReader.MAX_LINES];
  private final boolean[] first = new boolean[LineReader.MAX_LINES];

  FirstSeen(Deduplicator<Line> dedup) {
    this.dedup = dedup;
  }

  /** Looks at {@code count} lines of the reader, and remembers them for ever. */
  void look(LineReader reader, int count) {
    for (int i = 0; i < count; i++) {
      hashes[i] = dedup.hashOf(reader.line(i));
    }
    dedup.firstSeenHashes(hashes, count, first);
  }

  /** Returns whether that line was certainly seen for the first time. */
  boolean isFirst(int index) {
    return first[index];
  }
}
