/**
 * De-duplication of streams in memory that is fixed or grows: start at {@link
 * dev.tamis.kit.dedup.Deduplicator}.
 */
package dev.tamis.kit.dedup;
