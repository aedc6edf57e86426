package dev.tamis.crawler.crawl;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL to visit, and how it was found.
 *
 * @param address what to ask for
 * @param depth links between a start and this
 * @param redirects redirects in a row that led here
 * @param referrer where the link was found; empty for a start
 */
record Visit(String address, int depth, int redirects, String referrer) {

  /*
   * The queue keeps one URL for each visit and nothing beside it. How it was found rides in the
   * fragment, which is no part of the key and is never sent.
   */

  /** The most bytes that a visit in the queue can have: two addresses and two numbers. */
  static final int MAX_BYTES = 2 * Address.MAX_BYTES + 32;

  private static final Pattern QUEUED =
      Pattern.compile("([^#]*)#([0-9]{1,9}),([0-9]{1,9}),([^#]*)", Pattern.DOTALL);

  /** Returns the visit of a start. */
  static Visit start(String address) {
    return new Visit(address, 0, 0, "");
  }

  /** Returns the visit that a link on this page leads to. */
  Visit link(String target) {
    return new Visit(target, depth + 1, 0, address);
  }

  /** Returns the visit that a redirect from here leads to. */
  Visit redirect(String target) {
    return new Visit(target, depth, redirects + 1, address);
  }

  /** Returns what to push. */
  String queued() {
    return address + "#" + depth + "," + redirects + "," + referrer;
  }

  /**
   * Returns the visit that was pushed. A URL that somebody else put in the queue is a start.
   *
   * @return nothing if it cannot be asked for
   */
  static Optional<Visit> of(String queued) {
    Matcher matcher = QUEUED.matcher(queued);
    if (!matcher.matches()) {
      return Address.of(queued).map(Visit::start);
    }
    return Address.of(matcher.group(1))
        .map(
            address ->
                new Visit(
                    address,
                    Integer.parseInt(matcher.group(2)),
                    Integer.parseInt(matcher.group(3)),
                    matcher.group(4)));
  }
}
