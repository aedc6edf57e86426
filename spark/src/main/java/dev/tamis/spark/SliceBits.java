package dev.tamis.spark;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.LineRanges;
import dev.tamis.format.Codec;
import dev.tamis.sizing.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** The bits of one slice of a filter, which one task owns. */
final class SliceBits {

  private static final int BUFFER_BYTES = 1 << 16;

  private final BitPositions positions;
  private final long firstBit;
  private final long endBit;
  private final long[] words;

  SliceBits(Shape shape, LineRanges slices, int slice) {
    positions = BitPositions.of(shape);
    firstBit = slices.firstBit(slice);
    endBit = firstBit + slices.bits(slice);
    words = new long[Math.toIntExact((endBit - firstBit) / Long.SIZE)];
  }

  /** Sets those bits of some keys that are in this slice; the others have owners of their own. */
  void put(byte[] hashes) {
    ByteBuffer buffer = Codec.buffer(hashes);
    int count = positions.count();
    while (buffer.hasRemaining()) {
      long hash = buffer.getLong();
      for (int i = 0; i < count; i++) {
        long bit = positions.position(hash, i);
        if (bit >= firstBit && bit < endBit) {
          long at = bit - firstBit;
          words[(int) (at >>> 6)] |= 1L << at;
        }
      }
    }
  }

  long setBits() {
    long setBits = 0;
    for (long word : words) {
      setBits += Long.bitCount(word);
    }
    return setBits;
  }

  /**
   * Writes the bits in the order of a file.
   *
   * @return the CRC-32C of the bytes written
   */
  int writeTo(OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
    byte[] bytes = new byte[BUFFER_BYTES];
    int step = BUFFER_BYTES / Long.BYTES;
    for (int from = 0; from < words.length; from += step) {
      int count = Math.min(step, words.length - from);
      Codec.buffer(bytes).asLongBuffer().put(words, from, count);
      checked.write(bytes, 0, count * Long.BYTES);
    }
    return (int) checked.getChecksum().getValue();
  }
}
