/** Files that are complete or not there: {@link dev.tamis.kit.file.FilterFile} for filters. */
@NullMarked
package dev.tamis.kit.file;

import org.jspecify.annotations.NullMarked;
