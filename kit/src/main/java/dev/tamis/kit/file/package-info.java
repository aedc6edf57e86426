/** Files that are complete or not there: {@link dev.tamis.kit.file.FilterFile} for filters. */
package dev.tamis.kit.file;
