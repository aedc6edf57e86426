/** The explorer page, and the server that shows it on this machine. */
@NullMarked
package dev.tamis.explorer;

import org.jspecify.annotations.NullMarked;
