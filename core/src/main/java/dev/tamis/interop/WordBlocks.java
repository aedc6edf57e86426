package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.KeyCounts;

/**
 * The placement of Parquet's split-block filter: a key selects a block of eight 32-bit words and
 * sets one bit in each of them.
 */
final class WordBlocks extends Placement implements Geometry {

  static final int BLOCK_BITS = 256;

  static final int BLOCK_LONGS = BLOCK_BITS / Long.SIZE;

  private static final int WORDS = 8;
  private static final double WORD_BITS = 32;

  /** What eight standard deviations of a Poisson number and then some leave out is no double. */
  private static final double TAIL_SIGMAS = 9;

  private static final int TAIL_KEYS = 60;

  private static final int WORD_BITS_LOG2 = 5;

  private static final int[] SALTS = {
    0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31
  };

  private final long blocks;

  WordBlocks(long blocks) {
    this.blocks = blocks;
  }

  @Override
  public int probes() {
    return WORDS;
  }

  @Override
  public long position(long hash, int probe) {
    return stripeIndex(hash) * BLOCK_BITS + probe * (long) Integer.SIZE + bit((int) hash, probe);
  }

  @Override
  public long prefetch(Words words, long hash) {
    return words.get(firstWord(hash)); // a block is in one cache line
  }

  @Override
  public boolean put(Words words, long hash) {
    long first = firstWord(hash);
    long[] segment = words.segment(first);
    int at = words.at(first);
    boolean changed = false;
    for (int i = 0; i < BLOCK_LONGS; i++) {
      long before = segment[at + i];
      long after = before | mask((int) hash, i);
      segment[at + i] = after;
      changed |= before != after;
    }
    return changed;
  }

  @Override
  public boolean mightContain(Words words, long hash) {
    long first = firstWord(hash);
    long[] segment = words.segment(first);
    int at = words.at(first);
    for (int i = 0; i < BLOCK_LONGS; i++) {
      if ((mask((int) hash, i) & ~segment[at + i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the block of a key; the holder of its stripe has exclusive access to its words. */
  @Override
  public long stripeIndex(long hash) {
    return ((hash >>> Integer.SIZE) * blocks) >>> Integer.SIZE;
  }

  @Override
  public void merge(Words words, Stripes stripes, long start, Words others) {
    mergeBlocks(words, stripes, start, others, BLOCK_LONGS);
  }

  private long firstWord(long hash) {
    return stripeIndex(hash) * BLOCK_LONGS;
  }

  /** Returns the bits of a key in two of Parquet's words, one of ours. */
  private static long mask(int key, int index) {
    return 1L << bit(key, 2 * index) | 1L << (bit(key, 2 * index + 1) + Integer.SIZE);
  }

  /** Returns the bit of a key in a word of 32 bits. */
  private static int bit(int key, int word) {
    return (key * SALTS[word]) >>> (Integer.SIZE - WORD_BITS_LOG2);
  }

  @Override
  public long bits() {
    return blocks * BLOCK_BITS;
  }

  /** The mean over the blocks, which are equally likely. */
  @Override
  public double fpp(Words words) {
    double sum = 0;
    for (long block = 0; block < blocks; block++) {
      double product = 1;
      for (int i = 0; i < BLOCK_LONGS; i++) {
        long word = words.get(block * BLOCK_LONGS + i);
        product *= Integer.bitCount((int) word) / WORD_BITS;
        product *= Integer.bitCount((int) (word >>> Integer.SIZE)) / WORD_BITS;
      }
      sum += product;
    }
    return sum / blocks;
  }

  /** The mean over the number of keys in a block, which is a Poisson number. */
  @Override
  public double fppAt(long keys) {
    double load = (double) keys / blocks;
    double most = load + TAIL_SIGMAS * Math.sqrt(load) + TAIL_KEYS;
    double least = Math.max(0, Math.floor(load - TAIL_SIGMAS * Math.sqrt(load)));
    if (least * -Math.log1p(-1 / WORD_BITS) > TAIL_KEYS) {
      return 1; // every block is full, and the loop would not terminate in practice
    }
    double sum = 0;
    double logChance = least == 0 ? -load : logPoisson(load, least);
    for (double inBlock = least; inBlock <= most; inBlock++) {
      double filled = -Math.expm1(inBlock * Math.log1p(-1 / WORD_BITS));
      sum += Math.exp(logChance) * Math.pow(filled, WORDS);
      logChance += Math.log(load / (inBlock + 1));
    }
    return Math.min(1, sum);
  }

  /** Returns the logarithm of the chance of {@code count}, at least 1, by Stirling's series. */
  private static double logPoisson(double load, double count) {
    double factorial =
        count * Math.log(count)
            - count
            + 0.5 * Math.log(2 * Math.PI * count)
            + 1 / (12 * count)
            - 1 / (360 * count * count * count)
            + 1 / (1260 * Math.pow(count, 5));
    return count * Math.log(load) - load - factorial;
  }

  @Override
  public long setBits(Words words) {
    return SetBits.count(words);
  }

  @Override
  public Estimate keys(long setBits, Confidence confidence) {
    return KeyCounts.wordBlocks(bits(), setBits, confidence);
  }

  @Override
  public Overlap overlap(long inFirst, long inSecond, long inUnion, Confidence confidence) {
    return KeyCounts.wordBlocks(bits(), inFirst, inSecond, inUnion, confidence);
  }
}
