package dev.tamis.interop;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Words as bytes of either order. */
final class WordBytes {

  private static final int CHUNK_BYTES = 1 << 16;

  private WordBytes() {}

  /** Writes a header of another program and the words after it, and flushes the stream. */
  static void write(OutputStream out, byte[] header, long[] words, ByteOrder order)
      throws IOException {
    out.write(header);
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(order);
    int count;
    for (int start = 0; start < words.length; start += count) {
      count = Math.min(CHUNK_BYTES / Long.BYTES, words.length - start);
      chunk.asLongBuffer().put(words, start, count);
      out.write(chunk.array(), 0, count * Long.BYTES);
    }
    out.flush();
  }
}
