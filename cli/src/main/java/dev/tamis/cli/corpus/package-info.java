/** {@code tamis corpus}: text collections as JSON lines. */
@NullMarked
package dev.tamis.cli.corpus;

import org.jspecify.annotations.NullMarked;
