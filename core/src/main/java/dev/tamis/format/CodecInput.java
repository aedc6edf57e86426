package dev.tamis.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Untrusted bytes read in order, with their checksum and offset so far.
 *
 * <p>A length is checked against what can be left before anything is allocated for it. A format
 * within this one can be read from this stream, and counts towards checksum, offset and limit.
 *
 * <p>Not safe for concurrent use.
 */
public final class CodecInput extends FilterInputStream {

  private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - Long.BYTES;

  private final CRC32C checksum = new CRC32C();
  private final String what;
  private final long start;
  private final long limit;
  private long position;

  /** Starts to read. Same as {@link #CodecInput(String, InputStream, long, long)} from 0. */
  public CodecInput(String what, InputStream in, long limit) {
    this(what, in, 0, limit);
  }

  /**
   * Starts to read a part of a longer input.
   *
   * @param what a name of the format, for messages
   * @param start the offset of this part, for messages
   * @param limit the most bytes that can follow
   */
  public CodecInput(String what, InputStream in, long start, long limit) {
    super(in);
    this.what = what;
    this.start = start;
    this.limit = limit;
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    if (read >= 0) {
      checksum.update(read);
      position++;
    }
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    int read = in.read(bytes, offset, count);
    if (read > 0) {
      checksum.update(bytes, offset, read);
      position += read;
    }
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    return Math.max(0, read(new byte[(int) Math.min(count, Codec.CHUNK_BYTES)]));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Returns how many bytes were read. */
  public long position() {
    return position;
  }

  /** Returns how many bytes can follow at most. */
  public long left() {
    return limit - position;
  }

  /** Returns the length of {@code count} items, if that many bytes can be left. */
  public int length(String field, long count, int itemBytes) throws FormatException {
    if (count < 0 || count > left() / itemBytes || count * itemBytes > MAX_ARRAY_BYTES) {
      throw invalid(
          field, "at most the " + left() + " bytes that are left", count + " of " + itemBytes);
    }
    return (int) count * itemBytes;
  }

  /** Reads bytes into a little-endian buffer with an array of its own. */
  public ByteBuffer next(String field, int count) throws IOException {
    byte[] bytes = new byte[length(field, count, 1)];
    readFully(field, bytes, count);
    return Codec.buffer(bytes);
  }

  /** Reads a header. */
  public HeaderFields header(String field, int count, ByteOrder order) throws IOException {
    long at = start + position;
    byte[] bytes = new byte[count];
    readFully(field, bytes, count);
    return new HeaderFields(what, at, bytes, order);
  }

  /** Fills the first {@code count} bytes of an array. */
  public void readFully(String field, byte[] bytes, int count) throws IOException {
    if (readNBytes(bytes, 0, count) < count) {
      throw FormatException.endOfInput(what, start + position, field);
    }
  }

  /** Fills an array of little-endian words from index {@code from} on. */
  public void words(String field, long[] words, int from) throws IOException {
    int chunkWords = Math.min(words.length - from, Codec.CHUNK_BYTES / Long.BYTES);
    byte[] chunk = new byte[chunkWords * Long.BYTES];
    int count;
    for (int done = from; done < words.length; done += count) {
      count = Math.min(chunkWords, words.length - done);
      readFully(field, chunk, count * Long.BYTES);
      Codec.buffer(chunk).asLongBuffer().get(words, done, count);
    }
  }

  /** Reads a checksum and compares it with that of all bytes read before. */
  public void expectChecksum() throws IOException {
    int expected = (int) checksum.getValue();
    long at = position;
    byte[] trailer = new byte[Integer.BYTES];
    readFully("checksum", trailer, trailer.length);
    int found = Codec.buffer(trailer).getInt();
    if (found != expected) {
      throw new FormatException(
          what, start + at, "checksum", Integer.toHexString(expected), Integer.toHexString(found));
    }
  }

  /** Checks that the input ends here. */
  public void expectEnd() throws IOException {
    if (read() >= 0) {
      throw new FormatException(what, start + position - 1, "end", "no more bytes", "more");
    }
  }

  /** Returns the exception for the field that was just read, or comes next. */
  public FormatException invalid(String field, Object expected, Object got) {
    return new FormatException(what, start + position, field, expected, got);
  }
}
