package dev.tamis.interop;

import dev.tamis.Traits;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.FppText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** How Guava derives positions: the first field of its header, and what follows from it. */
enum GuavaStrategy {
  MURMUR128_MITZ_32(0, Stepping.INT),
  MURMUR128_MITZ_64(1, Stepping.LONG);

  /** The most hashes of a key: what one byte holds. */
  private static final int MAX_HASHES = 255;

  private static final int HEADER_BYTES = 2 + Integer.BYTES;

  private final int id;
  private final Stepping stepping;

  GuavaStrategy(int id, Stepping stepping) {
    this.id = id;
    this.stepping = stepping;
  }

  /** Reads which strategy it is. */
  static GuavaStrategy read(ForeignInput in) throws IOException {
    int id = in.u8("strategy");
    in.expect(0, "strategy", MURMUR128_MITZ_32.id, MURMUR128_MITZ_64.id, id);
    return id == MURMUR128_MITZ_32.id ? MURMUR128_MITZ_32 : MURMUR128_MITZ_64;
  }

  /** Reads the strategy, which must be this. */
  void expect(ForeignInput in) throws IOException {
    in.expect(0, "strategy", id, id, in.u8("strategy"));
  }

  /** Reads the number of hashes. */
  static int hashes(ForeignInput in) throws IOException {
    int hashes = in.u8("number of hashes");
    in.expect(1, "number of hashes", 1, MAX_HASHES, hashes);
    return hashes;
  }

  /** Returns the probes in these words. */
  Probes probes(int hashes, Words words) {
    return new Probes(stepping, words.count() * Long.SIZE, hashes);
  }

  /**
   * Returns the probes of a filter as large as Guava makes it.
   *
   * @throws IllegalArgumentException if Guava has no room for so many hashes or bits
   */
  Probes probes(long expectedKeys, double fpp) {
    long bits = ClassicSize.wholeWords(ClassicSize.bits(expectedKeys, fpp));
    int hashes = ClassicSize.hashes(fpp);
    if (hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "fpp "
              + FppText.exact(fpp)
              + " takes "
              + hashes
              + " hashes, Guava has at most "
              + MAX_HASHES);
    }
    return new Probes(stepping, bits, hashes);
  }

  Traits variant(int hashes) {
    return Traits.of("variant").matching("strategy", name()).matching("hashes", hashes);
  }

  /** Returns how many bytes {@link #write} writes. */
  static long size(Words words) {
    return HEADER_BYTES + words.bytes();
  }

  void write(OutputStream out, int hashes, Words words) throws IOException {
    byte[] header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put((byte) id)
            .put((byte) hashes)
            .putInt((int) words.count())
            .array();
    WordBytes.write(out, header, words, ByteOrder.BIG_ENDIAN);
  }
}
