package dev.tamis.cli.dedup;

import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineSet;
import java.io.IOException;

/** Tells whether a line is its first occurrence. */
interface Occurrences {

  /** Prepares for lines with these hashes. */
  default void prefetch(long[] hashes, int count) {}

  /**
   * Returns 0 for a repeat; for a first occurrence the number of lines like it, or 1 where lines
   * are not counted.
   *
   * @param number the lines before this one
   * @param key what the line is compared by
   */
  long of(long number, long hash, Line key) throws IOException;

  /** Occurrences from an in-memory set of all lines that may repeat. */
  final class InMemory implements Occurrences {

    private final LineSet candidates;
    private final boolean counting;

    InMemory(LineSet candidates, boolean counting) {
      this.candidates = candidates;
      this.counting = counting;
    }

    @Override
    public void prefetch(long[] hashes, int count) {
      candidates.prefetch(hashes, count);
    }

    @Override
    public long of(long number, long hash, Line key) {
      return switch (candidates.query(hash, key)) {
        case ABSENT -> 1;
        case FIRST -> counting ? candidates.countOf(hash, key) : 1;
        case REPEATED -> 0;
      };
    }
  }
}
