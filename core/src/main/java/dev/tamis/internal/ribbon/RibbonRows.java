package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;

import dev.tamis.internal.bits.HeapLimit;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The equations of a ribbon layer, at most one that begins at each slot.
 *
 * <p>Takes 12 bytes per slot, piece by piece: filled from left to right, given up from right to
 * left. Not safe for concurrent use.
 */
final class RibbonRows {

  /*
   * Row i holds the equation that begins with slot i [1]: bit j of its coefficients says whether
   * slot i + j is in the sum, bit j of its results what the sum is in column j. A key that comes to
   * a row which is taken adds that row to its own equation, which then begins further on.
   *
   * Only the rows of one bucket and the 63 after it are worked on. They are in the open piece,
   * which has that much room beyond its end and stays in the cache; earlier pieces are stored
   * unchanged. So memory is taken as hashes are read and given up as columns are written.
   *
   * [1] Dillinger, Walzer 2021: Ribbon filter: practically smaller than Bloom and xor
   *     https://arxiv.org/abs/2103.02515
   */

  /** The rows of a piece: a multiple of what a bucket has, and of a block. */
  static final int PIECE = 1 << 12;

  private static final int BEYOND = BLOCK_SLOTS;

  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private final long slots;
  private long[] coefficients;
  private int[] results;
  private long first;

  RibbonRows(long slots) {
    this.slots = slots;
    this.coefficients = HeapLimit.longs((int) Math.min(slots, PIECE + BEYOND));
    this.results = HeapLimit.ints(coefficients.length);
  }

  /** Declares that no equation will start before the bucket of {@code start}. */
  void moveTo(long start) {
    while (start - first >= PIECE) {
      putAway(PIECE);
      first += PIECE;
    }
  }

  /** Declares that there will be no more equations. */
  void finish() {
    moveTo(slots - 1);
    putAway((int) (slots - first));
    coefficients = new long[0];
    results = new int[0];
  }

  private void putAway(int rows) {
    pieces.add(new Piece(Arrays.copyOf(coefficients, rows), Arrays.copyOf(results, rows)));
    int beyond = coefficients.length - rows;
    System.arraycopy(coefficients, rows, coefficients, 0, beyond);
    System.arraycopy(results, rows, results, 0, beyond);
    Arrays.fill(coefficients, beyond, coefficients.length, 0);
    Arrays.fill(results, beyond, results.length, 0);
  }

  /**
   * Puts an equation that starts in the bucket given to {@link #moveTo} into its first free row.
   *
   * @return the row, or −1 if the equation is the sum of others
   */
  long place(long start, long equation, int sums) {
    long left = equation;
    int result = sums;
    int row = (int) (start - first);
    while (coefficients[row] != 0) {
      left ^= coefficients[row];
      result ^= results[row];
      if (left == 0) {
        return -1;
      }
      int zeros = Long.numberOfTrailingZeros(left);
      left >>>= zeros;
      row += zeros;
    }
    coefficients[row] = left;
    results[row] = result;
    return first + row;
  }

  /** Empties a row that {@link #place} returned for this bucket. */
  void clear(long row) {
    coefficients[(int) (row - first)] = 0;
    results[(int) (row - first)] = 0;
  }

  Piece removeLast() {
    return pieces.removeLast();
  }

  /** A contiguous piece of rows: whole blocks of them. */
  static final class Piece {

    final long[] coefficients;
    final int[] results;

    private Piece(long[] coefficients, int[] results) {
      this.coefficients = coefficients;
      this.results = results;
    }

    int blocks() {
      return coefficients.length / BLOCK_SLOTS;
    }
  }
}
