/**
 * The arithmetic: keys, bits, hashes and fpp, each from the others, and keys from set bits.
 *
 * <p>Pure functions of numbers. {@link dev.tamis.sizing.Layout} lists the ways in which a key's
 * bits can be, {@link dev.tamis.sizing.Shape} is one of them at a size, {@link
 * dev.tamis.sizing.Sizing} solves for the shape, {@link dev.tamis.sizing.KeyCounts} goes the other
 * way. {@link dev.tamis.sizing.WindowSizing} is what Sizing is, for windows.
 *
 * <p>Letters as in the papers: n keys, m bits, k hashes, p fpp, c = m/n bits per key, B bits per
 * block.
 */
package dev.tamis.sizing;
