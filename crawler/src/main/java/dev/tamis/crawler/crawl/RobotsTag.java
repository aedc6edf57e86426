package dev.tamis.crawler.crawl;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a page asks of crawlers about itself, in its head or in the head of the answer.
 *
 * @param noindex do not list the page
 * @param nofollow do not follow its links
 */
record RobotsTag(boolean noindex, boolean nofollow) {

  static final RobotsTag NOTHING = new RobotsTag(false, false);

  private static final Pattern FOR_ONE_AGENT = Pattern.compile("\\s*([\\w-]+)\\s*:(.*)");

  /** Reads the words of a meta element. */
  static RobotsTag ofWords(String words) {
    List<String> asked = List.of(words.toLowerCase(Locale.ROOT).split("[\\s,]+"));
    boolean none = asked.contains("none");
    return new RobotsTag(none || asked.contains("noindex"), none || asked.contains("nofollow"));
  }

  /** Reads values of the header {@code X-Robots-Tag}; what is for another agent does not count. */
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

  /** Returns what this or the other one asks. */
  RobotsTag and(RobotsTag other) {
    return new RobotsTag(noindex || other.noindex, nofollow || other.nofollow);
  }
}
