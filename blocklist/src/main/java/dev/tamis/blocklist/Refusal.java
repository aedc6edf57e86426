package dev.tamis.blocklist;

import java.util.Locale;
import java.util.regex.Pattern;

/** Error messages for text from outside: the rule, and the beginning of what was given. */
final class Refusal {

  /** Enough to recognise a line by. */
  private static final int SHOWN_CHARS = 80;

  /** Controls, invisible and unassigned characters, and those that reverse the direction. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private Refusal() {}

  /** Returns the exception for text that is malformed. */
  static IllegalArgumentException of(String got, String expected) {
    return of(BadLineReason.MALFORMED, got, expected);
  }

  /** Returns the exception for text that breaks a rule. */
  static IllegalArgumentException of(BadLineReason reason, String got, String expected) {
    return new Refused(reason, "expected " + expected + ", got " + quoted(got));
  }

  /** Returns why a text was refused. */
  static BadLineReason reason(IllegalArgumentException e) {
    return e instanceof Refused refused ? refused.reason : BadLineReason.MALFORMED;
  }

  /** Returns text as messages show it, however long it is and whatever it does to a terminal. */
  static String quoted(String text) {
    return text.length() <= SHOWN_CHARS
        ? "'" + printable(text) + "'"
        : "'"
            + printable(text.substring(0, SHOWN_CHARS))
            + "...' ("
            + text.length()
            + " characters)";
  }

  private static String printable(String text) {
    return UNPRINTABLE
        .matcher(text)
        .replaceAll(found -> String.format(Locale.ROOT, "\\\\u{%x}", found.group().codePointAt(0)));
  }

  /** Carries the reason to where it is counted. */
  private static final class Refused extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final BadLineReason reason;

    Refused(BadLineReason reason, String message) {
      super(message);
      this.reason = reason;
    }
  }
}
