package dev.tamis.format;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * Reads one frame and checks it.
 *
 * <p>First the header, at once; then the parameters, on demand; then the payload; then {@link
 * #finish}.
 *
 * <p>Reads no byte past the frame. Not safe for concurrent use.
 */
public final class FrameReader {

  private final CodecInput in;
  private final HeaderFields header;
  private final Kind kind;

  /**
   * Reads and checks the header.
   *
   * @param maxPayloadBytes the most the payload may claim to be; what is beyond is refused before
   *     anything is allocated for it
   * @throws FormatException if the bytes are not a frame, or one that claims too much
   * @throws IOException if {@code in} fails
   */
  public FrameReader(InputStream in, long maxPayloadBytes) throws IOException {
    this("filter", in, maxPayloadBytes, 0);
  }

  /** Does the same for a frame that begins at {@code start} of the outermost one. */
  public FrameReader(InputStream in, long maxPayloadBytes, long start) throws IOException {
    this("filter", in, maxPayloadBytes, start);
  }

  private FrameReader(String what, InputStream in, long maxPayloadBytes, long start)
      throws IOException {
    this.in = new CodecInput(what, in, start, Long.MAX_VALUE);
    this.header = this.in.header("header", Frame.HEADER_BYTES, ByteOrder.LITTLE_ENDIAN);
    header.expectMagic(Frame.MAGIC);
    expect(Frame.VERSION_AT, "version", Frame.VERSION, u16(Frame.VERSION_AT));
    header.expectChecksum(Frame.HEADER_CHECKSUM_AT, "header checksum");
    expect(Frame.HEADER_BYTES_AT, "header length", Frame.HEADER_BYTES, u32(Frame.HEADER_BYTES_AT));
    this.kind = kindOf(u16(Frame.KIND_AT));
    if (payloadBytes() < 0 || payloadBytes() > maxPayloadBytes) {
      throw invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          "at most " + maxPayloadBytes + " bytes",
          Long.toUnsignedString(payloadBytes()));
    }
  }

  /** Does the same for a frame that must be of one kind. */
  public static FrameReader of(Kind kind, InputStream in, long maxPayloadBytes) throws IOException {
    FrameReader reader = new FrameReader(kind.what(), in, maxPayloadBytes, 0);
    reader.expect(Frame.KIND_AT, "kind", kind.id(), reader.kind.id());
    return reader;
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the length of the payload, within the limit given. */
  public long payloadBytes() {
    return i64(Frame.PAYLOAD_BYTES_AT);
  }

  /** Returns an unsigned number of two bytes from the header. */
  public int u16(int at) {
    return header.u16(at);
  }

  /** Returns an unsigned number of four bytes from the header. */
  public long u32(int at) {
    return header.u32(at);
  }

  /** Returns a number of eight bytes from the header. */
  public long i64(int at) {
    return header.i64(at);
  }

  /** Returns a floating-point number of eight bytes from the header. */
  public double f64(int at) {
    return header.f64(at);
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
    String type = keyType();
    return type.isEmpty() ? bound : bound.withKeyType(type);
  }

  /** Returns what the header states about the keys; empty for kinds that state nothing. */
  public String keyType() throws FormatException {
    return KeyTypeField.read(kind, header);
  }

  /** Returns the result of {@code check}, whose objection to a parameter becomes the exception. */
  public <V> V parameter(int at, String field, Supplier<V> check) throws FormatException {
    return header.checked(at, field, check);
  }

  /** Checks that the header has a number where the format has just one for it. */
  public void expect(int at, String field, long expected, long found) throws FormatException {
    header.expect(at, field, expected, found);
  }

  /** Checks that a number is in a closed range. */
  public void expectRange(int at, String field, long least, long most, long found)
      throws FormatException {
    header.expectRange(at, field, least, most, found);
  }

  /** Checks the length of the payload, whose {@code content} is named in the message. */
  public void expectPayload(long bytes, String content) throws FormatException {
    if (payloadBytes() != bytes) {
      throw invalid(
          Frame.PAYLOAD_BYTES_AT, "payload length", bytes + " for " + content, payloadBytes());
    }
  }

  /** Returns the result of {@code allocation}, whose failure becomes the exception. */
  public <V> V allocate(Supplier<V> allocation) throws FormatException {
    try {
      return allocation.get();
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      throw header.invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          "does not fit into the heap (" + e.getMessage() + ")");
    }
  }

  /** Checks that the header is zero from {@code start} up to {@code end}, exclusive. */
  public void expectZeros(int start, int end) throws FormatException {
    header.expectZeros(start, end);
  }

  /** Checks that there are no parameters from {@code start} on. */
  public void expectNoMoreParameters(int start) throws FormatException {
    expectZeros(start, Frame.HEADER_CHECKSUM_AT);
  }

  /** Returns the exception for a field of this frame. */
  public FormatException invalid(long at, String field, Object expected, Object got) {
    return header.invalid(at, field, expected, got);
  }

  /** Fills {@code words} from the payload. */
  public void words(long[] words) throws IOException {
    in.words("payload", words, 0);
  }

  /** Fills each segment from index {@code from} on from the payload. */
  public void words(long[][] segments, int from) throws IOException {
    for (long[] segment : segments) {
      in.words("payload", segment, from);
    }
  }

  /** Fills {@code bytes} from the payload. */
  public void bytes(byte[] bytes) throws IOException {
    in.readFully("payload", bytes, bytes.length);
  }

  /** Returns the payload, for frames within this one. */
  public InputStream payload() {
    return in;
  }

  /**
   * Reads the checksum and compares it.
   *
   * @throws FormatException if the frame was damaged; nothing read from it may then be used
   */
  public void finish() throws IOException {
    in.expectChecksum();
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
