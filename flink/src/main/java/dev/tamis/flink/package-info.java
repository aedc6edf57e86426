/**
 * Bloom filters in the streams of Apache Flink.
 *
 * <p>Begin with {@link dev.tamis.flink.Seen}, which drops repeated elements, or {@link
 * dev.tamis.flink.SeenWithin}, which forgets them after a while. {@link
 * dev.tamis.flink.LookupGuard} and {@link dev.tamis.flink.BroadcastGuard} keep elements from
 * lookups in vain. {@link dev.tamis.flink.TamisTable} has the functions for SQL.
 */
@NullMarked
package dev.tamis.flink;

import org.jspecify.annotations.NullMarked;
