package dev.tamis.format;

import dev.tamis.hash.HashId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Writes one frame: parameters first, then the payload, then {@link #finish}.
 *
 * <p>Not safe for concurrent use.
 */
public final class FrameWriter {

  private final ByteBuffer header =
      ByteBuffer.allocate(Frame.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final CheckedOutputStream out;
  private boolean headerWritten;

  /** Starts a frame. Nothing is written before the payload. */
  public FrameWriter(OutputStream out, Kind kind, long payloadBytes) {
    this.out = new CheckedOutputStream(out, new CRC32C());
    header.putLong(0, Frame.MAGIC);
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

  /** Writes words of payload. */
  public void words(long[] words) throws IOException {
    words(words, 0);
  }

  /** Writes the words from index {@code from} on. */
  public void words(long[] words, int from) throws IOException {
    payload();
    ByteBuffer chunk = ByteBuffer.allocate(Frame.CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int chunkWords = Frame.CHUNK_BYTES / Long.BYTES;
    int count;
    for (int start = from; start < words.length; start += count) {
      count = Math.min(chunkWords, words.length - start);
      chunk.asLongBuffer().put(words, start, count);
      out.write(chunk.array(), 0, count * Long.BYTES);
    }
  }

  /** Returns where to write payload that is made of frames itself. */
  public OutputStream payload() throws IOException {
    if (!headerWritten) {
      CRC32C checksum = new CRC32C();
      checksum.update(header.array(), 0, Frame.HEADER_CHECKSUM_AT);
      header.putInt(Frame.HEADER_CHECKSUM_AT, (int) checksum.getValue());
      out.write(header.array());
      headerWritten = true;
    }
    return out;
  }

  /** Writes the checksum and flushes the stream, which stays open. */
  public void finish() throws IOException {
    int checksum = (int) out.getChecksum().getValue();
    out.write(
        ByteBuffer.allocate(Frame.TRAILER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(checksum)
            .array());
    out.flush();
  }
}
