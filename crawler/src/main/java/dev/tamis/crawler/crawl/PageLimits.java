package dev.tamis.crawler.crawl;

import java.time.Duration;

/**
 * Limits of what one page may cost.
 *
 * @param parseTimeout how long parsing may take
 * @param maxLinks how many distinct links are followed
 * @param maxLinkBytes the bytes that these take in the queue, each with the address of the page
 */
record PageLimits(Duration parseTimeout, int maxLinks, int maxLinkBytes) {}
