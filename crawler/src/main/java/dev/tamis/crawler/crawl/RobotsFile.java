package dev.tamis.crawler.crawl;

import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Result of fetching the robots.txt of a host. */
sealed interface RobotsFile {

  /** The rules, possibly empty. */
  record Rules(SimpleRobotRules rules) implements RobotsFile {

    private static final boolean[] ESCAPED_IN_PATHS = specialCharacters();

    /** Parses a file; {@code agent} is the product name that rules match. */
    static Rules parse(URI uri, byte[] content, String agent) {
      // no limit on the crawl delay here: above one, the parser would disallow everything
      SimpleRobotRulesParser parser = new SimpleRobotRulesParser(Long.MAX_VALUE, 0);
      return new Rules(
          parser.parseContent(
              uri.toString(), content, "text/plain", List.of(agent.toLowerCase(Locale.ROOT))));
    }

    /**
     * Returns whether the longest pattern that matches allows it. The parser's own matching looks
     * only at the first occurrence of the text between {@code *} and {@code $}.
     */
    boolean allow(String address) {
      if (rules.isAllowAll() || rules.isAllowNone()) {
        return rules.isAllowAll();
      }
      String path = SimpleRobotRules.escapePath(pathAndQuery(address), ESCAPED_IN_PATHS);
      boolean isAllowed = true;
      int longest = -1;
      for (SimpleRobotRules.RobotRule rule : rules.getRobotRules()) {
        String pattern = rule.getPrefix();
        boolean wins =
            pattern.length() > longest || (pattern.length() == longest && rule.isAllow());
        if (wins && matches(pattern, path)) {
          longest = pattern.length();
          isAllowed = rule.isAllow();
        }
      }
      return isAllowed;
    }

    /**
     * Matches a pattern with the start of a path, or with all of it if it ends in {@code $}; {@code
     * *} matches any characters (RFC 9309, sections 2.2.2 and 2.2.3).
     */
    static boolean matches(String pattern, String path) {
      boolean isWhole = pattern.endsWith("$");
      String text = isWhole ? pattern.substring(0, pattern.length() - 1) : pattern;
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

    private static String pathAndQuery(String address) {
      URI uri = URI.create(address);
      String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    /** The parser escapes them in patterns where they are literal, so paths need it too. */
    private static boolean[] specialCharacters() {
      boolean[] special = new boolean[128];
      special['*'] = true;
      special['$'] = true;
      return special;
    }

    /** Returns the crawl delay of the host; zero if it has none. */
    Duration crawlDelay() {
      return Duration.ofMillis(Math.max(0, rules.getCrawlDelay()));
    }
  }

  /**
   * The file could not be fetched, so nothing may be requested.
   *
   * @param failures how many attempts failed
   * @param isFinal whether there are no more attempts
   */
  record Unknown(Outcome outcome, String reason, int failures, boolean isFinal)
      implements RobotsFile {}
}
