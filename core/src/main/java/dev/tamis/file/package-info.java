/** Files that are complete or not there: {@link dev.tamis.file.FilterFile} for filters. */
@NullMarked
package dev.tamis.file;

import org.jspecify.annotations.NullMarked;
