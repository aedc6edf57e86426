/**
 * A small crawler on top of the queue of URLs to visit: {@link dev.tamis.kit.crawl.Crawl}.
 *
 * <p>{@link dev.tamis.kit.crawl.Reach} says which links it follows, {@link
 * dev.tamis.kit.crawl.Visited} what it writes down of each visit.
 */
@NullMarked
package dev.tamis.kit.crawl;

import org.jspecify.annotations.NullMarked;
