/**
 * A small crawler on top of the queue of URLs to visit: {@link dev.tamis.crawler.crawl.Crawl}.
 *
 * <p>{@link dev.tamis.crawler.crawl.Reach} says which links it follows, {@link
 * dev.tamis.crawler.crawl.Visited} what it writes down of each visit.
 */
@NullMarked
package dev.tamis.crawler.crawl;

import org.jspecify.annotations.NullMarked;
