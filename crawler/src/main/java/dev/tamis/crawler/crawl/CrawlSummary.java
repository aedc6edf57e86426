package dev.tamis.crawler.crawl;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * The account of a crawl.
 *
 * @param pages URLs visited since the crawl began: the sum of the outcomes. Where the list of pages
 *     is a stream, since the crawl was resumed
 * @param outcomes how many visits came to each outcome; all are there
 * @param links what became of the links found since the crawl began or was resumed
 * @param requests those made since then, for robots.txt and for second attempts too
 * @param retries visits since then that were put off because another answer may come later
 * @param pending URLs in line that were not visited: 0 when the crawl is complete
 * @param expectedWrongDrops new URLs that are expected to have been taken for known ones, and so
 *     never to come
 */
public record CrawlSummary(
    long pages,
    Map<Outcome, Long> outcomes,
    LinkCounts links,
    long requests,
    long retries,
    long pending,
    OptionalDouble expectedWrongDrops) {

  /** Returns how many visits came to this. */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }
}
