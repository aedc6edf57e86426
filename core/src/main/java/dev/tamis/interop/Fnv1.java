package dev.tamis.interop;

import dev.tamis.hash.HashId;

/** The hash FNV-1 of 64 bits, which multiplies before it takes a byte in. */
final class Fnv1 extends ForeignHash {

  static final Fnv1 INSTANCE = new Fnv1();

  private static final long OFFSET = 0xCBF29CE484222325L;
  private static final long PRIME = 0x100000001B3L;

  private Fnv1() {
    super(new HashId(HashId.Algorithm.FNV1_64, 0));
  }

  @Override
  long hash(byte[] bytes, int offset, int length) {
    long hash = OFFSET;
    for (int i = offset; i < offset + length; i++) {
      hash = hash * PRIME ^ Byte.toUnsignedLong(bytes[i]);
    }
    return hash;
  }
}
