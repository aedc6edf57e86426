package dev.tamis.crawler.crawl;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A visited URL, one row of a list of pages.
 *
 * @param url as it was requested
 * @param outcome outcome of the visit
 * @param status of the response; empty if there was none
 * @param contentType in lower case and without parameters; empty if the server named none
 * @param bytes the length of the body as transferred or, where it was not read to its end, as
 *     announced; empty if unknown
 * @param links distinct links of the page that may be followed, in scope or not
 * @param linksOverLimit links beyond the limits of a page, which are not followed
 * @param depth links from the start, along the path by which it was found
 * @param millis duration of the last attempt
 * @param referrer the page with the link; empty for a start
 * @param detail the target of a redirect, the error, or {@code noindex}; may be empty
 */
public record PageResult(
    String url,
    Outcome outcome,
    OptionalInt status,
    String contentType,
    OptionalLong bytes,
    long links,
    long linksOverLimit,
    int depth,
    long millis,
    String referrer,
    String detail) {

  /** Returns the row of a URL pushed by another program that cannot be requested. */
  static PageResult impossible(String url) {
    return new PageResult(
        url,
        Outcome.UNREACHABLE,
        OptionalInt.empty(),
        "",
        OptionalLong.empty(),
        0,
        0,
        0,
        0,
        "",
        "not an HTTP or HTTPS URL");
  }
}
