package dev.tamis.cli.lines;

import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes lines, each with a delimiter after it, through a large buffer. */
public final class LineWriter implements Flushable {

  private static final int BUFFER_BYTES = 1 << 18;

  /** The width of a count, as in {@code uniq}, and the bytes of the longest with a space. */
  private static final int COUNT_WIDTH = 7;

  private static final int COUNT_BYTES = 20;

  private final OutputStream out;
  private final byte delimiter;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;
  private long lines;

  /** Writes to {@code out}, which is never closed. */
  public LineWriter(OutputStream out, byte delimiter) {
    this.out = out;
    this.delimiter = delimiter;
  }

  /** Writes the lines of a reader whose mark is {@code wanted}; adjacent ones in one copy. */
  public void write(LineReader reader, boolean[] marks, int count, boolean wanted)
      throws IOException {
    int i = 0;
    while (i < count) {
      if (marks[i] != wanted) {
        i++;
      } else {
        int from = i;
        while (i < count && marks[i] == wanted) {
          i++;
        }
        write(reader.lines(from, i));
        lines += i - from - 1;
      }
    }
  }

  public void write(Line line) throws IOException {
    int length = line.length();
    if (length >= buffer.length - used) {
      makeRoom(line);
    } else {
      System.arraycopy(line.buffer(), line.start(), buffer, used, length);
      used += length;
    }
    buffer[used++] = delimiter;
    lines++;
  }

  /** Writes a line after its number of occurrences, as {@code uniq -c} does. */
  public void write(long occurrences, Line line) throws IOException {
    if (buffer.length - used < COUNT_BYTES) {
      empty();
    }
    int digits = 1;
    for (long left = occurrences; left > 9; left /= 10) {
      digits++;
    }
    int end = used + Math.max(COUNT_WIDTH, digits);
    Arrays.fill(buffer, used, end, (byte) ' ');
    long left = occurrences;
    for (int i = 1; i <= digits; i++) {
      buffer[end - i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    buffer[end] = ' ';
    used = end + 1;
    write(line);
  }

  private void makeRoom(Line line) throws IOException {
    empty();
    if (line.length() >= buffer.length) {
      out.write(line.buffer(), line.start(), line.length());
    } else {
      System.arraycopy(line.buffer(), line.start(), buffer, 0, line.length());
      used = line.length();
    }
  }

  public long lines() {
    return lines;
  }

  @Override
  public void flush() throws IOException {
    empty();
    out.flush();
  }

  private void empty() throws IOException {
    if (used > 0) {
      int length = used;
      used = 0; // also when it fails: what is lost must not be written after what comes next
      out.write(buffer, 0, length);
    }
  }
}
