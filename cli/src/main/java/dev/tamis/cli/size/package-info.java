/** The sizes of filters that are not built: keys, memory and false-positive probability. */
@NullMarked
package dev.tamis.cli.size;

import org.jspecify.annotations.NullMarked;
