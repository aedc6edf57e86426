package dev.tamis.format;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * Reads one frame and checks it.
 *
 * <p>First the header, at once; then the parameters, as they are asked for; then the payload; then
 * {@link #finish}.
 *
 * <p>Reads no byte past the frame. Not safe for concurrent use.
 */
public final class FrameReader {

  private final ByteBuffer header =
      ByteBuffer.allocate(Frame.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CheckedInputStream in;
  private final Kind kind;
  private final long start;
  private long offset;

  /**
   * Reads and checks the header.
   *
   * @param maxPayloadBytes the most the payload may claim to be; what is beyond is refused before
   *     anything is allocated for it
   * @throws FormatException if the bytes are not a frame, or one that claims too much
   * @throws IOException if {@code in} fails
   */
  public FrameReader(InputStream in, long maxPayloadBytes) throws IOException {
    this(in, maxPayloadBytes, 0);
  }

  /**
   * Does the same for a frame within another.
   *
   * @param start where it begins, in bytes from the start of the outermost; messages count from
   *     there
   */
  public FrameReader(InputStream in, long maxPayloadBytes, long start) throws IOException {
    this.start = start;
    this.in = new CheckedInputStream(in, new CRC32C());
    read(header.array(), Frame.HEADER_BYTES, "header");
    if (i64(0) != Frame.MAGIC) {
      throw invalid(0, "magic", hexBytes(Frame.MAGIC), hexBytes(i64(0)));
    }
    expect(Frame.VERSION_AT, "version", Frame.VERSION, u16(Frame.VERSION_AT));
    CRC32C checksum = new CRC32C();
    checksum.update(header.array(), 0, Frame.HEADER_CHECKSUM_AT);
    expect(
        Frame.HEADER_CHECKSUM_AT,
        "header checksum",
        checksum.getValue(),
        u32(Frame.HEADER_CHECKSUM_AT));
    expect(Frame.HEADER_BYTES_AT, "header length", Frame.HEADER_BYTES, u32(Frame.HEADER_BYTES_AT));
    this.kind = kindOf(u16(Frame.KIND_AT));
    if (payloadBytes() < 0 || payloadBytes() > maxPayloadBytes) {
      throw invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          "at most " + maxPayloadBytes + " bytes, the limit given",
          Long.toUnsignedString(payloadBytes()));
    }
  }

  /**
   * Reads and checks the header of a frame that must be of one kind.
   *
   * @throws FormatException if it is of another, and for the constructor's reasons
   */
  public static FrameReader of(Kind kind, InputStream in, long maxPayloadBytes) throws IOException {
    FrameReader reader = new FrameReader(in, maxPayloadBytes);
    reader.expect(Frame.KIND_AT, "kind", kind.id(), reader.kind.id());
    return reader;
  }

  /** Returns what the frame holds. */
  public Kind kind() {
    return kind;
  }

  /** Returns the length of the payload, within the limit given. */
  public long payloadBytes() {
    return i64(Frame.PAYLOAD_BYTES_AT);
  }

  /** Returns an unsigned number of two bytes from the header. */
  public int u16(int at) {
    return Short.toUnsignedInt(header.getShort(at));
  }

  /** Returns an unsigned number of four bytes from the header. */
  public long u32(int at) {
    return Integer.toUnsignedLong(header.getInt(at));
  }

  /** Returns a number of eight bytes from the header. */
  public long i64(int at) {
    return header.getLong(at);
  }

  /** Returns a floating-point number of eight bytes from the header. */
  public double f64(int at) {
    return header.getDouble(at);
  }

  /**
   * Returns the hasher together with the function by which the keys were hashed.
   *
   * @param hasher whose hash key, if it has one, must be the one that was used
   * @throws FormatException if it is not, or only one of the two has a key
   */
  public <T> BoundHasher<T> boundHasher(KeyHasher<? super T> hasher) throws FormatException {
    HashId.Algorithm algorithm =
        parameter(Frame.HASH_AT, "hash", () -> HashId.Algorithm.ofId(u16(Frame.HASH_AT)));
    HashId found = new HashId(algorithm, i64(Frame.HASH_NUMBER_AT));
    if (algorithm.isKeyed() && hasher.hashKey().isEmpty()) {
      throw invalid(Frame.HASH_AT, "hash", "one without a key, as the hasher has none", found);
    }
    BoundHasher<T> bound = BoundHasher.forFilter(hasher, found);
    if (!bound.id().equals(found)) {
      throw invalid(Frame.HASH_AT, "hash", bound.id() + ", as the hasher has it", found);
    }
    return bound;
  }

  /** Returns what {@code check} makes of a parameter, or says where the one it refuses lies. */
  public <V> V parameter(int at, String field, Supplier<V> check) throws FormatException {
    try {
      return check.get();
    } catch (IllegalArgumentException e) {
      throw invalid(at, field, "a filter's", String.valueOf(e.getMessage()));
    }
  }

  /** Checks that the header has a number where the format has just one for it. */
  public void expect(int at, String field, long expected, long found) throws FormatException {
    if (found != expected) {
      throw invalid(at, field, Long.toUnsignedString(expected), Long.toUnsignedString(found));
    }
  }

  /**
   * Checks that the payload is as long as the parameters say.
   *
   * @param content what takes so many bytes, for the message
   */
  public void expectPayload(long bytes, String content) throws FormatException {
    if (payloadBytes() != bytes) {
      throw invalid(
          Frame.PAYLOAD_BYTES_AT, "payload length", bytes + " for " + content, payloadBytes());
    }
  }

  /**
   * Returns what {@code allocation} makes.
   *
   * @param allocation allocates one array, so that nothing is half done where it fails
   * @throws FormatException if the heap cannot hold it
   */
  public <V> V allocate(Supplier<V> allocation) throws FormatException {
    try {
      return allocation.get();
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      throw invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          "what the heap can hold",
          String.valueOf(e.getMessage()));
    }
  }

  /** Checks that the header is zero from {@code start} up to {@code end}, exclusive. */
  public void expectZeros(int start, int end) throws FormatException {
    for (int at = start; at < end; at++) {
      expect(at, "reserved byte", 0, Byte.toUnsignedInt(header.get(at)));
    }
  }

  /** Checks that there are no parameters from {@code start} on. */
  public void expectNoMoreParameters(int start) throws FormatException {
    expectZeros(start, Frame.HEADER_CHECKSUM_AT);
  }

  /** Returns the exception that says what is wrong in this frame. */
  public FormatException invalid(long at, String field, Object expected, Object found) {
    return new FormatException(start + at, field, expected, found);
  }

  /** Fills {@code words} from the payload. */
  public void words(long[] words) throws IOException {
    words(words, 0);
  }

  /** Fills {@code words} from index {@code from} on. */
  public void words(long[] words, int from) throws IOException {
    int chunkWords = Math.min(words.length - from, Frame.CHUNK_BYTES / Long.BYTES);
    ByteBuffer chunk = ByteBuffer.allocate(chunkWords * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int count;
    for (int start = from; start < words.length; start += count) {
      count = Math.min(chunkWords, words.length - start);
      read(chunk.array(), count * Long.BYTES, "payload");
      chunk.asLongBuffer().get(words, start, count);
    }
  }

  /** Fills {@code bytes} from the payload. */
  public void bytes(byte[] bytes) throws IOException {
    read(bytes, bytes.length, "payload");
  }

  /** Returns where to read payload that is made of frames itself. */
  public InputStream payload() {
    return in;
  }

  /**
   * Reads the checksum and compares it.
   *
   * @throws FormatException if the frame was damaged; nothing read from it may then be used
   */
  public void finish() throws IOException {
    long expected = in.getChecksum().getValue();
    offset = Frame.HEADER_BYTES + payloadBytes();
    byte[] trailer = new byte[Frame.TRAILER_BYTES];
    read(trailer, trailer.length, "checksum");
    long found =
        Integer.toUnsignedLong(ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt());
    if (found != expected) {
      throw invalid(
          Frame.HEADER_BYTES + payloadBytes(),
          "checksum",
          Long.toHexString(expected),
          Long.toHexString(found));
    }
  }

  private void read(byte[] bytes, int length, String field) throws IOException {
    int count = in.readNBytes(bytes, 0, length);
    offset += count;
    if (count < length) {
      throw invalid(offset, field, "all of its bytes", "the end of the input");
    }
  }

  /** Returns the bytes of a little-endian number, the first one first. */
  private static String hexBytes(long value) {
    return String.format(Locale.ROOT, "%016x", Long.reverseBytes(value));
  }

  private Kind kindOf(int id) throws FormatException {
    for (Kind candidate : Kind.values()) {
      if (candidate.id() == id) {
        return candidate;
      }
    }
    throw invalid(Frame.KIND_AT, "kind", "1 to " + Kind.values().length, id);
  }
}
