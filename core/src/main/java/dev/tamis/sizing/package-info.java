/**
 * The arithmetic: keys, bits, hashes and fpp, each from the others, and keys back from ones.
 *
 * <p>Pure functions of numbers. {@link dev.tamis.sizing.Layout} lists the ways in which a key's
 * bits can lie, {@link dev.tamis.sizing.Shape} is one of them at a size, {@link
 * dev.tamis.sizing.Sizing} finds the shape for what is asked, {@link dev.tamis.sizing.KeyCounts}
 * goes the other way. {@link dev.tamis.sizing.WindowSizing} is what Sizing is, for windows.
 *
 * <p>Letters as in the papers: n keys, m bits, k hashes, p fpp, c = m/n bits a key, B bits a block.
 */
package dev.tamis.sizing;
