/** Compressed input and output of commands that read lines. */
@NullMarked
package dev.tamis.cli.compression;

import org.jspecify.annotations.NullMarked;
