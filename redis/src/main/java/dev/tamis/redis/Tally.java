package dev.tamis.redis;

import dev.tamis.sizing.WrongDrops;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongToDoubleFunction;

/** Counts the keys that one object took as new, for any number of threads. */
final class Tally {

  private final LongAdder accepted = new LongAdder();
  private volatile long base;
  private volatile double earlierDrops;

  void add(int keys) {
    if (keys != 0) {
      accepted.add(keys);
    }
  }

  long keys() {
    return base + accepted.sum();
  }

  double expectedWrongDrops(LongToDoubleFunction fppAtKeys) {
    return earlierDrops + WrongDrops.expected(fppAtKeys, base, accepted.sum(), 0);
  }

  /**
   * Goes on from so many keys, which came by another way.
   *
   * @param fppBefore that of the filter that the keys so far were put into
   */
  void continueFrom(long keys, LongToDoubleFunction fppBefore) {
    earlierDrops = expectedWrongDrops(fppBefore);
    accepted.reset();
    base = Math.min(keys, Long.MAX_VALUE / 2); // an estimate that knows no bound leaves room
  }
}
