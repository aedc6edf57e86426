package dev.tamis.sizing;

import java.util.function.DoubleUnaryOperator;

/**
 * What one key does to the cells of a filter: the chance that it fills one, and the excess chance
 * that it leaves two empty at once.
 *
 * <p>In this model every layout has {@code blocks} blocks of {@code cells} cells in words of {@code
 * wordCells}; a key picks {@code picks} of the blocks and throws into each of their words.
 *
 * @param blocks b, number of blocks
 * @param cells B, cells in a block
 * @param wordCells cells among which a throw chooses
 * @param picks blocks a key throws into
 * @param hit h, the chance that a key fills a given cell of a block it picks
 * @param sameWord 1 − 2(1−h) + g, where g is the chance that two given cells of one word both stay
 *     empty
 * @param otherWord the same for two cells of different words
 */
record Cells(
    double blocks,
    double cells,
    double wordCells,
    int picks,
    double hit,
    double sameWord,
    double otherWord) {

  static Cells of(Shape shape) {
    return shape.layout().cells((double) shape.bits(), shape.hashes());
  }

  static Cells scattered(double bits, double hashes) {
    return words(1, bits, bits, 1, hashes);
  }

  /** Returns the cells of blocks of eight words of 32 bits, with one throw into each word. */
  static Cells wordBlocks(double bits) {
    return words(bits / (8 * Integer.SIZE), 8 * Integer.SIZE, Integer.SIZE, 1, 1);
  }

  /** Returns the cells of blocks of words, with {@code throwsPerWord} throws into each word. */
  static Cells words(
      double blocks, double cells, double wordCells, int picks, double throwsPerWord) {
    // by expm1 and log1p, because in a large classic filter all of these are 1 to 20 digits
    double hit = -Math.expm1(throwsPerWord * Math.log1p(-1 / wordCells));
    double hitEither = -Math.expm1(throwsPerWord * Math.log1p(-2 / wordCells));
    return new Cells(blocks, cells, wordCells, picks, hit, 2 * hit - hitEither, hit * hit);
  }

  /** Returns the logarithm of the probability that a cell stays empty after one key. */
  double logEmptyPerKey() {
    return Math.log1p(-picks * hit / blocks);
  }

  /** Sums {@code term} over all pairs of cells of a block, by the pair's excess. */
  double sumOverPairs(DoubleUnaryOperator term) {
    return cells * term.applyAsDouble(hit) // a cell with itself
        + cells * (wordCells - 1) * term.applyAsDouble(sameWord)
        + cells * (cells - wordCells) * term.applyAsDouble(otherWord);
  }
}
