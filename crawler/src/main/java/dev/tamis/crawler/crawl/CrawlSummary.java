package dev.tamis.crawler.crawl;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * Summary of a crawl.
 *
 * @param pages URLs visited since the crawl began: the sum of the outcomes. Where the list of pages
 *     is a stream, since the crawl was resumed
 * @param outcomes visits by outcome; every outcome is present
 * @param links the links found since the crawl began or was resumed
 * @param requests requests since then, including robots.txt and retries
 * @param retries visits since then that were postponed after a transient failure
 * @param pending URLs queued and not visited: 0 when the crawl is complete
 * @param expectedWrongDrops the expected number of new URLs taken for known ones, and so never
 *     visited
 * @param overfull whether the fpp of the queue's filter is more than ten times the requested one,
 *     so that new URLs are lost
 */
public record CrawlSummary(
    long pages,
    Map<Outcome, Long> outcomes,
    LinkCounts links,
    long requests,
    long retries,
    long pending,
    OptionalDouble expectedWrongDrops,
    boolean overfull) {

  /** Returns how many visits had this outcome. */
  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }
}
