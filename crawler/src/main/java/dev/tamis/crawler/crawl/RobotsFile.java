package dev.tamis.crawler.crawl;

import crawlercommons.robots.SimpleRobotRules;
import java.time.Duration;

/** What the robots.txt of a host came to. */
sealed interface RobotsFile {

  /** There are rules, perhaps none. */
  record Rules(SimpleRobotRules rules) implements RobotsFile {

    boolean allow(String address) {
      return rules.isAllowed(address);
    }

    /** Returns the time between two requests that the host asks for; zero if it asks for none. */
    Duration crawlDelay() {
      return Duration.ofMillis(Math.max(0, rules.getCrawlDelay()));
    }
  }

  /**
   * The rules could not be had, so nothing may be asked for.
   *
   * @param outcome what a page of the host comes to
   * @param reason for people
   * @param failures how often it was tried
   * @param isFinal whether that was often enough
   */
  record Unknown(Outcome outcome, String reason, int failures, boolean isFinal)
      implements RobotsFile {}
}
