package dev.tamis.interop;

import dev.tamis.internal.bits.LineWords;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Words as bytes of either order. */
final class WordBytes {

  private static final int CHUNK_BYTES = 1 << 16;

  private WordBytes() {}

  /** Returns how many bytes the words of an array take, whose first are unused. */
  static long count(long[] words) {
    return (long) LineWords.count(words) * Long.BYTES;
  }

  /**
   * Writes a header of another program and the words after it, and flushes the stream. Other
   * threads may put meanwhile: every key whose put returned before the call is written.
   */
  static void write(OutputStream out, byte[] header, long[] words, ByteOrder order)
      throws IOException {
    VarHandle.acquireFence();
    out.write(header);
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(order);
    int count;
    for (int start = LineWords.FIRST; start < words.length; start += count) {
      count = Math.min(CHUNK_BYTES / Long.BYTES, words.length - start);
      chunk.asLongBuffer().put(words, start, count);
      out.write(chunk.array(), 0, count * Long.BYTES);
    }
    out.flush();
  }
}
