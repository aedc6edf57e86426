package dev.tamis.crawler.crawl;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL to visit, and how it was found.
 *
 * @param depth links from a start to here
 * @param redirects redirects in a row that led here
 * @param referrer the page with the link; empty for a start
 */
record Task(String address, int depth, int redirects, String referrer) {

  /*
   * The queue stores only a URL per visit. How it was found is encoded in the fragment, which is not
   * part of the key and is never sent.
   */

  /** The limit of a visit in the queue in bytes: two addresses and two numbers. */
  static final int MAX_BYTES = 2 * Address.MAX_BYTES + 32;

  private static final Pattern QUEUED =
      Pattern.compile("([^#]*)#([0-9]{1,9}),([0-9]{1,9}),([^#]*)", Pattern.DOTALL);

  static Task start(String address) {
    return new Task(address, 0, 0, "");
  }

  /** Returns the visit of a link on this page. */
  Task link(String target) {
    return new Task(target, depth + 1, 0, address);
  }

  /** Returns the visit of the target of a redirect. */
  Task redirect(String target) {
    return new Task(target, depth, redirects + 1, address);
  }

  String queued() {
    return address + "#" + depth + "," + redirects + "," + referrer;
  }

  /**
   * Returns the visit that was pushed; a URL pushed by another program is a start.
   *
   * @return empty if it cannot be requested
   */
  static Optional<Task> of(String queued) {
    Matcher matcher = QUEUED.matcher(queued);
    if (!matcher.matches()) {
      return Address.of(queued).map(Task::start);
    }
    return Address.of(matcher.group(1))
        .map(
            address ->
                new Task(
                    address,
                    Integer.parseInt(matcher.group(2)),
                    Integer.parseInt(matcher.group(3)),
                    matcher.group(4)));
  }
}
