/**
 * A queue of URLs to visit, each once: {@link dev.tamis.crawler.queue.VisitQueue}.
 *
 * <p>{@link dev.tamis.crawler.queue.UrlKey} says which URLs are the same, {@link
 * dev.tamis.crawler.queue.UrlScope} which are wanted, {@link dev.tamis.crawler.queue.OnFull} what
 * happens past the expected number.
 */
@NullMarked
package dev.tamis.crawler.queue;

import org.jspecify.annotations.NullMarked;
