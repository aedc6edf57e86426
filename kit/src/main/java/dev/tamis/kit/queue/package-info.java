/**
 * A queue of URLs to visit, each once: {@link dev.tamis.kit.queue.VisitQueue}.
 *
 * <p>{@link dev.tamis.kit.queue.UrlKey} says which URLs are the same, {@link
 * dev.tamis.kit.queue.UrlScope} which are wanted, {@link dev.tamis.kit.queue.OnFull} what happens
 * past the expected number.
 */
@NullMarked
package dev.tamis.kit.queue;

import org.jspecify.annotations.NullMarked;
