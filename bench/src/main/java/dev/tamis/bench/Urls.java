package dev.tamis.bench;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Prints URLs, one in each line of 70 bytes: all different, or drawn again and again from some.
 *
 * <pre>
 * java bench/src/main/java/dev/tamis/bench/Urls.java LINES [KEYS]
 * </pre>
 *
 * <p>With KEYS each line is drawn from that many distinct ones. Counts may be written as 1e9; the
 * same arguments give the same bytes everywhere. Needs no build, and only the JDK.
 */
public final class Urls {

  private static final byte[] LINE =
      bytes("https://www.example.org/-------/-------/----------------/page-00.html\n");
  private static final int[] WORDS_AT = {24, 32};
  private static final int DIGITS_AT = 40;
  private static final byte[][] WORDS =
      Arrays.stream(
              "archive article history library message picture project subject".split(" ", -1))
          .map(Urls::bytes)
          .toArray(byte[][]::new);
  private static final byte[] DIGITS = bytes("0123456789abcdef");
  private static final int LINES_A_WRITE = 2048;

  private Urls() {}

  /** Prints them. */
  public static void main(String[] args) throws IOException {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: Urls LINES [KEYS]");
      System.exit(2);
    }
    long lines = new BigDecimal(args[0]).longValueExact();
    long keys = args.length == 2 ? new BigDecimal(args[1]).longValueExact() : 0;
    byte[] block = new byte[LINES_A_WRITE * LINE.length];
    for (int at = 0; at < block.length; at += LINE.length) {
      System.arraycopy(LINE, 0, block, at, LINE.length);
    }
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      for (long line = 0; line < lines; ) {
        int count = (int) Math.min(LINES_A_WRITE, lines - line);
        for (int i = 0; i < count; i++, line++) {
          put(
              keys == 0 ? line : Long.remainderUnsigned(mixed(~line), keys),
              block,
              i * LINE.length);
        }
        out.write(block, 0, count * LINE.length);
      }
    }
  }

  /** Writes what differs between keys into a line that is there. */
  private static void put(long key, byte[] block, int at) {
    long digits = mixed(key);
    for (int i = 0; i < WORDS_AT.length; i++) {
      byte[] word = WORDS[(int) (digits >>> (3 * i)) & (WORDS.length - 1)];
      System.arraycopy(word, 0, block, at + WORDS_AT[i], word.length);
    }
    for (int i = 0; i < DIGITS.length; i++) {
      block[at + DIGITS_AT + i] = DIGITS[(int) (digits >>> (60 - 4 * i)) & 15];
    }
  }

  /** Returns another number for each number, so that different keys have different digits. */
  private static long mixed(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
