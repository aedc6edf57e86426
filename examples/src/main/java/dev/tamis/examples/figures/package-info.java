/** The figures of the documents: start at {@link DrawFigures}. */
@NullMarked
package dev.tamis.examples.figures;

import org.jspecify.annotations.NullMarked;
