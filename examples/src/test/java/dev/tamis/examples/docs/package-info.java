/** The programs that the documents show, and tests that the documents show them as they are. */
@NullMarked
package dev.tamis.examples.docs;

import org.jspecify.annotations.NullMarked;
