package dev.tamis.format;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Writes bytes, little-endian words, and at the end their checksum.
 *
 * <p>Not safe for concurrent use.
 */
public final class CodecOutput extends CheckedOutputStream {

  /** Starts to write. */
  public CodecOutput(OutputStream out) {
    super(out, new CRC32C());
  }

  /** Writes words from index {@code from} on. */
  public void words(long[] words, int from) throws IOException {
    int chunkWords = Math.min(words.length - from, Codec.CHUNK_BYTES / Long.BYTES);
    byte[] chunk = new byte[chunkWords * Long.BYTES];
    int count;
    for (int start = from; start < words.length; start += count) {
      count = Math.min(chunkWords, words.length - start);
      Codec.buffer(chunk).asLongBuffer().put(words, start, count);
      write(chunk, 0, count * Long.BYTES);
    }
  }

  /** Writes the checksum of all bytes before it and flushes the stream, which stays open. */
  public void finish() throws IOException {
    write(Codec.buffer(Integer.BYTES).putInt((int) getChecksum().getValue()).array());
    flush();
  }
}
