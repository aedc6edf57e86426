package dev.tamis.format;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Writes one frame: parameters first, then the payload, then {@link #finish}.
 *
 * <p>Not safe for concurrent use.
 */
public final class FrameWriter {

  private final byte[] headerBytes = new byte[Frame.HEADER_BYTES];
  private final ByteBuffer header = Codec.buffer(headerBytes);
  private final CodecOutput out;
  private final Kind kind;
  private boolean headerWritten;

  /** Starts a frame. Nothing is written before the payload. */
  public FrameWriter(OutputStream out, Kind kind, long payloadBytes) {
    this.out = new CodecOutput(out);
    this.kind = kind;
    header.put(0, Frame.MAGIC);
    header.putShort(Frame.VERSION_AT, (short) Frame.VERSION);
    header.putShort(Frame.KIND_AT, (short) kind.id());
    header.putInt(Frame.HEADER_BYTES_AT, Frame.HEADER_BYTES);
    header.putLong(Frame.PAYLOAD_BYTES_AT, payloadBytes);
  }

  /** Returns the header, for parameters from {@link Frame#HASH_AT} on; little-endian. */
  public ByteBuffer header() {
    return header;
  }

  /** Sets the parameters that say how keys are hashed. */
  public void hash(HashId id) {
    header.putShort(Frame.HASH_AT, (short) id.algorithm().id());
    header.putLong(Frame.HASH_NUMBER_AT, id.number());
  }

  /**
   * Sets the type of the keys of a Bloom, fuse or ribbon filter, as {@link BoundHasher#keyType}
   * returns it.
   *
   * @throws IllegalArgumentException if it is longer than the header has room for
   */
  public void keyType(String type) {
    KeyTypeField.write(kind, this, type);
  }

  /** Writes words of payload. */
  public void words(long[] words) throws IOException {
    payload();
    out.words(words, 0);
  }

  /** Writes the words of each segment from index {@code from} on. */
  public void words(long[][] segments, int from) throws IOException {
    payload();
    for (long[] segment : segments) {
      out.words(segment, from);
    }
  }

  /** Returns the payload, for frames within this one. */
  public OutputStream payload() throws IOException {
    if (!headerWritten) {
      Codec.putChecksum(headerBytes, Frame.HEADER_CHECKSUM_AT);
      out.write(headerBytes);
      headerWritten = true;
    }
    return out;
  }

  /** Writes the checksum and flushes the stream, which stays open. */
  public void finish() throws IOException {
    out.finish();
  }
}
