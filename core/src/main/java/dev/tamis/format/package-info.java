/**
 * The bytes of a filter: frames with a kind, lengths and checksums, specified in {@code
 * docs/format.md}.
 *
 * <p>Bytes from outside are hostile until checked: every length is compared with the caller's limit
 * before anything is allocated for it, and whatever is not as specified is a {@link
 * dev.tamis.format.FormatException}.
 */
package dev.tamis.format;
