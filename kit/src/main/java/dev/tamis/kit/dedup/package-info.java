/**
 * De-duplication of streams in memory that is fixed or grows: start at {@link
 * dev.tamis.kit.dedup.Deduplicator}.
 */
@NullMarked
package dev.tamis.kit.dedup;

import org.jspecify.annotations.NullMarked;
