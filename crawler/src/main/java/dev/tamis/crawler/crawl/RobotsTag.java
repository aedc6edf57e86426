package dev.tamis.crawler.crawl;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Robots directives of a page, in its {@code meta} elements or the response header.
 *
 * @param noindex do not list the page
 * @param nofollow do not follow its links
 */
record RobotsTag(boolean noindex, boolean nofollow) {

  static final RobotsTag NOTHING = new RobotsTag(false, false);

  private static final Pattern FOR_ONE_AGENT = Pattern.compile("\\s*([\\w-]+)\\s*:(.*)");
  private static final Pattern NOINDEX = directive("noindex");
  private static final Pattern NOFOLLOW = directive("nofollow");

  private static Pattern directive(String word) {
    return Pattern.compile("(?i)(?<![^\\s,])(?:none|" + word + ")(?![^\\s,])");
  }

  static RobotsTag ofWords(String words) {
    return new RobotsTag(NOINDEX.matcher(words).find(), NOFOLLOW.matcher(words).find());
  }

  /** Parses {@code X-Robots-Tag} headers; directives for other agents are ignored. */
  static RobotsTag ofHeader(List<String> values, String agent) {
    RobotsTag all = NOTHING;
    for (String value : values) {
      Matcher one = FOR_ONE_AGENT.matcher(value);
      if (!one.matches()) {
        all = all.and(ofWords(value));
      } else if (one.group(1).equalsIgnoreCase(agent)) {
        all = all.and(ofWords(one.group(2)));
      }
    }
    return all;
  }

  RobotsTag and(RobotsTag other) {
    return new RobotsTag(noindex || other.noindex, nofollow || other.nofollow);
  }
}
