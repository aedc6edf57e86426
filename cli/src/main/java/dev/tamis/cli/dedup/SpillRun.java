package dev.tamis.cli.dedup;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/** Numbers and byte strings in a {@link SpillFile}: written, flushed, then read repeatedly. */
final class SpillRun {

  private static final int MAX_NUMBER_BYTES = 10;

  private final SpillFile file;
  private final int chunkBytes;
  private byte[] buffer = {};
  private int used;
  private long[] chunks = {};
  private int chunkCount;
  private int lastBytes;

  SpillRun(SpillFile file, int chunkBytes) {
    this.file = file;
    this.chunkBytes = chunkBytes;
  }

  /** Writes a non-negative number, seven bits per byte. */
  void write(long number) throws IOException {
    if (chunkBytes - used < MAX_NUMBER_BYTES) {
      writeByByte(number);
      return;
    }
    if (buffer.length == 0) {
      buffer = new byte[chunkBytes];
    }
    long left = number;
    for (; left > 0x7F; left >>>= 7) {
      buffer[used++] = (byte) (left | 0x80);
    }
    buffer[used++] = (byte) left;
  }

  private void writeByByte(long number) throws IOException {
    byte[] bytes = new byte[MAX_NUMBER_BYTES];
    int count = 0;
    long left = number;
    for (; left > 0x7F; left >>>= 7) {
      bytes[count++] = (byte) (left | 0x80);
    }
    bytes[count++] = (byte) left;
    write(bytes, 0, count);
  }

  /** Writes bytes without their number. */
  void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (buffer.length == 0) {
        buffer = new byte[chunkBytes];
      }
      int part = Math.min(left, chunkBytes - used);
      System.arraycopy(bytes, from, buffer, used, part);
      used += part;
      from += part;
      left -= part;
      if (used == chunkBytes) {
        append();
      }
    }
  }

  private void append() throws IOException {
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(4, 2 * chunkCount));
    }
    chunks[chunkCount++] = file.append(buffer, used);
    lastBytes = used;
    used = 0;
  }

  /** Writes and frees the buffer; nothing may be written afterwards. */
  void flush() throws IOException {
    if (used > 0) {
      append();
    }
    buffer = new byte[0];
  }

  Reader reader() {
    return new Reader();
  }

  final class Reader {
    private final byte[] chunk = new byte[chunkCount > 1 ? chunkBytes : lastBytes];
    private int next;
    private int at;
    private int end;

    boolean hasNext() {
      return at < end || next < chunkCount;
    }

    long readNumber() throws IOException {
      long number = 0;
      int shift = 0;
      for (byte part = readByte(); ; part = readByte()) {
        number |= (part & 0x7FL) << shift;
        if (part >= 0) {
          return number;
        }
        shift += 7;
      }
    }

    private byte readByte() throws IOException {
      fill();
      return chunk[at++];
    }

    void read(byte[] bytes, int length) throws IOException {
      int done = 0;
      while (done < length) {
        fill();
        int part = Math.min(length - done, end - at);
        System.arraycopy(chunk, at, bytes, done, part);
        at += part;
        done += part;
      }
    }

    private void fill() throws IOException {
      if (at == end) {
        if (next == chunkCount) {
          throw new EOFException("read past the end of a run");
        }
        end = next == chunkCount - 1 ? lastBytes : chunkBytes;
        file.read(chunks[next++], chunk, end);
        at = 0;
      }
    }
  }
}
