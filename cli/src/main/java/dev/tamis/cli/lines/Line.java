package dev.tamis.cli.lines;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * One line in place, in its reader's buffer: the bytes before the delimiter, possibly none.
 *
 * <p>There is one object for all lines of a reader; it changes with each {@link LineReader#line}.
 */
public final class Line {

  /** Hashes the bytes of the line, as {@link KeyHasher#bytes} would a copy of them. */
  public static final KeyHasher<Line> HASHER = InPlace.HASHER;

  /** Returns what hashes lines by {@code function}. */
  public static ToLongFunction<Line> hashing(HashFunction function) {
    return line -> HASHER.hash(line, function);
  }

  private byte[] buffer = {};
  private int start;
  private int length;

  /** Creates an empty line. */
  public Line() {}

  /** Makes it the line that is here in a buffer. */
  public void set(byte[] buffer, int start, int length) {
    this.buffer = buffer;
    this.start = start;
    this.length = length;
  }

  /** Returns the bytes decoded as UTF-8, with U+FFFD for malformed input. */
  public String text() {
    return new String(buffer, start, length, StandardCharsets.UTF_8);
  }

  /** Returns the bytes of the line in place. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(buffer, start, length);
  }

  /** Returns a copy of the line, cut after {@code maxBytes}. */
  public Line copy(int maxBytes) {
    Line copy = new Line();
    byte[] bytes = Arrays.copyOfRange(buffer, start, start + Math.min(length, maxBytes));
    copy.set(bytes, 0, bytes.length);
    return copy;
  }

  /** Returns the buffer that contains the line. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns where in the buffer it starts. */
  public int start() {
    return start;
  }

  /** Returns how many bytes it has. */
  public int length() {
    return length;
  }

  /** Not a lambda: one that can be serialized is not in a class-data archive, and takes 5 ms. */
  private enum InPlace implements KeyHasher<Line> {
    HASHER;

    @Override
    public long hash(Line line, HashFunction function) {
      return function.hashBytes(line.buffer, line.start, line.length);
    }
  }
}
