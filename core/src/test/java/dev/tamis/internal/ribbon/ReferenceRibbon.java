package dev.tamis.internal.ribbon;

import java.math.BigInteger;

/** A second reader of ribbon filters, written from docs/format.md, slot by slot. */
public final class ReferenceRibbon {

  private static final int[] THRESHOLDS = {0, 16, 40, 128};

  private final long[] payload;
  private final int columns;
  private final int layers;

  /** Looks at the payload of a frame. */
  public ReferenceRibbon(long[] payload, int columns, int layers) {
    this.payload = payload;
    this.columns = columns;
    this.layers = layers;
  }

  /** Answers queries as the specification says. */
  public boolean mightContain(long hash) {
    long g = hash;
    int at = 0;
    for (int layer = 0; layer < layers; layer++) {
      long blocks = payload[at];
      long narrow = payload[at + 1];
      int thresholds = at + 2;
      int table = thresholds + (int) ((blocks / 2 + 31) / 32);
      long start = reduce(g, 64 * (blocks - 1));
      int bucket = (int) (start / 128);
      int code = (int) (payload[thresholds + bucket / 32] >>> (2 * (bucket % 32))) & 3;
      if (start % 128 >= THRESHOLDS[code]) {
        return isThere(g, start, table, narrow);
      }
      g = draw(g, 3);
      at = table + (int) (blocks * columns - narrow);
    }
    return false;
  }

  private boolean isThere(long g, long start, int table, long narrow) {
    long q = draw(g, 1) | 1;
    long r = draw(g, 2);
    long width = start / 64 < narrow ? columns - 1 : columns;
    for (int column = 0; column < width; column++) {
      long sum = 0;
      for (int j = 0; j < 64; j++) {
        if ((q >>> j & 1) == 1) {
          sum += slot(start + j, column, table, narrow);
        }
      }
      if (sum % 2 != (r >>> column & 1)) {
        return false;
      }
    }
    return true;
  }

  private long slot(long slot, int column, int table, long narrow) {
    long block = slot / 64;
    long word = table + block * columns - Math.min(block, narrow) + column;
    return payload[(int) word] >>> (slot % 64) & 1;
  }

  private static long reduce(long hash, long range) {
    return new BigInteger(Long.toUnsignedString(hash))
        .multiply(BigInteger.valueOf(range))
        .shiftRight(64)
        .longValueExact();
  }

  private static long draw(long hash, int index) {
    long z = hash + index * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
