package dev.tamis.cli.lines;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A line in the buffer of its reader, without its delimiter; {@link LineReader#line} reuses it. */
public final class Line {

  /** Hashes the bytes of the line as {@link KeyHasher#bytes} would. */
  public static final KeyHasher<Line> HASHER = InPlace.HASHER;

  public static LineHash hashing(HashFunction function) {
    return line -> HASHER.hash(line, function);
  }

  private byte[] buffer = {};
  private int start;
  private int length;

  public Line() {}

  public void set(byte[] buffer, int start, int length) {
    this.buffer = buffer;
    this.start = start;
    this.length = length;
  }

  /** Returns the bytes decoded as UTF-8, with U+FFFD for malformed input. */
  public String text() {
    return new String(buffer, start, length, StandardCharsets.UTF_8);
  }

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

  public byte[] buffer() {
    return buffer;
  }

  public int start() {
    return start;
  }

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
