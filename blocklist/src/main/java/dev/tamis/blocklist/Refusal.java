package dev.tamis.blocklist;

/** Says what was found in place of what was expected. */
final class Refusal {

  /** Enough to recognise a line by. */
  private static final int SHOWN_CHARS = 80;

  private Refusal() {}

  /** Returns the exception that says so. */
  static IllegalArgumentException of(String found, String expected) {
    return new IllegalArgumentException("found " + quoted(found) + ", expected " + expected);
  }

  /** Returns text as messages show it, however long it is. */
  static String quoted(String text) {
    return text.length() <= SHOWN_CHARS
        ? "'" + text + "'"
        : "'" + text.substring(0, SHOWN_CHARS) + "...' (" + text.length() + " characters)";
  }
}
