/**
 * De-duplication of streams in memory that is fixed or grows: start at {@link
 * dev.tamis.tools.dedup.Deduplicator}.
 */
@NullMarked
package dev.tamis.tools.dedup;

import org.jspecify.annotations.NullMarked;
