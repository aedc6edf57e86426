package dev.tamis.cli.lines;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * Some lines as they were read, one after the other with their delimiters, and the hash of each.
 *
 * <p>After the lines there may be the beginning of another. For one thread at a time.
 */
final class Block {

  /** Fits the cache of a core, and is large enough that handing it over costs nothing. */
  static final int BYTES = 1 << 18;

  private static final int FIRST_LINES = 1 << 12;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16; // about the longest array

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;

  private final int usualLimit;
  private int limit;
  private byte[] bytes;
  private int used;
  private int searched;
  private int[] ends = new int[FIRST_LINES];
  private long[] hashes = new long[FIRST_LINES];
  private int found;
  private int count;

  /** Creates an empty block that is full at so many bytes, unless one line has more. */
  Block(int limit) {
    this.usualLimit = limit;
    this.limit = limit;
    this.bytes = new byte[limit];
  }

  /** Returns how many lines there are; one counts when it is hashed. */
  int count() {
    return count;
  }

  /** Returns the bytes of the lines and more. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns where a line starts, or the byte after the last line's delimiter. */
  int start(int line) {
    return line == 0 ? 0 : ends[line - 1] + 1;
  }

  /** Returns where a line's delimiter is. */
  int end(int line) {
    return ends[line];
  }

  /** Returns the hashes of the lines, from index 0 on. */
  long[] hashes() {
    return hashes;
  }

  /** Returns whether no more should be read, because there are lines and many bytes. */
  boolean isFull() {
    return count > 0 && used >= limit;
  }

  /**
   * Reads what is there, after what was read before, and returns whether it was not the end.
   *
   * @throws LineTooLongException if there is no room for a line
   */
  boolean read(InputStream in) throws IOException {
    makeRoom();
    int read = in.read(bytes, used, limit - used);
    if (read < 0) {
      return false;
    }
    used += read;
    return true;
  }

  /** Ends the line that has begun, if one has, as the delimiter does which is missing. */
  void endLine(byte delimiter) throws IOException {
    if (used > start(count)) {
      makeRoom();
      bytes[used++] = delimiter;
    }
  }

  private void makeRoom() throws LineTooLongException {
    if (used < limit) {
      return;
    }
    if (limit == MAX_BYTES) {
      throw new LineTooLongException();
    }
    limit = (int) Math.min(MAX_BYTES, 2L * limit);
    if (bytes.length < limit) {
      bytes = Arrays.copyOf(bytes, limit);
    }
  }

  /**
   * Finds the lines in what was read since, and hashes them.
   *
   * <p>Eight bytes at a time: adding 0x7F to the low seven bits of a byte gives a high bit unless
   * they are zero, and never carries into the next byte.
   *
   * @see <a href="https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord">Determine if a
   *     word has a zero byte</a>
   */
  void split(byte delimiter, ToLongFunction<Line> hashing, Line line) {
    byte[] text = bytes; // a field would be read again for each word
    int end = used;
    long pattern = (delimiter & 0xFF) * ONES;
    int i = searched;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      long differences = (long) WORDS.get(text, i) ^ pattern;
      long zeros = ~(((differences & LOW_BITS) + LOW_BITS) | differences | LOW_BITS);
      for (; zeros != 0; zeros &= zeros - 1) {
        add(i + Long.numberOfTrailingZeros(zeros) / Byte.SIZE);
      }
    }
    for (; i < end; i++) {
      if (text[i] == delimiter) {
        add(i);
      }
    }
    searched = end;
    for (; count < found; count++) {
      line.set(text, start(count), end(count) - start(count));
      hashes[count] = hashing.applyAsLong(line);
    }
  }

  private void add(int end) {
    if (found == ends.length) {
      ends = Arrays.copyOf(ends, 2 * found);
      hashes = Arrays.copyOf(hashes, 2 * found);
    }
    ends[found++] = end;
  }

  /** Replaces what is here by what is in {@code other} after its lines. */
  void startWithRestOf(Block other) {
    int rest = other.start(other.count);
    count = 0;
    found = 0;
    used = other.used - rest;
    searched = used;
    limit = Math.max(usualLimit, used);
    if (bytes.length < limit) {
      bytes = new byte[limit];
    }
    System.arraycopy(other.bytes, rest, bytes, 0, used);
  }

  /** Says that a line is longer than an array can be. */
  static final class LineTooLongException extends IOException {
    private static final long serialVersionUID = 1;
  }
}
