package dev.tamis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bytes in several buffers, as a large file is mapped. */
public final class Parts {

  private Parts() {}

  /** Returns all bytes in parts of {@code size}, the last with the rest. */
  public static List<ByteBuffer> of(byte[] bytes, int partBytes) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += partBytes) {
      parts.add(ByteBuffer.wrap(bytes, at, Math.min(partBytes, bytes.length - at)));
    }
    return parts;
  }
}
