package dev.tamis.interop;

import dev.tamis.hash.HashId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Spark's two hashes of a key, the first in the upper half: MurmurHash3 for x86 with a seed, and
 * again with the first hash for a seed.
 *
 * <p>Up to three bytes at the end are not what MurmurHash3 makes of them: each is mixed in as if it
 * were a block of four, with its sign.
 */
final class SparkHash extends ForeignHash {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final int seed;

  SparkHash(int seed) {
    super(new HashId(HashId.Algorithm.SPARK_MURMUR3, seed));
    this.seed = seed;
  }

  @Override
  long hash(byte[] bytes, int offset, int length) {
    int first = murmur(bytes, offset, length, seed);
    int second = murmur(bytes, offset, length, first);
    return (long) first << Integer.SIZE | Integer.toUnsignedLong(second);
  }

  private static int murmur(byte[] bytes, int offset, int length, int seed) {
    int hash = seed;
    int blocksEnd = offset + (length & -Integer.BYTES);
    for (int at = offset; at < blocksEnd; at += Integer.BYTES) {
      hash = mix(hash, (int) INTS.get(bytes, at));
    }
    for (int at = blocksEnd; at < offset + length; at++) {
      hash = mix(hash, bytes[at]);
    }
    hash ^= length;
    hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
    hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
    return hash ^ hash >>> 16;
  }

  private static int mix(int hash, int block) {
    int mixed = Integer.rotateLeft(block * 0xCC9E2D51, 15) * 0x1B873593;
    return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xE6546B64;
  }
}
