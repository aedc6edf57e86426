/** {@code tamis explore}: the explorer page in a browser. */
@NullMarked
package dev.tamis.cli.explore;

import org.jspecify.annotations.NullMarked;
