package dev.tamis.crawler.crawl;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Effective settings of a crawl.
 *
 * @param agent the product name that robots.txt matches, the start of the user agent
 * @param maxPages the limit of URLs visited
 * @param jobs the number of concurrent visits
 * @param maxAttempts how often a URL is requested at most
 * @param maxBytes the limit of a page in bytes
 * @param page the limits of what a page may cost once it is there
 * @param delay the minimum time between two visits of a host
 * @param listener called with each row
 * @param nanoClock the clock for durations
 * @param clock the wall clock
 */
record CrawlSettings(
    String agent,
    long maxPages,
    int jobs,
    int maxAttempts,
    int maxBytes,
    PageLimits page,
    Duration delay,
    Consumer<Visited> listener,
    LongSupplier nanoClock,
    InstantSource clock) {}
