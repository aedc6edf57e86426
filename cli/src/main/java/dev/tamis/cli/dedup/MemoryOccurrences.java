package dev.tamis.cli.dedup;

import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineSet;

/** Occurrences by a set in memory of all lines that may come more than once. */
final class MemoryOccurrences implements Occurrences {

  private final LineSet candidates;
  private final boolean counting;

  MemoryOccurrences(LineSet candidates, boolean counting) {
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
