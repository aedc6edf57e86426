package dev.tamis.cli.lines;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of some inputs, one input after the other, whatever bytes they are made of.
 *
 * <p>A line ends with a delimiter or with its input, so an input without a final newline does not
 * run into the next one. Only memory limits how long a line may be.
 *
 * <pre>{@code
 * for (int count = reader.next(); count > 0; count = reader.next()) {
 *   for (int i = 0; i < count; i++) {
 *     use(reader.line(i));
 *   }
 * }
 * }</pre>
 */
public final class LineReader implements Closeable {

  /** The most lines given out at a time: enough for a filter to fetch their memory in parallel. */
  public static final int MAX_LINES = 32;

  /*
   * The buffer holds [start, end): what was read and not yet given out. [start, searched) is known
   * to hold no delimiter, so that a long line which comes in small pieces is searched once only.
   * When the buffer is full, what is left is moved to the front if it is less than half of it; if
   * it is more, it is one long line, and the buffer grows.
   */

  private static final int BUFFER_BYTES = 1 << 18;
  private static final int MAX_BUFFER_BYTES = Integer.MAX_VALUE - 16; // about the longest array

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private final Iterator<? extends LineInput> inputs;
  private final byte delimiter;
  private final Flushable beforeWaiting;
  private final Line line = new Line();
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int searched;
  private int end;
  private final int[] starts = new int[MAX_LINES];
  private final int[] lengths = new int[MAX_LINES];
  private int count;
  private long lines;
  private @Nullable InputStream in;
  private String name = "";

  /**
   * Reads {@code inputs} in their order, each opened when its turn comes.
   *
   * @param delimiter the byte that ends a line
   * @param beforeWaiting flushed when nothing is there to be read and the next byte may take long
   */
  public LineReader(List<? extends LineInput> inputs, byte delimiter, Flushable beforeWaiting) {
    this.inputs = inputs.iterator();
    this.delimiter = delimiter;
    this.beforeWaiting = beforeWaiting;
  }

  /**
   * Goes to the next lines, as many as are there without waiting, and returns how many: 1 to {@link
   * #MAX_LINES}, or 0 if there are no more.
   *
   * @throws FileSystemException naming the input, if it cannot be read or a line is too long
   */
  public int next() throws IOException {
    count = 0;
    while (true) {
      takeLines();
      if (count > 0) {
        break;
      }
      if (in == null) {
        if (!openNext()) {
          break;
        }
      } else if (!fill() && start < end) {
        take(end, end); // the last line of an input, without a delimiter
        break;
      }
    }
    lines += count;
    return count;
  }

  private void takeLines() {
    while (count < MAX_LINES) {
      int found = indexOf(buffer, delimiter, searched, end);
      if (found < 0) {
        searched = end;
        return;
      }
      take(found, found + 1);
    }
  }

  private void take(int lineEnd, int nextStart) {
    starts[count] = start;
    lengths[count] = lineEnd - start;
    count++;
    start = nextStart;
    searched = nextStart;
  }

  /**
   * Returns a line that {@link #next} went to, in the one object there is for all of them.
   *
   * @param index from 0 to one below what {@link #next} returned
   */
  public Line line(int index) {
    line.set(buffer, starts[index], lengths[index]);
    return line;
  }

  /** Returns how many lines there were so far. */
  public long lines() {
    return lines;
  }

  @Override
  public void close() throws IOException {
    if (in != null) {
      InputStream closing = in;
      in = null;
      closing.close();
    }
  }

  private boolean openNext() throws IOException {
    if (!inputs.hasNext()) {
      return false;
    }
    LineInput input = inputs.next();
    name = input.name();
    in = input.open();
    return true;
  }

  /** Reads more of the input, or closes it and returns false if there is no more. */
  private boolean fill() throws IOException {
    makeRoom();
    InputStream open = requireNonNull(in, "an input is open");
    if (available(open) == 0) {
      beforeWaiting.flush();
    }
    int read = read(open);
    if (read < 0) {
      close();
      return false;
    }
    end += read;
    return true;
  }

  private void makeRoom() throws IOException {
    int kept = end - start;
    if (kept > 0 && end < buffer.length) {
      return; // a line that comes in small pieces is not moved for each of them
    }
    byte[] room = kept <= buffer.length / 2 ? buffer : larger();
    System.arraycopy(buffer, start, room, 0, kept);
    buffer = room;
    searched -= start;
    start = 0;
    end = kept;
  }

  private byte[] larger() throws IOException {
    if (buffer.length == MAX_BUFFER_BYTES) {
      throw new FileSystemException(
          name, null, "line " + (lines + 1) + " is longer than a line can be");
    }
    return new byte[(int) Math.min(MAX_BUFFER_BYTES, 2L * buffer.length)];
  }

  private int available(InputStream open) throws IOException {
    try {
      return open.available();
    } catch (IOException e) {
      throw named(e);
    }
  }

  private int read(InputStream open) throws IOException {
    try {
      return open.read(buffer, end, buffer.length - end);
    } catch (IOException e) {
      throw named(e);
    }
  }

  private FileSystemException named(IOException e) {
    FileSystemException named = new FileSystemException(name, null, String.valueOf(e.getMessage()));
    named.initCause(e);
    return named;
  }

  /**
   * Returns the first index in [from, to) that holds {@code value}, or −1.
   *
   * <p>Eight bytes at a time: subtracting one from each byte carries into its high bit if it was
   * zero, and the lowest such bit is never a false one.
   *
   * @see <a href="https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord">Determine if a
   *     word has a zero byte</a>
   */
  static int indexOf(byte[] bytes, byte value, int from, int to) {
    long pattern = (value & 0xFF) * ONES;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long differences = (long) WORDS.get(bytes, i) ^ pattern;
      long zeros = (differences - ONES) & ~differences & HIGH_BITS;
      if (zeros != 0) {
        return i + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == value) {
        return i;
      }
    }
    return -1;
  }
}
