package dev.tamis.crawler.crawl;

import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Result of fetching the robots.txt of a host. */
sealed interface RobotsFile {

  /**
   * The rules, possibly empty.
   *
   * @param rules those with the longest pattern first, of equally long ones those that allow
   * @param crawlDelay the crawl delay of the host; zero if it has none
   */
  record Rules(List<Rule> rules, Duration crawlDelay) implements RobotsFile {

    static final Rules ALLOW_ALL = new Rules(List.of(), Duration.ZERO);

    /** What a rule takes in memory besides its pattern. */
    private static final int RULE_BYTES = 100;

    private static final boolean[] ESCAPED_IN_PATHS = specialCharacters();

    /** Parses a file; {@code agent} is the product name that rules match. */
    static Rules parse(URI uri, byte[] content, String agent) {
      // no limit on the crawl delay here: above one, the parser would disallow everything
      SimpleRobotRulesParser parser = new SimpleRobotRulesParser(Long.MAX_VALUE, 0);
      SimpleRobotRules parsed =
          parser.parseContent(
              uri.toString(), content, "text/plain", List.of(agent.toLowerCase(Locale.ROOT)));
      Stream<Rule> rules =
          parsed.isAllowNone()
              ? Stream.of(new Rule("/", /* isAllow= */ false))
              : parsed.getRobotRules().stream()
                  .map(rule -> new Rule(rule.getPrefix(), rule.isAllow()));
      return new Rules(
          rules.distinct().sorted(Rule.LONGEST_FIRST).toList(),
          Duration.ofMillis(Math.max(0, parsed.getCrawlDelay())));
    }

    /** Returns about what the rules take in memory. */
    long bytes() {
      return rules.stream().mapToLong(rule -> rule.pattern().length() + RULE_BYTES).sum();
    }

    /**
     * Returns whether the longest pattern that matches allows it. The parser's own matching looks
     * only at the first occurrence of the text between {@code *} and {@code $}.
     *
     * @return false also if that takes more than {@link PathMatcher#MAX_STEPS}
     */
    boolean allow(String address) {
      PathMatcher path =
          new PathMatcher(SimpleRobotRules.escapePath(pathAndQuery(address), ESCAPED_IN_PATHS));
      for (Rule rule : rules) {
        boolean isMatch = path.matches(rule.pattern());
        if (isMatch || path.isOver()) {
          return isMatch && rule.isAllow() && !path.isOver();
        }
      }
      return true;
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
  }

  /** A line of a file: whether paths that match a pattern may be requested. */
  record Rule(String pattern, boolean isAllow) {
    static final Comparator<Rule> LONGEST_FIRST =
        Comparator.comparingInt((Rule rule) -> -rule.pattern().length())
            .thenComparing(rule -> !rule.isAllow());
  }

  /** Matches patterns with a path, all of them in a limited number of steps. */
  final class PathMatcher {

    /** Comparisons of characters: 2,000 patterns with {@code *} and a path of 10,000. */
    static final long MAX_STEPS = 20_000_000;

    private final String path;
    private long steps;

    PathMatcher(String path) {
      this.path = path;
    }

    boolean isOver() {
      return steps > MAX_STEPS;
    }

    /**
     * Matches a pattern with the start of the path, or with all of it if it ends in {@code $};
     * {@code *} matches any characters (RFC 9309, sections 2.2.2 and 2.2.3).
     */
    boolean matches(String pattern) {
      boolean isWhole = pattern.endsWith("$");
      String text = isWhole ? pattern.substring(0, pattern.length() - 1) : pattern;
      int first = text.indexOf('*');
      if (first < 0) {
        return isAt(text, 0) && (!isWhole || path.length() == text.length());
      }
      if (!isAt(text.substring(0, first), 0)) {
        return false;
      }
      int last = text.lastIndexOf('*');
      int at = first;
      for (String piece : text.substring(first, last).split("\\*", -1)) {
        int found = find(piece, at); // the leftmost leaves the most to the pieces after it
        if (found < 0) {
          return false;
        }
        at = found + piece.length();
      }
      String end = text.substring(last + 1);
      int atEnd = path.length() - end.length();
      return isWhole ? atEnd >= at && isAt(end, atEnd) : find(end, at) >= 0;
    }

    private int find(String piece, int from) {
      for (int i = from; i <= path.length() - piece.length() && !isOver(); i++) {
        if (isAt(piece, i)) {
          return i;
        }
      }
      return -1;
    }

    private boolean isAt(String text, int start) {
      for (int i = 0; i < text.length(); i++) {
        steps++;
        if (start + i >= path.length() || text.charAt(i) != path.charAt(start + i)) {
          return false;
        }
      }
      return true;
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
