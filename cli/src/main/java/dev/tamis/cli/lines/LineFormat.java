package dev.tamis.cli.lines;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/** The delimiter of lines and, for CSV, where quotes can hide one, the separator of fields. */
public record LineFormat(byte delimiter, Optional<Byte> csvSeparator) {

  public static LineFormat plain(byte delimiter) {
    return new LineFormat(delimiter, Optional.empty());
  }

  public static LineFormat csv(byte delimiter, byte separator) {
    return new LineFormat(delimiter, Optional.of(separator));
  }

  public LineEnds ends() {
    return csvSeparator.isPresent()
        ? new CsvRecords(delimiter, csvSeparator.get())
        : new DelimitedLines(delimiter);
  }

  private static final class DelimitedLines implements LineEnds {

    private static final VarHandle WORDS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;

    private final byte delimiter;

    DelimitedLines(byte delimiter) {
      this.delimiter = delimiter;
    }

    /**
     * Looks at eight bytes at a time: adding 0x7F to the low seven bits of a byte sets its high bit
     * unless they are zero, and never carries (Anderson, Bit Twiddling Hacks, "ZeroInWord").
     */
    @Override
    public void find(byte[] text, int from, int to, Block block) {
      long pattern = (delimiter & 0xFF) * ONES;
      int i = from;
      for (; i <= to - Long.BYTES; i += Long.BYTES) {
        long differences = (long) WORDS.get(text, i) ^ pattern;
        long zeros = ~(((differences & LOW_BITS) + LOW_BITS) | differences | LOW_BITS);
        for (; zeros != 0; zeros &= zeros - 1) {
          block.add(i + Long.numberOfTrailingZeros(zeros) / Byte.SIZE);
        }
      }
      for (; i < to; i++) {
        if (text[i] == delimiter) {
          block.add(i);
        }
      }
    }

    @Override
    public void endInput() {}
  }

  /** Finds line ends; for one thread. */
  public interface LineEnds {

    /** Adds the line ends in {@code text}, which continues the previous part, to {@code block}. */
    void find(byte[] text, int from, int to, Block block) throws IOException;

    /** Ends an input; throws {@link BadLineException} if its last line cannot end there. */
    void endInput() throws IOException;

    /** What is wrong with the next line. */
    final class BadLineException extends IOException {
      private static final long serialVersionUID = 1;

      BadLineException(String message) {
        super(message);
      }
    }
  }
}
