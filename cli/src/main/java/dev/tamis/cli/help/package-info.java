/** What tells users of the commands: help, suggestions, completion scripts and man pages. */
@NullMarked
package dev.tamis.cli.help;

import org.jspecify.annotations.NullMarked;
