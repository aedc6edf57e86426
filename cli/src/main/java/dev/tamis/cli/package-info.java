/** The {@code tamis} command: one file for each subcommand, run by {@link dev.tamis.cli.Main}. */
@NullMarked
package dev.tamis.cli;

import org.jspecify.annotations.NullMarked;
