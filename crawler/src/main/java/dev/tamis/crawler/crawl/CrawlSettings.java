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
 * @param page the limits of a page
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
    PageLimits page,
    Duration delay,
    Consumer<PageResult> listener,
    LongSupplier nanoClock,
    InstantSource clock) {}
