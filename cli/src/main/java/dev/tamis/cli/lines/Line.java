package dev.tamis.cli.lines;

import dev.tamis.KeyHasher;
import java.nio.ByteBuffer;

/**
 * One line where it lies in its reader's buffer: the bytes before the delimiter, which may be none.
 *
 * <p>There is one object for all lines of a reader; it changes with each {@link LineReader#line}.
 */
public final class Line {

  /** Hashes the bytes of the line, as {@link KeyHasher#bytes} would a copy of them. */
  public static final KeyHasher<Line> HASHER =
      (line, function) -> function.hashBytes(line.buffer, line.start, line.length);

  private byte[] buffer = {};
  private int start;
  private int length;

  Line() {}

  void set(byte[] buffer, int start, int length) {
    this.buffer = buffer;
    this.start = start;
    this.length = length;
  }

  /** Returns the bytes of the line where they lie. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(buffer, start, length);
  }

  /** Returns the buffer the line lies in. */
  byte[] buffer() {
    return buffer;
  }

  /** Returns where in the buffer it starts. */
  int start() {
    return start;
  }

  /** Returns how many bytes it has. */
  int length() {
    return length;
  }
}
