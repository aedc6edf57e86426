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

  long keys() {
    Start from = start;
    return from.keys() + stripes.counted() - from.counted();
  }

  /** Continues from {@code keys}; concurrent counts belong to either side. */
  void continueFrom(long keys) {
    start = new Start(keys, stripes.counted());
  }

  /** Adds keys that were not put individually; for one thread at a time. */
  void add(long keys) {
    start = new Start(start.keys() + keys, start.counted());
  }

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
