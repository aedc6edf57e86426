/**
 * Bloom filters in the streams of Apache Flink.
 *
 * <p>Begin with {@link dev.tamis.flink.Seen}, which drops repeated elements, or {@link
 * dev.tamis.flink.SeenWithin}, which forgets them after a while.
 */
@NullMarked
package dev.tamis.flink;

import org.jspecify.annotations.NullMarked;
