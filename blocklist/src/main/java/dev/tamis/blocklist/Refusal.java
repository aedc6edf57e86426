package dev.tamis.blocklist;

/** Error messages for text from outside: the rule, and the beginning of what was given. */
final class Refusal {

  /** Enough to recognise a line by. */
  private static final int SHOWN_CHARS = 80;

  private Refusal() {}

  /** Returns the exception for text that breaks a rule. */
  static IllegalArgumentException of(String got, String expected) {
    return new IllegalArgumentException("expected " + expected + ", got " + quoted(got));
  }

  /** Returns text as messages show it, however long it is. */
  static String quoted(String text) {
    return text.length() <= SHOWN_CHARS
        ? "'" + text + "'"
        : "'" + text.substring(0, SHOWN_CHARS) + "...' (" + text.length() + " characters)";
  }
}
