/**
 * A queue of URLs to visit, each once: {@link dev.tamis.crawler.queue.VisitQueue}, in memory or
 * behind a write-ahead log.
 *
 * <p>{@link dev.tamis.crawler.queue.UrlKey} decides which URLs are the same, {@link
 * dev.tamis.crawler.queue.UrlScope} which are accepted, {@link dev.tamis.crawler.queue.OnFull} what
 * happens past the expected number of keys.
 */
@NullMarked
package dev.tamis.crawler.queue;

import org.jspecify.annotations.NullMarked;
