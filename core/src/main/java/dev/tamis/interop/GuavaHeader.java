package dev.tamis.interop;

import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What stands before the bits in Guava's bytes. */
final class GuavaHeader {

  /** The strategy {@code MURMUR128_MITZ_32}, by which Guava knows it in bytes. */
  static final int MITZ_32 = 0;

  /** The strategy {@code MURMUR128_MITZ_64}. */
  static final int MITZ_64 = 1;

  /** The most hashes of a key: what one byte holds. */
  static final int MAX_HASHES = 255;

  static final int BYTES = 2 + Integer.BYTES;

  private GuavaHeader() {}

  /** Reads a filter of either strategy. */
  static <T> ForeignFilter<T> readAny(ForeignInput in, KeyHasher<? super T> hasher)
      throws IOException {
    return strategy(in, MITZ_32, MITZ_64) == MITZ_32
        ? new GuavaMitz32BloomFilter<>(hasher, hashes(in), in.countedWords())
        : new GuavaBloomFilter<>(hasher, hashes(in), in.countedWords());
  }

  /** Reads the strategy, which must be one from {@code least} to {@code most}. */
  static int strategy(ForeignInput in, int least, int most) throws IOException {
    int strategy = in.u8("strategy");
    in.expect(0, "strategy", least, most, strategy);
    return strategy;
  }

  static int hashes(ForeignInput in) throws IOException {
    int hashes = in.u8("number of hashes");
    in.expect(1, "number of hashes", 1, MAX_HASHES, hashes);
    return hashes;
  }

  /**
   * Returns k as Guava chooses it.
   *
   * @throws IllegalArgumentException if the byte for it has no room
   */
  static int hashesFor(double fpp) {
    int hashes = ClassicSize.hashes(fpp);
    if (hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "fpp " + fpp + " takes " + hashes + " hashes, Guava has at most " + MAX_HASHES);
    }
    return hashes;
  }

  static void write(OutputStream out, int strategy, int hashes, long[] words) throws IOException {
    byte[] header =
        ByteBuffer.allocate(BYTES)
            .put((byte) strategy)
            .put((byte) hashes)
            .putInt(words.length)
            .array();
    WordBytes.write(out, header, words, ByteOrder.BIG_ENDIAN);
  }
}
