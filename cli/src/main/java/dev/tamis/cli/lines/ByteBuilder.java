package dev.tamis.cli.lines;

import java.util.Arrays;

/** A growing array of bytes, reused for all lines. */
final class ByteBuilder {

  private byte[] bytes = new byte[1 << 8];
  private int used;

  void clear() {
    used = 0;
  }

  void add(byte value) {
    makeRoom(1);
    bytes[used++] = value;
  }

  void add(byte[] text, int from, int to) {
    makeRoom(to - from);
    System.arraycopy(text, from, bytes, used, to - from);
    used += to - from;
  }

  private void makeRoom(int more) {
    int needed = Math.addExact(used, more);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(needed, 2L * used)));
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return used;
  }

  void setTo(Line line) {
    line.set(bytes, 0, used);
  }
}
