/**
 * A small polite crawler on top of the visit queue: {@link dev.tamis.crawler.crawl.Crawl}.
 *
 * <p>{@link dev.tamis.crawler.crawl.Reach} decides which links it follows; {@link
 * dev.tamis.crawler.crawl.PageResult} is what it records of each visit.
 */
@NullMarked
package dev.tamis.crawler.crawl;

import org.jspecify.annotations.NullMarked;
