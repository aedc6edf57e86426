/** The commands that build, query, describe, merge, convert and size filters. */
@NullMarked
package dev.tamis.cli.filter;

import org.jspecify.annotations.NullMarked;
