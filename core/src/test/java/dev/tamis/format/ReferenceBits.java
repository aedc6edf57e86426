package dev.tamis.format;

/** The bits of bytes, bit i being bit {@code i mod 8} of byte {@code i / 8}, the least first. */
final class ReferenceBits {

  private ReferenceBits() {}

  /** Returns {@code length} bits from bit {@code at} on as a number. */
  static long get(byte[] bytes, long at, int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      long bit = at + i;
      value |= (long) (bytes[(int) (bit / 8)] >> (bit % 8) & 1) << i;
    }
    return value;
  }

  /** Writes the lowest {@code length} bits of a number from bit {@code at} on. */
  static void set(byte[] bytes, long at, int length, long value) {
    for (int i = 0; i < length; i++) {
      long bit = at + i;
      int mask = 1 << (bit % 8);
      int others = bytes[(int) (bit / 8)] & ~mask;
      bytes[(int) (bit / 8)] = (byte) ((value >>> i & 1) == 1 ? others | mask : others);
    }
  }

  static void requireZeros(byte[] bytes, long start, long end) throws ReferenceFrame.Refused {
    for (long i = start; i < end; i++) {
      ReferenceFrame.require(get(bytes, i, 1) == 0, "zeros at bit " + i);
    }
  }
}
