/**
 * The {@code tamis} command: one file for each subcommand, {@link dev.tamis.cli.Main} runs them.
 */
@NullMarked
package dev.tamis.cli;

import org.jspecify.annotations.NullMarked;
