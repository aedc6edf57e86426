package dev.tamis.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;

/** Lines for tests, and what is to become of them. */
public final class Lines {

  private Lines() {}

  /**
   * Returns lines that are hard to get right, many of them more than once: of all bytes but the
   * delimiter, empty, and some of more than 3 MiB. The last one has no delimiter.
   */
  public static byte[] hard(long seed, int count, byte delimiter) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> kinds = new ArrayList<>();
    kinds.add(new byte[0]);
    for (int i = 0; i < count / 3; i++) {
      kinds.add(line(random, random.nextInt(i % 10 == 0 ? 400 : 12), delimiter));
    }
    kinds.add(line(random, (3 << 20) + 17, delimiter));
    kinds.add(line(random, (3 << 20) + 17, delimiter));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      // the two long ones a few times only
      int kind = i % (count / 4) == 1 ? kinds.size() - 1 - i % 2 : random.nextInt(kinds.size() - 2);
      all.writeBytes(kinds.get(kind));
      all.write(delimiter);
    }
    all.writeBytes(kinds.get(1));
    all.write(delimiter == 0 ? 1 : 0);
    return all.toByteArray();
  }

  private static byte[] line(SplittableRandom random, int length, byte delimiter) {
    byte[] line = new byte[length];
    random.nextBytes(line);
    for (int i = 0; i < length; i++) {
      if (line[i] == delimiter) {
        line[i] = '\r';
      }
    }
    return line;
  }

  /** Returns the numbers from {@code from} up to {@code to}, exclusive, one a line. */
  public static byte[] numbers(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the first of each line, each with a delimiter, by a set of the lines. */
  public static byte[] firsts(byte[] all, byte delimiter) {
    return pick(all, delimiter, Set::add);
  }

  /** Returns every line that came before, each with a delimiter. */
  public static byte[] repeats(byte[] all, byte delimiter) {
    return pick(all, delimiter, (seen, line) -> !seen.add(line));
  }

  private static byte[] pick(byte[] all, byte delimiter, BiPredicate<Set<String>, String> wanted) {
    ByteArrayOutputStream picked = new ByteArrayOutputStream();
    Set<String> seen = new HashSet<>();
    for (String line : split(all, delimiter)) {
      if (wanted.test(seen, line)) {
        picked.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1));
        picked.write(delimiter);
      }
    }
    return picked.toByteArray();
  }

  /** Returns the lines, with a character for each byte. */
  public static List<String> split(byte[] all, byte delimiter) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == delimiter) {
        lines.add(new String(all, start, i - start, StandardCharsets.ISO_8859_1));
        start = i + 1;
      }
    }
    if (start < all.length) {
      lines.add(new String(all, start, all.length - start, StandardCharsets.ISO_8859_1));
    }
    return lines;
  }
}
