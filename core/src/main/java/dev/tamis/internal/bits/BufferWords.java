package dev.tamis.internal.bits;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.List;

/**
 * A read-only view of the words in a sequence of buffers, little-endian.
 *
 * <p>Several buffers, because one holds less than 2 GiB. An index may be off within a cache line;
 * none reaches memory outside the buffers. Safe for any number of threads.
 */
public final class BufferWords {

  /*
   * A LongBuffer, because on Java 17 it takes two thirds of the time of a view by a VarHandle when
   * a line of eight words is read (63 ns, not 97, in a gigabyte).
   */

  /** For a single buffer: more words than any has. */
  private static final int ONLY_PART_SHIFT = Integer.SIZE - 1;

  private final LongBuffer[] parts;
  private final int shift;
  private final int mask;
  private final long start;

  /**
   * Creates a view of some buffers, each from its first byte up to its capacity.
   *
   * @param parts all but the last of the same size, a power of two and a multiple of a line
   * @param start the index, over all buffers, of word 0
   */
  public BufferWords(List<ByteBuffer> parts, long start) {
    this.parts =
        parts.stream()
            .map(part -> part.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer())
            .toArray(LongBuffer[]::new);
    this.shift =
        parts.size() == 1
            ? ONLY_PART_SHIFT
            : Integer.numberOfTrailingZeros(parts.get(0).capacity() / Long.BYTES);
    this.mask = (1 << shift) - 1;
    this.start = start;
  }

  public long get(long index) {
    return part(index).get(at(index));
  }

  /** Fills {@code line} with the words from {@code first}, the first of a line, on. */
  void getLine(long first, long[] line) {
    part(first).get(at(first), line);
  }

  /** Returns the buffer that contains a word and the rest of its cache line. */
  LongBuffer part(long index) {
    return parts[(int) ((start + index) >>> shift)];
  }

  /** Returns the index of a word in its buffer. */
  int at(long index) {
    return (int) (start + index) & mask;
  }
}
