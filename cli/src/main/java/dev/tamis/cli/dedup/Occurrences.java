package dev.tamis.cli.dedup;

import dev.tamis.cli.lines.Line;
import java.io.IOException;

/** Knows of each line of an input whether it is the first of its kind. */
interface Occurrences {

  /** Prepares for lines with these hashes. */
  default void prefetch(long[] hashes, int count) {}

  /**
   * Looks at the next line.
   *
   * @param number how many lines were before
   * @param key what it is compared by
   * @return 0 if one like it came before; else how many there are, or 1 where lines are not counted
   */
  long of(long number, long hash, Line key) throws IOException;
}
