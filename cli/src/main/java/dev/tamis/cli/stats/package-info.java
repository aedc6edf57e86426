/** The commands that estimate distinct keys, and list the most frequent lines. */
@NullMarked
package dev.tamis.cli.stats;

import org.jspecify.annotations.NullMarked;
