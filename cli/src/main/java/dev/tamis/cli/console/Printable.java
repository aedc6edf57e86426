package dev.tamis.cli.console;

import java.util.HexFormat;
import java.util.function.IntPredicate;

/** Text safe for a terminal: control, invisible and invalid characters become {@code \\uXXXX}. */
public final class Printable {

  private Printable() {}

  public static String line(String text) {
    return escape(text, point -> false);
  }

  /** Returns text of several lines, with tabs. */
  public static String lines(String text) {
    return escape(text, point -> point == '\n' || point == '\t');
  }

  private static String escape(String text, IntPredicate isKept) {
    if (text.codePoints().allMatch(point -> isKept.test(point) || isHarmless(point))) {
      return text;
    }
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> {
              if (isKept.test(point) || isHarmless(point)) {
                escaped.appendCodePoint(point);
              } else {
                for (char unit : Character.toChars(point)) {
                  escaped.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
              }
            });
    return escaped.toString();
  }

  private static boolean isHarmless(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
