/**
 * Files that survive a crash: a segmented {@link dev.tamis.crawler.queue.log.WriteAheadLog}, the
 * {@link dev.tamis.crawler.queue.log.DirectoryLock lock} of its directory and the {@link
 * dev.tamis.crawler.queue.log.StoreFile file} of the store next to it.
 *
 * <p>Knows bytes and record numbers; what a record means is up to its {@link
 * dev.tamis.crawler.queue.log.WriteAheadLog.RecordCodec codec}.
 */
@NullMarked
package dev.tamis.crawler.queue.log;

import org.jspecify.annotations.NullMarked;
