package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;
import static dev.tamis.sizing.RibbonSizing.BUCKET_STARTS;
import static dev.tamis.sizing.RibbonSizing.THRESHOLD_BITS;

import dev.tamis.internal.bits.SharedWords;
import dev.tamis.internal.bits.Words;

/** Which starts of a ribbon layer are bumped: in each bucket those below its threshold. */
final class RibbonThresholds {

  /** The thresholds of the codes 0 to 3, in starts, one byte each. */
  private static final int LEVELS = BUCKET_STARTS << 24 | 40 << 16 | 16 << 8;

  private static final int BUCKET_SHIFT = 7;
  private static final int OFFSET_MASK = BUCKET_STARTS - 1;
  private static final int CODE_MASK = (1 << THRESHOLD_BITS) - 1;
  private static final int CODES_PER_WORD = Long.SIZE / THRESHOLD_BITS;
  private static final int WORD_SHIFT = Integer.numberOfTrailingZeros(CODES_PER_WORD);

  private final Words words;
  private final long at;
  private final long blocks;

  RibbonThresholds(Words words, long at, long blocks) {
    this.words = words;
    this.at = at;
    this.blocks = blocks;
  }

  static RibbonThresholds none(long blocks) {
    return new RibbonThresholds(Words.allocate(words(blocks)), 0, blocks);
  }

  /** Returns the number of words of thresholds. The last block of a layer has no starts. */
  static long words(long blocks) {
    long buckets = blocks / (BUCKET_STARTS / BLOCK_SLOTS);
    return (buckets + CODES_PER_WORD - 1) / CODES_PER_WORD;
  }

  static long bucket(long start) {
    return start >>> BUCKET_SHIFT;
  }

  static int offset(long start) {
    return (int) start & OFFSET_MASK;
  }

  /**
   * Bumps a start and those before it in its bucket; returns the threshold. Buckets are
   * independent.
   */
  int raiseAbove(long start) {
    long bucket = bucket(start);
    int code = 1;
    while (level(code) <= offset(start)) {
      code++;
    }
    long word = at + (bucket >>> WORD_SHIFT);
    long codes = (long) code << (bucket * THRESHOLD_BITS);
    SharedWords.or(words.segment(word), words.at(word), codes);
    return level(code);
  }

  boolean isBumped(long start) {
    return offset(start) < threshold(bucket(start));
  }

  private int threshold(long bucket) {
    long word = words.get(at + (bucket >>> WORD_SHIFT));
    return level((int) (word >>> (bucket * THRESHOLD_BITS)) & CODE_MASK);
  }

  private static int level(int code) {
    return (LEVELS >>> (code * Byte.SIZE)) & 0xFF;
  }

  /** Returns how many starts of a block are not bumped. */
  private int kept(long block) {
    long start = block * BLOCK_SLOTS;
    int bumped = threshold(bucket(start)) - offset(start);
    return BLOCK_SLOTS - Math.max(0, Math.min(BLOCK_SLOTS, bumped));
  }

  /** Returns how many starts of the first blocks are not bumped. */
  private long keptBefore(long end) {
    long kept = 0;
    for (long block = 0; block < end; block++) {
      kept += kept(block);
    }
    return kept;
  }

  private double starts() {
    return (blocks - 1.0) * BLOCK_SLOTS;
  }

  /**
   * Returns the fpp of a layer with {@code narrow} blocks, given that of the layers {@code below}.
   */
  double fpp(long narrow, int columns, double below) {
    double kept = keptBefore(blocks - 1);
    double keptInNarrow = keptBefore(Math.min(narrow, blocks - 1));
    double bumped = starts() - kept;
    return (Math.scalb(kept + keptInNarrow, -columns) + bumped * below) / starts();
  }

  /** Returns how many blocks can be narrow if layer and those below are to have {@code fpp}. */
  long narrow(double fpp, int columns, double below) {
    double kept = keptBefore(blocks - 1);
    double bumped = starts() - kept;
    double left = Math.scalb(fpp * starts() - bumped * below, columns) - kept;
    for (long block = 0; block < blocks - 1; block++) {
      left -= kept(block);
      if (left < 0) {
        return block;
      }
    }
    return blocks;
  }

  void copyTo(Words target, long targetAt) {
    for (long i = 0; i < words(blocks); i++) {
      target.set(targetAt + i, words.get(at + i));
    }
  }

  boolean areZero() {
    for (long i = 0; i < words(blocks); i++) {
      if (words.get(at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the bits after the last threshold are zero. */
  boolean endInZeros() {
    long used = blocks / (BUCKET_STARTS / BLOCK_SLOTS) % CODES_PER_WORD * THRESHOLD_BITS;
    return used == 0 || words.get(at + words(blocks) - 1) >>> used == 0;
  }
}
