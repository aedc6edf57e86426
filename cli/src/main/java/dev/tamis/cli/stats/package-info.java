/**
 * The commands that estimate how many distinct keys there are and which lines are most frequent.
 */
@NullMarked
package dev.tamis.cli.stats;

import org.jspecify.annotations.NullMarked;
