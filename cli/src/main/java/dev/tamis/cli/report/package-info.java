/** How figures are read from the command line and printed: tables, JSON and summaries. */
@NullMarked
package dev.tamis.cli.report;

import org.jspecify.annotations.NullMarked;
