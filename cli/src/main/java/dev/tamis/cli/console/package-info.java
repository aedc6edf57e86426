/** What all commands share at the terminal: streams, inputs, messages, progress, exit statuses. */
@NullMarked
package dev.tamis.cli.console;

import org.jspecify.annotations.NullMarked;
