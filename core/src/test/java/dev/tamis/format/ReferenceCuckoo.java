package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.get;
import static dev.tamis.format.ReferenceFrame.require;
import static dev.tamis.format.ReferenceFrame.requireZeros;

import java.util.Arrays;

/** A frame of kind 4, read as docs/format.md has it and without a line of the code that does it. */
final class ReferenceCuckoo implements ReferenceFilter {

  private static final long MAX_BITS = 17_592_186_044_416L;

  private final int width;
  private final long buckets;
  private final byte[] payload;

  private ReferenceCuckoo(int width, long buckets, byte[] payload) {
    this.width = width;
    this.buckets = buckets;
    this.payload = payload;
  }

  static ReferenceCuckoo read(byte[] file) throws ReferenceFrame.Refused {
    ReferenceFrame.requireFrame(file, 4);
    require(get(file, 24, 2) == 1, "hash");
    long width = get(file, 26, 2);
    requireZeros(file, 28, 32);
    long buckets = get(file, 32, 8);
    long keys = get(file, 48, 8);
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    require(width >= 4 && width <= 32, "bits of a fingerprint");
    require(buckets >= 2 && buckets % 2 == 0, "buckets");
    require(buckets <= MAX_BITS / 4 / width, "bits of all slots");
    require(keys >= 1 && keys <= 4 * buckets, "expected keys");
    require(fpp > 0 && fpp < 1, "fpp");
    requireZeros(file, 64, 124);
    long bits = 4 * buckets * width;
    require(get(file, 16, 8) == 8 * ((bits + 63) / 64), "payload length");
    byte[] payload = Arrays.copyOfRange(file, 128, file.length - 4);
    ReferenceBits.requireZeros(payload, bits, 8L * payload.length);
    return new ReferenceCuckoo((int) width, buckets, payload);
  }

  /** Returns how many of the eight slots of a key hold its fingerprint. */
  int copies(long h) {
    long v = 1 + ReferencePositions.reduce(ReferencePositions.draw(h, 1), (1L << width) - 1);
    long b = ReferencePositions.reduce(h, buckets);
    long spread = v * (1L << (64 - width)) + (ReferencePositions.draw(v, 1) >>> width);
    long o = 2 * ReferencePositions.reduce(spread, buckets / 2) + 1;
    long other = Math.floorMod(o - b, buckets);
    int copies = 0;
    for (int s = 0; s < 4; s++) {
      copies += slot(4 * b + s) == v ? 1 : 0;
      copies += slot(4 * other + s) == v ? 1 : 0;
    }
    return copies;
  }

  @Override
  public boolean mightContain(long h) {
    return copies(h) > 0;
  }

  private long slot(long i) {
    return ReferenceBits.get(payload, width * i, width);
  }
}
