/** {@code tamis dedup}: each distinct line once, in order of first appearance. */
@NullMarked
package dev.tamis.cli.dedup;

import org.jspecify.annotations.NullMarked;
