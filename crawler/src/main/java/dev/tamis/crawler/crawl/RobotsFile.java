package dev.tamis.crawler.crawl;

import crawlercommons.robots.SimpleRobotRules;
import java.time.Duration;

/** Result of fetching the robots.txt of a host. */
sealed interface RobotsFile {

  /** The rules, possibly empty. */
  record Rules(SimpleRobotRules rules) implements RobotsFile {

    boolean allow(String address) {
      return rules.isAllowed(address);
    }

    /** Returns the crawl delay of the host; zero if it has none. */
    Duration crawlDelay() {
      return Duration.ofMillis(Math.max(0, rules.getCrawlDelay()));
    }
  }

  /**
   * The file could not be fetched, so nothing may be requested.
   *
   * @param outcome the outcome of visits to the host
   * @param reason for people
   * @param failures how many attempts failed
   * @param isFinal whether there are no more attempts
   */
  record Unknown(Outcome outcome, String reason, int failures, boolean isFinal)
      implements RobotsFile {}
}
