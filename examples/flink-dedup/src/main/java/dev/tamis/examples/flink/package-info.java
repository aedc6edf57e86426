/** A Flink job that drops repeated lines, and a comparison of its state with exact state. */
@NullMarked
package dev.tamis.examples.flink;

import org.jspecify.annotations.NullMarked;
