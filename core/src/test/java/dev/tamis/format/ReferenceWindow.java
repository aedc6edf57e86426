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
  private final int b;
  private final long n;
  private final long g;
  private final long d;
  private long state;
  private int y;

  private ReferenceWindow(byte[] file) {
    this.header = Arrays.copyOf(file, HEADER);
    this.payload = Arrays.copyOfRange(file, HEADER, file.length - TRAILER);
    this.b = (int) get(file, 26, 2);
    this.y = (int) get(file, 28, 4);
    this.n = get(file, 32, 8);
    this.g = get(file, 48, 8);
    this.d = get(file, 64, 8);
    this.state = get(file, 72, 8);
  }

  static ReferenceWindow read(byte[] file) throws ReferenceFrame.Refused {
    ReferenceFrame.requireFrame(file, 5);
    require(get(file, 24, 2) == 1, "hash");
    long b = get(file, 26, 2);
    require(b >= 1 && b <= 4, "blocks of a key");
    require(get(file, 28, 4) <= 7, "lane");
    long n = get(file, 32, 8);
    require(n >= 1 && n <= MAX_BITS / 1024 / b, "blocks of a section");
    long g = get(file, 48, 8);
    require(g >= 1 && g <= Long.MAX_VALUE / 8, "keys of a generation");
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    require(fpp > 0 && fpp < 1, "fpp");
    long d = get(file, 64, 8);
    require(d >= 0 && d <= Long.MAX_VALUE / 8, "nanoseconds of a generation");
    long state = get(file, 72, 8);
    require(d > 0 || (state >= 0 && state < g), "puts since the last rotation");
    ReferenceFrame.requireZeros(file, 80, 124);
    require(get(file, 16, 8) == 128 * b * n, "payload length");
    return new ReferenceWindow(file);
  }

  void put(long h, Instant now) {
    BigInteger due = due(now);
    for (int i = 0; BigInteger.valueOf(i).compareTo(due) < 0 && i < 8; i++) {
      rotate();
    }
    state = BigInteger.valueOf(state).add(due.multiply(BigInteger.valueOf(d))).longValueExact();
    for (int cell : cells(h)) {
      payload[cell] |= (byte) (1 << y);
    }
    if (d == 0) {
      state++;
      if (state == g) {
        rotate();
        state = 0;
      }
    }
  }

  private void rotate() {
    y = (y + 1) % 8;
    for (int i = 0; i < payload.length; i++) {
      payload[i] &= (byte) ~(1 << y);
    }
  }

  boolean mightContain(long h, Instant now) {
    BigInteger due = due(now);
    for (int age = 0;
        BigInteger.valueOf(age).add(due).compareTo(BigInteger.valueOf(7)) <= 0;
        age++) {
      int lane = (y + 8 - age) % 8;
      if (Arrays.stream(cells(h)).allMatch(cell -> (payload[cell] >> lane & 1) == 1)) {
        return true;
      }
    }
    return false;
  }

  byte[] toBytes() {
    set(header, 72, 8, state);
    set(header, 28, 4, y);
    return ReferenceFrame.frame(header, payload);
  }

  private int[] cells(long h) {
    int[] cells = new int[8 * b];
    for (int i = 0; i < b; i++) {
      long x = i == 0 ? h : ReferencePositions.draw(h, i);
      long block = i * n + ReferencePositions.reduce(x, n);
      long z = x * 0x9E3779B97F4A7C15L;
      for (int r = 0; r < 8; r++) {
        cells[8 * i + r] = (int) (128 * block + 8 * ((z >>> (60 - 4 * r)) & 15) + r);
      }
    }
    return cells;
  }

  private BigInteger due(Instant now) {
    if (d == 0) {
      return BigInteger.ZERO;
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
