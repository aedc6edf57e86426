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
   * Creates a view of some buffers.
   *
   * @param parts at least one, from the first byte up to the capacity of each; all but the last of
   *     the same size, a power of two that is a multiple of a line, and the last no larger
   * @param start the index, in all the buffers, of the word that is to be word 0
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

  /** Returns a word. */
  public long get(long index) {
    return part(index).get(at(index));
  }

  /** Fills {@code line} with the words from {@code first} on, the first of a line. */
  void getLine(long first, long[] line) {
    part(first).get(at(first), line);
  }

  /** Returns the buffer that has a word and the others of its cache line. */
  LongBuffer part(long index) {
    return parts[(int) ((start + index) >>> shift)];
  }

  /** Returns where in its buffer a word is. */
  int at(long index) {
    return (int) (start + index) & mask;
  }
}
