package dev.tamis.crawler.crawl;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a crawl goes by.
 *
 * @param agent the name for robots.txt, which the user agent begins with
 * @param maxPages the most URLs that are visited
 * @param jobs how many are visited at a time
 * @param maxAttempts how often a URL is tried
 * @param maxBytes the most bytes of a page
 * @param delay the least time between two visits of a host
 * @param listener who is told of each row
 * @param nanoClock what tells spans of time
 * @param clock what tells the time of day
 */
record CrawlSettings(
    String agent,
    long maxPages,
    int jobs,
    int maxAttempts,
    int maxBytes,
    Duration delay,
    Consumer<Visited> listener,
    LongSupplier nanoClock,
    InstantSource clock) {}
