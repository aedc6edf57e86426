package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;

import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.bits.Words;

/** Solves the equations of a ribbon layer for its slots, from the last one to the first. */
final class RibbonSolution {

  /*
   * Row i says what slot i is, once the 63 after it are known. They are kept as the bits of one
   * word for each column, slot i being bit 0; when i is the first slot of a block, that word is the
   * block's column. Slots whose row is empty are free, and are zero.
   *
   * Each bit depends on the one before, so four columns are interleaved for instruction-level
   * parallelism.
   */

  private static final int TOGETHER = 4;

  private final long[] solved;

  /** Begins after slots that are zero, or that no equation names. */
  RibbonSolution(int columns) {
    this.solved = HeapLimit.longs((columns + TOGETHER - 1) / TOGETHER * TOGETHER);
  }

  /** Writes the columns of the blocks from {@code first} to {@code end}, freeing their rows. */
  void write(RibbonRows rows, Words words, RibbonLayer layer, long first, long end) {
    long block = end;
    while (block > first) {
      RibbonRows.Piece piece = rows.removeLast();
      for (int blocks = piece.blocks(); blocks > 0 && block > first; blocks--) {
        block--;
        int columns = layer.columns(block);
        for (int column = 0; column < columns; column += TOGETHER) {
          solve(piece, (blocks - 1) * BLOCK_SLOTS, column);
        }
        for (int column = 0; column < columns; column++) {
          words.set(layer.columnAt(block) + column, solved[column]);
        }
      }
    }
  }

  private void solve(RibbonRows.Piece piece, int first, int column) {
    long[] rows = piece.coefficients;
    int[] results = piece.results;
    long a = solved[column];
    long b = solved[column + 1];
    long c = solved[column + 2];
    long d = solved[column + 3];
    for (int i = first + BLOCK_SLOTS - 1; i >= first; i--) {
      long row = rows[i];
      int result = results[i] >>> column;
      a <<= 1;
      a |= (Long.bitCount(a & row) ^ result) & 1;
      b <<= 1;
      b |= (Long.bitCount(b & row) ^ (result >>> 1)) & 1;
      c <<= 1;
      c |= (Long.bitCount(c & row) ^ (result >>> 2)) & 1;
      d <<= 1;
      d |= (Long.bitCount(d & row) ^ (result >>> 3)) & 1;
    }
    solved[column] = a;
    solved[column + 1] = b;
    solved[column + 2] = c;
    solved[column + 3] = d;
  }
}
