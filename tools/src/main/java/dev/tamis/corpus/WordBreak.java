package dev.tamis.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Word boundaries in UTF-8 by UAX 29 with the properties of Unicode 15.0, on every JDK.
 *
 * <p>All cases of Unicode's WordBreakTest pass. A byte that is not part of well-formed UTF-8 is a
 * character of its own, of no class.
 *
 * @see <a href="https://www.unicode.org/reports/tr29/tr29-41.html#Word_Boundaries">UAX 29</a>
 */
final class WordBreak {

  /*
   * The rules have the numbers of UAX 29. A segment is scanned from its start, where there is a
   * boundary, so whatever a rule looks back at lies in the segment: AHLetter MidLetter × AHLetter
   * (WB7) begins with an AHLetter that WB6 has joined, and regional indicators pair up from the
   * start (WB15, WB16).
   */

  private static final int OTHER = 0;
  private static final int LETTER = 1;
  private static final int HEBREW = 2;
  private static final int NUMERIC = 3;
  private static final int KATAKANA = 4;
  private static final int EXTEND_NUM_LET = 5;
  private static final int MID_LETTER = 6;
  private static final int MID_NUM = 7;
  private static final int MID_NUM_LET = 8;
  private static final int SINGLE_QUOTE = 9;
  private static final int DOUBLE_QUOTE = 10;
  private static final int REGIONAL_INDICATOR = 11;
  private static final int SPACE = 12;
  private static final int CR = 13;
  private static final int LF = 14;
  private static final int NEWLINE = 15;

  /** From here on what WB4 ignores: this, Format and ZWJ. */
  private static final int EXTEND = 16;

  private static final int ZWJ = 18;

  private static final List<String> NAMES =
      List.of(
          "Other",
          "ALetter",
          "Hebrew_Letter",
          "Numeric",
          "Katakana",
          "ExtendNumLet",
          "MidLetter",
          "MidNum",
          "MidNumLet",
          "Single_Quote",
          "Double_Quote",
          "Regional_Indicator",
          "WSegSpace",
          "CR",
          "LF",
          "Newline",
          "Extend",
          "Format",
          "ZWJ");

  /** A flag beside the class: what WB3c joins to a ZWJ. */
  private static final int PICTOGRAPHIC = 0x20;

  private static final int CLASS = 0x1F;
  private static final int BLANK = 0x40;

  private static final byte[] ASCII = ascii();

  private WordBreak() {}

  private static byte[] ascii() {
    byte[] classes = new byte[0x80];
    Arrays.fill(classes, '0', '9' + 1, (byte) NUMERIC);
    Arrays.fill(classes, 'A', 'Z' + 1, (byte) LETTER);
    Arrays.fill(classes, 'a', 'z' + 1, (byte) LETTER);
    classes['_'] = EXTEND_NUM_LET;
    classes[':'] = MID_LETTER;
    classes[','] = MID_NUM;
    classes[';'] = MID_NUM;
    classes['.'] = MID_NUM_LET;
    classes['\''] = SINGLE_QUOTE;
    classes['"'] = DOUBLE_QUOTE;
    classes[' '] = SPACE | BLANK;
    classes['\t'] = BLANK;
    classes['\r'] = CR | BLANK;
    classes['\n'] = LF | BLANK;
    classes[0x0B] = NEWLINE | BLANK;
    classes[0x0C] = NEWLINE | BLANK;
    return classes;
  }

  /** Returns the end of the segment that starts at {@code from}, at most {@code to}. */
  static int end(byte[] text, int from, int to) {
    int end = asciiEnd(text, from, to);
    return end < to && text[end] < 0 ? anyEnd(text, from, to) : end;
  }

  /** Returns the end if the byte there is ASCII or the end of the text; else it is undefined. */
  private static int asciiEnd(byte[] text, int from, int to) {
    int at = from;
    int last = text[at] < 0 ? OTHER : ASCII[text[at]] & CLASS;
    if (text[at] < 0) {
      return at;
    }
    at++;
    if (last == SPACE) {
      while (at < to && text[at] == ' ') {
        at++;
      }
      return at;
    }
    if (last == CR) {
      return at < to && text[at] == '\n' ? at + 1 : at;
    }
    if (last != LETTER && last != NUMERIC && last != EXTEND_NUM_LET) {
      // a line end is no place where anything is joined
      return at;
    }
    while (at < to && text[at] >= 0) {
      int next = ASCII[text[at]] & CLASS;
      if (next == LETTER || next == NUMERIC || next == EXTEND_NUM_LET) {
        last = next;
        at++;
      } else if (last != EXTEND_NUM_LET
          && isMiddle(last, next)
          && at + 1 < to
          && (text[at + 1] < 0 || (ASCII[text[at + 1]] & CLASS) == last)) {
        at++; // WB6, WB7, WB11, WB12; before other bytes the caller decides
      } else {
        return at;
      }
    }
    return at;
  }

  /** Returns whether a character may stand between two letters, or two digits. */
  private static boolean isMiddle(int last, int next) {
    return next == MID_NUM_LET
        || next == SINGLE_QUOTE
        || (last == NUMERIC ? next == MID_NUM : next == MID_LETTER);
  }

  /** The same as {@link #end}, for any text. */
  static int anyEnd(byte[] text, int from, int to) {
    int at = from + length(text, from, to);
    int raw = classOf(text, from, at);
    if (isLineEnd(raw & CLASS)) {
      boolean isCrLf = raw == CR && at < to && text[at] == '\n';
      return isCrLf ? at + 1 : at;
    }
    int last = raw & CLASS; // without what WB4 ignores
    int before = OTHER; // the one before it
    int indicators = last == REGIONAL_INDICATOR ? 1 : 0;
    while (at < to) {
      int after = at + length(text, at, to);
      int flags = classOf(text, at, after);
      int next = flags & CLASS;
      if (isLineEnd(next)) {
        return at; // WB3b
      }
      if (next < EXTEND) { // else WB4
        boolean isJoined =
            ((raw & CLASS) == ZWJ && (flags & PICTOGRAPHIC) != 0) // WB3c
                || ((raw & CLASS) == SPACE && next == SPACE) // WB3d
                || isJoined(before, last, next)
                || (last == REGIONAL_INDICATOR && next == last && indicators % 2 == 1)
                || (needs(last, next) != OTHER
                    && matches(needs(last, next), following(text, after, to)));
        if (!isJoined) {
          return at;
        }
        indicators += next == REGIONAL_INDICATOR ? 1 : 0;
        before = last;
        last = next;
      }
      raw = flags;
      at = after;
    }
    return at;
  }

  private static boolean isLineEnd(int type) {
    return type >= CR && type <= NEWLINE;
  }

  private static boolean isLetter(int type) {
    return type == LETTER || type == HEBREW;
  }

  /** Rules that need nothing of what follows. */
  private static boolean isJoined(int before, int last, int next) {
    return switch (next) {
      case LETTER, HEBREW ->
          isLetter(last) // WB5
              || last == NUMERIC // WB10
              || last == EXTEND_NUM_LET // WB13b
              || (isLetter(before)
                  && (last == MID_LETTER || last == MID_NUM_LET || last == SINGLE_QUOTE)) // WB7
              || (next == HEBREW && last == DOUBLE_QUOTE && before == HEBREW); // WB7c
      case NUMERIC ->
          last == NUMERIC // WB8
              || isLetter(last) // WB9
              || last == EXTEND_NUM_LET // WB13b
              || (before == NUMERIC
                  && (last == MID_NUM || last == MID_NUM_LET || last == SINGLE_QUOTE)); // WB11
      case KATAKANA -> last == KATAKANA || last == EXTEND_NUM_LET; // WB13, WB13b
      case EXTEND_NUM_LET -> // WB13a
          isLetter(last) || last == NUMERIC || last == KATAKANA || last == EXTEND_NUM_LET;
      case SINGLE_QUOTE -> last == HEBREW; // WB7a
      default -> false;
    };
  }

  /** Returns the class that must follow {@code next} for it to be joined, OTHER if none will do. */
  private static int needs(int last, int next) {
    if (isLetter(last)
        && (next == MID_LETTER || next == MID_NUM_LET || next == SINGLE_QUOTE)) { // WB6
      return LETTER;
    }
    if (last == HEBREW && next == DOUBLE_QUOTE) { // WB7b
      return HEBREW;
    }
    boolean isNumber =
        last == NUMERIC && (next == MID_NUM || next == MID_NUM_LET || next == SINGLE_QUOTE); // WB12
    return isNumber ? NUMERIC : OTHER;
  }

  private static boolean matches(int needed, int type) {
    return needed == LETTER ? isLetter(type) : needed == type;
  }

  /** Returns the class of the next character that WB4 does not ignore. */
  private static int following(byte[] text, int from, int to) {
    int at = from;
    while (at < to) {
      int after = at + length(text, at, to);
      int type = classOf(text, at, after) & CLASS;
      if (type < EXTEND) {
        return type;
      }
      at = after;
    }
    return OTHER;
  }

  /** Returns whether a segment has only White_Space, as Unicode defines that. */
  static boolean isBlank(byte[] text, int from, int to) {
    if (text[from] >= 0 && (ASCII[text[from]] & BLANK) == 0) {
      return false;
    }
    for (int at = from; at < to; ) {
      int length = length(text, at, to);
      if (!isWhite(codePoint(text, at, length))) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /** Returns whether a code point has the property White_Space, which no version changes. */
  static boolean isWhite(int codePoint) {
    return (codePoint >= 0x09 && codePoint <= 0x0D)
        || codePoint == ' '
        || codePoint == 0x85
        || codePoint == 0xA0
        || codePoint == 0x1680
        || (codePoint >= 0x2000 && codePoint <= 0x200A)
        || codePoint == 0x2028
        || codePoint == 0x2029
        || codePoint == 0x202F
        || codePoint == 0x205F
        || codePoint == 0x3000;
  }

  /** Returns the bytes of the character at {@code at}, 1 if it is malformed. */
  private static int length(byte[] text, int at, int to) {
    int first = text[at];
    if (first >= 0) {
      return 1;
    }
    int length = first >= (byte) 0xF0 ? 4 : first >= (byte) 0xE0 ? 3 : first >= (byte) 0xC2 ? 2 : 1;
    if (length > to - at) {
      return 1;
    }
    for (int i = 1; i < length; i++) {
      if ((text[at + i] & 0xC0) != 0x80) {
        return 1;
      }
    }
    return length;
  }

  private static int codePoint(byte[] text, int at, int length) {
    int first = text[at] & 0xFF;
    return switch (length) {
      case 1 -> first < 0x80 ? first : 0xFFFD;
      case 2 -> (first & 0x1F) << 6 | (text[at + 1] & 0x3F);
      case 3 -> (first & 0x0F) << 12 | (text[at + 1] & 0x3F) << 6 | (text[at + 2] & 0x3F);
      default ->
          (first & 0x07) << 18
              | (text[at + 1] & 0x3F) << 12
              | (text[at + 2] & 0x3F) << 6
              | (text[at + 3] & 0x3F);
    };
  }

  private static int classOf(byte[] text, int at, int end) {
    return text[at] >= 0
        ? ASCII[text[at]] & (CLASS | PICTOGRAPHIC)
        : Table.of(codePoint(text, at, end - at));
  }

  /** Loaded when the first text that is not ASCII comes. */
  private static final class Table {

    private static final String FILE = "word-break.txt";
    private static final int BLOCK = 1 << 8;
    private static final byte[] NONE = new byte[BLOCK];
    private static final byte[][] BLOCKS = read();

    private static int of(int codePoint) {
      return codePoint <= Character.MAX_CODE_POINT
          ? BLOCKS[codePoint / BLOCK][codePoint % BLOCK]
          : OTHER;
    }

    private static byte[][] read() {
      byte[][] blocks = new byte[(Character.MAX_CODE_POINT + 1) / BLOCK][];
      Arrays.fill(blocks, NONE);
      try (InputStream in = WordBreak.class.getResourceAsStream(FILE)) {
        if (in == null) {
          throw new IllegalStateException(FILE + " is missing from the jar");
        }
        new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
            .lines()
            .filter(line -> !line.startsWith("#"))
            .forEach(line -> add(line.split(" ", -1), blocks));
        return blocks;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void add(String[] words, byte[][] blocks) {
      int type = NAMES.indexOf(words[0]);
      int bits = type < 0 ? PICTOGRAPHIC : type;
      for (int i = 1; i < words.length; i++) {
        String[] ends = words[i].split("-", -1);
        int last = Integer.parseInt(ends[ends.length - 1], 16);
        for (int each = Integer.parseInt(ends[0], 16); each <= last; each++) {
          int block = each / BLOCK;
          if (blocks[block] == NONE) {
            blocks[block] = new byte[BLOCK];
          }
          blocks[block][each % BLOCK] |= (byte) bits;
        }
      }
    }
  }
}
