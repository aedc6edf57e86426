package dev.tamis.interop;

import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.tamis.hash.HashId;

/** One half of Guava's MurmurHash3 for x64 with 128 bits and seed 0. */
final class Murmur128 extends ForeignHash {

  static final HashId ID = new HashId(HashId.Algorithm.MURMUR3_128, 0);

  /** The half that Guava calls the lower one. */
  static final Murmur128 LOWER = new Murmur128(false);

  static final Murmur128 UPPER = new Murmur128(true);

  private static final Hasher128 HASHER = Hashing.murmur3_128();

  private final boolean upper;

  private Murmur128(boolean upper) {
    super(ID);
    this.upper = upper;
  }

  @Override
  long hash(byte[] bytes, int offset, int length) {
    return upper
        ? HASHER.hashBytesTo128Bits(bytes, offset, length).getMostSignificantBits()
        : HASHER.hashBytesToLong(bytes, offset, length);
  }
}
