/** Lines as bytes: read, written, counted and remembered without being decoded. */
@NullMarked
package dev.tamis.cli.lines;

import org.jspecify.annotations.NullMarked;
