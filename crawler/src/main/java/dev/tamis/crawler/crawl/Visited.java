package dev.tamis.crawler.crawl;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is written down of a URL that was visited.
 *
 * @param url in its normal form, as it was asked for
 * @param outcome what the visit came to
 * @param status what the server answered, or nothing if it did not
 * @param contentType in lower case and without parameters; empty if the server named none
 * @param bytes the length of the body as it came over the line or, where it was not read to its
 *     end, as it was announced; nothing if it is not known
 * @param links different links of the page that may be followed, in scope or not
 * @param depth links between the start and this, along the way on which it was found
 * @param millis how long the last attempt took
 * @param referrer where the link was found; empty for a start
 * @param detail the place a redirect leads to, what went wrong, or {@code noindex}; may be empty
 */
public record Visited(
    String url,
    Outcome outcome,
    OptionalInt status,
    String contentType,
    OptionalLong bytes,
    long links,
    int depth,
    long millis,
    String referrer,
    String detail) {

  /** Returns what is written of a URL that somebody else put in the queue and that is no URL. */
  static Visited impossible(String url) {
    return new Visited(
        url,
        Outcome.UNREACHABLE,
        OptionalInt.empty(),
        "",
        OptionalLong.empty(),
        0,
        0,
        0,
        "",
        "it is no URL of HTTP");
  }
}
