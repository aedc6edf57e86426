/** {@code tamis block}: builds, queries and explains block lists. */
@NullMarked
package dev.tamis.cli.block;

import org.jspecify.annotations.NullMarked;
