/**
 * Filters in the bytes of other programs, one class for each format: read, written and queried with
 * the other program's hash.
 *
 * <p>{@link dev.tamis.interop.ForeignFilter} is what they have in common, {@link
 * dev.tamis.interop.ForeignFormat} their list. {@link dev.tamis.interop.ForeignFilters} reads any.
 */
package dev.tamis.interop;
