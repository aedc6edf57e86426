package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.HEADER;
import static dev.tamis.format.ReferenceFrame.TRAILER;
import static dev.tamis.format.ReferenceFrame.get;
import static dev.tamis.format.ReferenceFrame.require;
import static dev.tamis.format.ReferenceFrame.set;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;

/** A frame of kind 5, read as docs/format.md has it and without a line of the code that does it. */
final class ReferenceWindow {

  private static final long MAX_BITS = 17_592_186_044_416L;
  private static final BigInteger MIN_NANOS = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX_NANOS = BigInteger.valueOf(Long.MAX_VALUE);

  private final byte[] header;
  private final byte[] payload;
  private final int k;
  private final int slices;
  private final long m;
  private final long g;
  private final long d;
  private long state;
  private int y;

  private ReferenceWindow(byte[] file) {
    this.header = Arrays.copyOf(file, HEADER);
    this.payload = Arrays.copyOfRange(file, HEADER, file.length - TRAILER);
    this.k = (int) get(file, 26, 2);
    this.slices = k + (int) get(file, 28, 4);
    this.m = get(file, 32, 8);
    this.g = get(file, 48, 8);
    this.d = get(file, 64, 8);
    this.state = get(file, 72, 8);
    this.y = (int) get(file, 80, 4);
  }

  static ReferenceWindow read(byte[] file) throws ReferenceFrame.Refused {
    ReferenceFrame.requireFrame(file, 5);
    require(get(file, 24, 2) == 1, "hash");
    long k = get(file, 26, 2);
    long l = get(file, 28, 4);
    long m = get(file, 32, 8);
    require(k >= 1 && k <= 64, "slices in which a key sets a bit");
    require(l >= 1 && l <= 1024, "generations");
    require(m >= 64 && m % 64 == 0 && m <= MAX_BITS / (k + l), "bits of a slice");
    long g = get(file, 48, 8);
    require(g >= 1 && g <= Long.MAX_VALUE / l, "keys of a generation");
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    require(fpp > 0 && fpp < 1, "fpp");
    long d = get(file, 64, 8);
    require(d >= 0 && d <= Long.MAX_VALUE / l, "nanoseconds of a generation");
    long state = get(file, 72, 8);
    require(d > 0 || (state >= 0 && state <= g), "puts since the last turn");
    require(get(file, 80, 4) < k + l, "youngest slice");
    ReferenceFrame.requireZeros(file, 84, 124);
    require(get(file, 16, 8) == (k + l) * m / 8, "payload length");
    return new ReferenceWindow(file);
  }

  void put(long h, Instant now) {
    BigInteger due = turns(now);
    for (int i = 0; BigInteger.valueOf(i).compareTo(due) < 0 && i < slices; i++) {
      y = (y + slices - 1) % slices;
      Arrays.fill(payload, (int) (y * m / 8), (int) ((y + 1) * m / 8), (byte) 0);
    }
    if (due.signum() > 0) {
      BigInteger grown = BigInteger.valueOf(state).add(due.multiply(BigInteger.valueOf(d)));
      state = d == 0 ? 0 : grown.longValueExact();
    }
    state += d == 0 ? 1 : 0;
    for (int age = 0; age < k; age++) {
      ReferenceBits.set(payload, bit(h, age), 1, 1);
    }
  }

  boolean mightContain(long h, Instant now) {
    BigInteger due = turns(now);
    int ages = slices - due.min(BigInteger.valueOf(slices)).intValueExact();
    int run = 0;
    for (int age = 0; age < ages && run < k; age++) {
      run = ReferenceBits.get(payload, bit(h, age), 1) == 1 ? run + 1 : 0;
    }
    return run == k;
  }

  byte[] toBytes() {
    set(header, 72, 8, state);
    set(header, 80, 4, y);
    return ReferenceFrame.frame(header, payload);
  }

  private long bit(long h, int age) {
    int s = (y + age) % slices;
    return s * m + ReferencePositions.reduce(ReferencePositions.draw(h, s), m);
  }

  private BigInteger turns(Instant now) {
    if (d == 0) {
      return state == g ? BigInteger.ONE : BigInteger.ZERO;
    }
    BigInteger passed = nanos(now).subtract(BigInteger.valueOf(state));
    return passed.max(BigInteger.ZERO).divide(BigInteger.valueOf(d));
  }

  private static BigInteger nanos(Instant now) {
    return BigInteger.valueOf(now.getEpochSecond())
        .multiply(BigInteger.valueOf(1_000_000_000))
        .add(BigInteger.valueOf(now.getNano()))
        .max(MIN_NANOS)
        .min(MAX_NANOS);
  }
}
