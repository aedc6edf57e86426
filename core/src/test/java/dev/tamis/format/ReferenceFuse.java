package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.HEADER;
import static dev.tamis.format.ReferenceFrame.TRAILER;
import static dev.tamis.format.ReferenceFrame.get;
import static dev.tamis.format.ReferenceFrame.require;

import java.util.Arrays;

/** A frame of kind 6, read as docs/format.md has it and without a line of the code that does it. */
final class ReferenceFuse implements ReferenceFilter {

  private static final long MAX_SLOTS_OF_A_SHARD = 2_147_221_504L;
  private static final long MAX_BITS = 17_592_186_044_416L;

  private final int a;
  private final int f;
  private final int shards;
  private final long n;
  private final int segmentLength;
  private final long segments;
  private final byte[] seeds;
  private final byte[] slots;

  private ReferenceFuse(byte[] file) {
    this.a = (int) get(file, 26, 2);
    this.f = (int) get(file, 28, 4);
    this.shards = (int) get(file, 32, 8);
    this.n = get(file, 48, 8);
    this.segmentLength = (int) get(file, 64, 4);
    this.segments = get(file, 68, 4);
    int slotsAt = HEADER + 8 * wordsOfSeeds(shards);
    this.seeds = Arrays.copyOfRange(file, HEADER, slotsAt);
    this.slots = Arrays.copyOfRange(file, slotsAt, file.length - TRAILER);
  }

  static ReferenceFuse read(byte[] file) throws ReferenceFrame.Refused {
    ReferenceFrame.requireFrame(file, 6);
    require(get(file, 24, 2) == 1, "hash");
    long a = get(file, 26, 2);
    long f = get(file, 28, 4);
    long s = get(file, 32, 8);
    long n = get(file, 48, 8);
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    long l = get(file, 64, 4);
    long c = get(file, 68, 4);
    require(a == 3 || a == 4, "arity");
    require(fpp >= Math.scalb(1.0, -32) && fpp < 1, "fpp");
    require(f == fingerprintBits(fpp), "bits of a fingerprint");
    require(isPowerOfTwo(s) && s <= 1_048_576, "shards");
    require(isPowerOfTwo(l) && l <= 262_144, "segment length");
    require(c >= 1, "segments");
    long m = (c + a - 1) * l;
    require(m <= MAX_SLOTS_OF_A_SHARD, "slots of a shard");
    require(s * m * f <= MAX_BITS, "bits of all slots");
    require(n >= 0 && n <= s * m, "keys");
    ReferenceFrame.requireKeyType(file, 72);
    long words = wordsOfSeeds(s) + (s * m * f + 63) / 64;
    require(get(file, 16, 8) == 8 * words, "payload length");
    ReferenceFuse read = new ReferenceFuse(file);
    ReferenceFrame.requireZeros(read.seeds, read.shards, read.seeds.length);
    ReferenceBits.requireZeros(read.slots, s * m * f, 8L * read.slots.length);
    return read;
  }

  @Override
  public boolean mightContain(long h) {
    int s = (int) ReferencePositions.reduce(h, shards);
    long m = (segments + a - 1) * segmentLength;
    long x = ReferencePositions.draw(h, seeds[s] & 0xFF);
    int b = Long.numberOfTrailingZeros(segmentLength);
    long p = s * m + ReferencePositions.reduce(x, segments * segmentLength);
    long sum = slot(p);
    for (int j = 1; j < a; j++) {
      long offset = Long.remainderUnsigned(x >>> ((j - 1) * b), segmentLength);
      sum ^= slot((p + (long) j * segmentLength) ^ offset);
    }
    return n > 0 && sum == (x * 0x9E3779B97F4A7C15L) >>> (64 - f);
  }

  private long slot(long i) {
    return ReferenceBits.get(slots, f * i, f);
  }

  private static int wordsOfSeeds(long shards) {
    return (int) ((shards + 7) / 8);
  }

  /** Returns the least f with 2^−f at or below the fpp. */
  private static int fingerprintBits(double fpp) {
    int f = 0;
    while (Math.scalb(1.0, -f) > fpp) {
      f++;
    }
    return f;
  }

  private static boolean isPowerOfTwo(long value) {
    return value > 0 && Long.bitCount(value) == 1;
  }
}
