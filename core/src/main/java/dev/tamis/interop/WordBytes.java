package dev.tamis.interop;

import dev.tamis.internal.bits.Words;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Words as bytes of either order. */
final class WordBytes {

  private static final int CHUNK_BYTES = 1 << 16;

  private WordBytes() {}

  /**
   * Writes a foreign header and the words, and flushes. Other threads may put meanwhile: every key
   * whose put returned before the call is written.
   */
  static void write(OutputStream out, byte[] header, Words words, ByteOrder order)
      throws IOException {
    VarHandle.acquireFence();
    out.write(header);
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(order);
    for (long[] segment : words.segments()) {
      int count;
      for (int start = Words.FIRST; start < segment.length; start += count) {
        count = Math.min(CHUNK_BYTES / Long.BYTES, segment.length - start);
        chunk.asLongBuffer().put(segment, start, count);
        out.write(chunk.array(), 0, count * Long.BYTES);
      }
    }
    out.flush();
  }
}
