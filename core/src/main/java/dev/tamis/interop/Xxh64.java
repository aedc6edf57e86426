package dev.tamis.interop;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.tamis.hash.HashId;

/** Parquet's XXH64 with seed 0. */
final class Xxh64 extends ForeignHash {

  static final Xxh64 INSTANCE = new Xxh64();

  private static final Hasher64 HASHER = Hashing.xxh64();

  private Xxh64() {
    super(new HashId(HashId.Algorithm.XXH64, 0));
  }

  @Override
  long hash(byte[] bytes, int offset, int length) {
    return HASHER.hashBytesToLong(bytes, offset, length);
  }
}
