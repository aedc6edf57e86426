package dev.tamis.filter;

import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes the file of a Bloom filter whose bits are elsewhere, part by part.
 *
 * <p>{@link BitPositions} says which bits a key has. Not safe for concurrent use.
 */
public final class BloomFilterOutput {

  private final FrameWriter writer;
  private final long payloadBytes;
  private long written;

  /** Starts the file of a filter with these parameters. */
  public BloomFilterOutput(OutputStream out, Sizing sizing, HashId hashId) {
    long words = (sizing.shape().bits() + Long.SIZE - 1) / Long.SIZE;
    payloadBytes = words * Long.BYTES;
    writer = new FrameWriter(out, Kind.BLOOM, payloadBytes);
    writer.hash(hashId);
    SizingFields.write(writer, sizing);
  }

  /** Writes the next bytes of the bit array, and not past its end. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > payloadBytes - written) {
      throw new IllegalArgumentException(
          "bits: must be " + payloadBytes + " bytes in all, got at least " + (written + length));
    }
    writer.payload().write(bytes, offset, length);
    written += length;
  }

  /** Writes the checksum, once all bits are written, and flushes the stream, which stays open. */
  public void finish() throws IOException {
    if (written != payloadBytes) {
      throw new IllegalStateException(
          "bits: must be " + payloadBytes + " bytes in all, got " + written);
    }
    writer.finish();
  }
}
