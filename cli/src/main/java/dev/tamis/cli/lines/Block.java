package dev.tamis.cli.lines;

import dev.tamis.cli.console.ErrorLines;
import dev.tamis.cli.lines.LineHash.Fate;
import dev.tamis.format.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Of the lines, null while all have a key. */
  private Fate @Nullable [] fates;

  private final List<Origin> origins = new ArrayList<>();
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

  Fate fate(int line) {
    return fates == null ? Fate.KEYED : fates[line];
  }

  boolean isKeyed() {
    return fates == null;
  }

  /** Moves the hashes of the lines with a key to the beginning, and returns how many there are. */
  int packHashes() {
    if (fates == null) {
      return count;
    }
    int keyed = 0;
    for (int i = 0; i < count; i++) {
      if (fates[i] == Fate.KEYED) {
        hashes[keyed++] = hashes[i];
      }
    }
    return keyed;
  }

  /** Notes that the next line is the first of an input. */
  public void beginInput(String name) {
    origins.add(new Origin(name, count, 0));
  }

  /** Returns the number of a line in its input, from 1 on. */
  public long number(int line) {
    Origin origin = origin(line);
    return origin.linesBefore() + line - origin.firstLine() + 1;
  }

  private Origin origin(int line) {
    int i = origins.size() - 1;
    while (origins.get(i).firstLine() > line) {
      i--;
    }
    return origins.get(i);
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

  /** Hashes the lines that have not been hashed; a malformed one is an unchecked error. */
  void hash(LineHash hashing, Line line) {
    for (; hashed < count; hashed++) {
      line.set(bytes, start(hashed), end(hashed) - start(hashed));
      try {
        hashes[hashed] = hashing.of(line);
      } catch (FormatException e) {
        String reason =
            "line " + number(hashed) + ": " + e.getMessage() + "; correct it, or add --keep-malformed";
        throw new UncheckedIOException(
            new FileSystemException(origin(hashed).name(), null, reason));
      }
      if (fates != null || hashing.fate() != Fate.KEYED) {
        setFate(hashed, hashing.fate());
      }
    }
  }

  private void setFate(int line, Fate fate) {
    if (fates == null || fates.length < ends.length) {
      Fate[] longer = new Fate[ends.length];
      if (fates == null) {
        Arrays.fill(longer, 0, line, Fate.KEYED);
      } else {
        System.arraycopy(fates, 0, longer, 0, line);
      }
      fates = longer;
    }
    fates[line] = fate;
  }

  /** Adds the line that ends here; the last one ended before. */
  void add(int end) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    ends[count++] = end;
  }

  /**
   * Moves the lines with a key whose mark is {@code wanted} to the beginning; the others are lost,
   * except lines without a key if {@code wanted}.
   */
  void keep(boolean[] marksOfKeys, boolean wanted) {
    boolean[] marks = marksOfKeys;
    if (fates != null) {
      marks = new boolean[count];
      int key = 0;
      for (int i = 0; i < count; i++) {
        marks[i] =
            switch (fates[i]) {
              case KEYED -> marksOfKeys[key++];
              case KEYLESS -> true;
              case OTHER_PART -> !wanted;
            };
      }
    }
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
    origins.clear();
    origins.add(new Origin(other.origin(other.count).name(), 0, other.number(other.count) - 1));
    count = 0;
    hashed = 0;
    fates = null;
    used = other.used - rest;
    searched = used;
    limit = Math.max(usualLimit, used);
    if (bytes.length < limit) {
      bytes = new byte[limit];
    }
    System.arraycopy(other.bytes, rest, bytes, 0, used);
  }

  /** Where lines come from: those from {@code firstLine} on, after others of their input. */
  private record Origin(String name, int firstLine, long linesBefore) {}

  /** A line longer than an array can be, or than the heap has room for. */
  public static final class LineTooLongException extends IOException {
    private static final long serialVersionUID = 1;

    LineTooLongException(String message) {
      super(message);
    }
  }
}
