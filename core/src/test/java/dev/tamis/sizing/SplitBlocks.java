package dev.tamis.sizing;

/** Blocks of any number of words of any length, one bit in each, from the parts of main. */
final class SplitBlocks {

  private SplitBlocks() {}

  static double fpp(int words, int wordBits, long keys, double bitsPerKey) {
    Occupancy word = Occupancy.of(wordBits, 1);
    return BlockLoad.mean(
        keys, words * wordBits / (bitsPerKey * keys), load -> Math.pow(word.hit(load), words));
  }
}
