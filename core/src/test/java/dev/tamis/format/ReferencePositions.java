package dev.tamis.format;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * "Where the bits of a key are" of docs/format.md, written down from that text alone: slow, and
 * without a line of the code that does it.
 */
final class ReferencePositions {

  private ReferencePositions() {}

  /** Returns the positions of a key's bits in an array of {@code m} bits, probe 0 first. */
  static long[] of(int layout, int k, long m, long h) {
    return LongStream.range(0, k).map(j -> position(layout, k, m, h, (int) j)).toArray();
  }

  private static long position(int layout, int k, long m, long h, int j) {
    return switch (layout) {
      case 1 -> reduce(draw(h, j), m); // classic
      case 2 -> partitioned(m / k, h, j);
      case 3 -> 512 * reduce(h, m / 512) + field(h, j); // line
      case 4 -> split(m, h, j);
      case 6 -> splitPair(k, m, h, j);
      default -> throw new IllegalArgumentException("layout " + layout);
    };
  }

  private static long partitioned(long s, long h, int j) {
    return j * s + reduce(draw(h, j), s);
  }

  private static long split(long m, long h, int j) {
    int w = j % 8;
    long d = j < 8 ? h * 0x9E3779B97F4A7C15L : draw(h, 1);
    return 512 * reduce(h, m / 512) + 64L * w + (d >>> (58 - 6 * w)) % 64;
  }

  private static long splitPair(int k, long m, long h, int j) {
    if (j < k / 2) {
      return split(m, h, j);
    }
    long a = reduce(h, m / 512);
    long b = reduce(draw(h, 4), m / 512 - 1);
    int w = j % 8;
    long d = draw(h, j < k / 2 + 8 ? 2 : 3);
    return 512 * (b >= a ? b + 1 : b) + 64L * w + (d >>> (58 - 6 * w)) % 64;
  }

  static long reduce(long x, long r) {
    BigInteger unsigned = new BigInteger(Long.toUnsignedString(x));
    return unsigned.multiply(BigInteger.valueOf(r)).shiftRight(64).longValueExact();
  }

  static long draw(long h, long i) {
    long z = h + i * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private static long field(long h, int i) {
    return (draw(h, 1 + i / 7) >>> (55 - 9 * (i % 7))) & 511;
  }

  static long hashOfText(long seed, String text) {
    return xxh3(seed).hashBytesToLong(text.getBytes(StandardCharsets.UTF_8));
  }

  static long hashOfInt(long seed, int value) {
    return xxh3(seed).hashBytesToLong(littleEndian(value, 4));
  }

  static long hashOfLong(long seed, long value) {
    return xxh3(seed).hashBytesToLong(littleEndian(value, 8));
  }

  static long hashOfUuid(long seed, UUID uuid) {
    byte[] bytes = new byte[16];
    String digits = uuid.toString().replace("-", "");
    for (int i = 0; i < 16; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return xxh3(seed).hashBytesToLong(bytes);
  }

  static long hashOfFields(long seed, long... hashes) {
    long h = hashes.length;
    for (long f : hashes) {
      byte[] bytes = new byte[16];
      System.arraycopy(littleEndian(h, 8), 0, bytes, 0, 8);
      System.arraycopy(littleEndian(f, 8), 0, bytes, 8, 8);
      h = xxh3(seed).hashBytesToLong(bytes);
    }
    return h;
  }

  private static byte[] littleEndian(long value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >>> (8 * i));
    }
    return bytes;
  }

  private static Hasher64 xxh3(long seed) {
    return Hashing.xxh3_64(seed);
  }
}
