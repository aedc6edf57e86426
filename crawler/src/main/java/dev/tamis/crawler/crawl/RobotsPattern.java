package dev.tamis.crawler.crawl;

/** Matches a path with a pattern of robots.txt, as sections 2.2.2 and 2.2.3 of RFC 9309 say. */
final class RobotsPattern {

  private static final String END = "$";

  private RobotsPattern() {}

  /**
   * Returns whether a pattern matches the start of a path, or all of it if it ends in {@code $}.
   * Each {@code *} in it stands for any characters.
   */
  static boolean matches(String pattern, String path) {
    boolean isWhole = pattern.endsWith(END);
    String text = isWhole ? pattern.substring(0, pattern.length() - END.length()) : pattern;
    int first = text.indexOf('*');
    if (first < 0) {
      return isWhole ? path.equals(text) : path.startsWith(text);
    }
    if (!path.startsWith(text.substring(0, first))) {
      return false;
    }
    int last = text.lastIndexOf('*');
    int at = first;
    for (String piece : text.substring(first, last).split("\\*", -1)) {
      int found = path.indexOf(piece, at); // the leftmost leaves the most to the pieces after it
      if (found < 0) {
        return false;
      }
      at = found + piece.length();
    }
    String end = text.substring(last + 1);
    return isWhole
        ? path.endsWith(end) && path.length() - end.length() >= at
        : path.indexOf(end, at) >= 0;
  }
}
