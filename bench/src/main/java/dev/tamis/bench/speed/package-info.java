/** The time of single operations, with JMH. */
@NullMarked
package dev.tamis.bench.speed;

import org.jspecify.annotations.NullMarked;
