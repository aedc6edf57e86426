package dev.tamis.cli;

import dev.tamis.HashedFilter;
import dev.tamis.cli.lines.Line;
import dev.tamis.interop.ForeignFilter;
import java.util.function.ToLongFunction;

/**
 * How lines are looked up: what the thread that reads them computes of each, and the answers that
 * follow.
 *
 * @param hashing computes 64 bits of a line
 * @param answers makes answers of them
 */
record LookUp(ToLongFunction<Line> hashing, Answers answers) {

  /** Makes answers of what was computed of several lines. */
  interface Answers {
    void give(long[] hashes, int count, boolean[] found);
  }

  static LookUp in(HashedFilter<Line> filter) {
    return new LookUp(filter::hashOf, filter::mightContainHashes);
  }

  /** Where a hash of 64 bits may not be enough, what is computed is the answer. */
  static LookUp inForeign(ForeignFilter<Line> filter) {
    return new LookUp(
        line -> filter.mightContain(line) ? 1 : 0,
        (hashes, count, found) -> {
          for (int i = 0; i < count; i++) {
            found[i] = hashes[i] != 0;
          }
        });
  }
}
