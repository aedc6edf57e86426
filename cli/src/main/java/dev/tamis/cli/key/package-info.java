/** The commands about secret keys. */
@NullMarked
package dev.tamis.cli.key;

import org.jspecify.annotations.NullMarked;
