package dev.tamis.interop;

import dev.tamis.internal.bits.Stripes;
import dev.tamis.sizing.WrongDrops;
import java.util.function.LongToDoubleFunction;

/** How many keys a filter has, from a number it starts with and the puts counted in its stripes. */
final class KeyCount {

  private final Stripes stripes;
  private volatile Start start = new Start(0, 0);

  KeyCount(Stripes stripes) {
    this.stripes = stripes;
  }

  /** Returns the keys to start with and those counted since. */
  long keys() {
    Start from = start;
    return from.keys() + stripes.counted() - from.counted();
  }

  /** Continues from {@code keys}. Keys that other threads count meanwhile belong to either side. */
  void continueFrom(long keys) {
    start = new Start(keys, stripes.counted());
  }

  /** Adds keys that were not put one by one; for one thread at a time. */
  void add(long keys) {
    start = new Start(start.keys() + keys, start.counted());
  }

  /** Returns how many of the keys counted are expected to have been false positives. */
  double expectedWrongDrops(LongToDoubleFunction fppAtKeys) {
    Start from = start;
    return WrongDrops.expected(fppAtKeys, from.keys(), stripes.counted() - from.counted(), 0);
  }

  /**
   * Where counting began.
   *
   * @param keys the keys there were
   * @param counted what the stripes had counted, which is never reset
   */
  private record Start(long keys, long counted) {}
}
