package dev.tamis.cli.lines;

import dev.tamis.cli.console.ErrorLines;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/** Lines as they were read, with their delimiters and hashes, then perhaps the start of another. */
public final class Block {

  /** Fits the cache of a core, and is large enough that handing it over costs nothing. */
  public static final int BYTES = 1 << 18;

  private static final int FIRST_LINES = 1 << 12;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16; // about the longest array

  private final int usualLimit;
  private int limit;
  private byte[] bytes;
  private int used;
  private int searched;
  private int[] ends = new int[FIRST_LINES];
  private long[] hashes = new long[FIRST_LINES];
  private int count;
  private int hashed;
  private int kept;
  private int keptBytes;

  /** Creates an empty block that is full at {@code limit} bytes, unless one line has more. */
  public Block(int limit) {
    this.usualLimit = limit;
    this.limit = limit;
    this.bytes = new byte[limit];
  }

  public int count() {
    return count;
  }

  /** Returns the bytes of the lines and more. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns where a line starts, or the byte after the last line's delimiter. */
  public int start(int line) {
    return line == 0 ? 0 : ends[line - 1] + 1;
  }

  public int end(int line) {
    return ends[line];
  }

  long[] hashes() {
    return hashes;
  }

  /** Returns whether no more should be read, because there are lines and many bytes. */
  public boolean isFull() {
    return count > 0 && used >= limit;
  }

  /** Reads what is available; false at the end of the input. */
  public boolean read(InputStream in) throws IOException {
    makeRoom();
    int read = in.read(bytes, used, limit - used);
    if (read < 0) {
      return false;
    }
    used += read;
    return true;
  }

  /** Appends the missing delimiter of the last line, if there is one. */
  public void endLine(byte delimiter) throws IOException {
    if (used > start(count)) {
      makeRoom();
      bytes[used++] = delimiter;
    }
  }

  private void makeRoom() throws LineTooLongException {
    if (used < limit) {
      return;
    }
    if (limit == MAX_BYTES) {
      throw new LineTooLongException("is longer than a line can be");
    }
    int larger = (int) Math.min(MAX_BYTES, 2L * limit);
    if (bytes.length < larger) {
      bytes = longer(larger);
    }
    limit = larger;
  }

  private byte[] longer(int length) throws LineTooLongException {
    try {
      return Arrays.copyOf(bytes, length);
    } catch (OutOfMemoryError e) {
      throw new LineTooLongException(
          "has "
              + (used - start(count))
              + " bytes or more, for which the heap has no room; check that it has line ends, or"
              + " give the JVM more with "
              + ErrorLines.HEAP_OPTION);
    }
  }

  /** Finds the lines in what was read since the last call. */
  public void split(LineFormat.LineEnds lineEnds) throws IOException {
    try {
      lineEnds.find(bytes, searched, used, this);
    } finally {
      searched = used;
    }
  }

  /** Hashes the lines that have not been hashed. */
  void hash(ToLongFunction<Line> hashing, Line line) {
    for (; hashed < count; hashed++) {
      line.set(bytes, start(hashed), end(hashed) - start(hashed));
      hashes[hashed] = hashing.applyAsLong(line);
    }
  }

  /** Adds the line that ends here; the last one ended before. */
  void add(int end) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    ends[count++] = end;
  }

  /** Moves the lines whose mark is {@code wanted} to the beginning; the others are lost. */
  void keep(boolean[] marks, boolean wanted) {
    kept = 0;
    int to = 0;
    int i = 0;
    while (i < count) {
      int from = i;
      boolean isWanted = marks[i] == wanted;
      while (i < count && marks[i] == marks[from]) {
        i++;
      }
      if (isWanted) {
        int length = start(i) - start(from);
        System.arraycopy(bytes, start(from), bytes, to, length);
        to += length;
        kept += i - from;
      }
    }
    keptBytes = to;
  }

  int kept() {
    return kept;
  }

  /** Returns the end of the kept lines. */
  int keptBytes() {
    return keptBytes;
  }

  /** Replaces the contents by what follows the lines of {@code other}. */
  public void startWithRestOf(Block other) {
    int rest = other.start(other.count);
    count = 0;
    hashed = 0;
    used = other.used - rest;
    searched = used;
    limit = Math.max(usualLimit, used);
    if (bytes.length < limit) {
      bytes = new byte[limit];
    }
    System.arraycopy(other.bytes, rest, bytes, 0, used);
  }

  /** A line longer than an array can be, or than the heap has room for. */
  public static final class LineTooLongException extends IOException {
    private static final long serialVersionUID = 1;

    LineTooLongException(String message) {
      super(message);
    }
  }
}
