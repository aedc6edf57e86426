package dev.tamis.filter;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.SharedWords;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.WindowSizing;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The memory of a {@link WindowedBloomFilter}: blocks of cells, in each a bit per generation.
 *
 * <p>The epoch counts generations; the keys of epoch e have bit {@code e & 7}, their lane. Lookups
 * need no lock. Threads that put hold the {@link #stripes} of their key, any other operation all.
 */
final class WindowBlocks {

  /*
   * A block is sixteen words, its rows are the eight bytes of a word: a key sets a bit in byte i of
   * the word that its i-th draw of four bits names. So all shifts but those of the draw are constant,
   * and the AND of eight words has the lanes of the key.
   *
   * A rotation only begins an epoch. Each block has a stamp, the epoch up to which its lanes have
   * been cleared; the first put in a block during an epoch clears the lanes of those since. Lookups
   * leave these lanes out. The 32 bits of a stamp would take an epoch for the one 2^32 before, so all
   * blocks are visited once in PASS epochs; at ten rotations a second that is every three years.
   *
   * Two stamps share a word, so the stripe of a block is that of the pair. They are not in the block,
   * where a row would have fewer cells than a power of two: that took 8 % more bits and a fifth more
   * time in the cache.
   */

  /** How often all blocks are visited, in epochs; far below 2^31, so that differences are right. */
  static final int PASS = 1 << 30;

  private static final int SHIFT = 4;
  private static final int WORDS = 1 << SHIFT;
  private static final int WORDS_PER_LINE = WORDS / 2;
  private static final int LANES = WindowSizing.LIVE_GENERATIONS;
  private static final int ALL_LANES = (1 << LANES) - 1;
  private static final long EACH_CELL = 0x0101010101010101L;
  private static final int FIELD = 4;
  private static final int TOP_FIELD = Long.SIZE - FIELD;

  private final int blocksPerKey;
  private final long section;
  private final Words cells;
  private final Words stamps;

  /** Creates empty blocks at epoch 0. */
  WindowBlocks(WindowSizing sizing) {
    this.blocksPerKey = sizing.blocksPerKey();
    this.section = sizing.blocks();
    this.cells = Words.allocate(sizing.bits() / Long.SIZE);
    this.stamps = Words.allocate((count() + 1) / 2);
  }

  private long count() {
    return blocksPerKey * section;
  }

  /** Returns the stripes of a key among {@code count}, a power of two up to 64: a bit for each. */
  long stripes(long hash, int count) {
    long held = 0;
    for (int i = 0; i < blocksPerKey; i++) {
      held |= 1L << (block(i, source(hash, i)) >>> 1 & (count - 1));
    }
    return held;
  }

  /** Reads the lines and stamps of a key without a branch, and returns a value of them. */
  long prefetch(long hash) {
    long read = 0;
    for (int i = 0; i < blocksPerKey; i++) {
      long block = block(i, source(hash, i));
      long first = block << SHIFT;
      read ^= cells.get(first) ^ cells.get(first + WORDS_PER_LINE) ^ stamps.get(block >>> 1);
    }
    return read;
  }

  /**
   * Returns the lanes in which a key is at an epoch, a bit for each; rotations may be due, so that
   * the epoch is later than the last put.
   */
  int lanes(long hash, int epoch) {
    int found = lanes(block(0, hash), hash, epoch);
    for (int i = 1; i < blocksPerKey && found != 0; i++) {
      long source = source(hash, i);
      found &= lanes(block(i, source), source, epoch);
    }
    return found;
  }

  private int lanes(long block, long source, int epoch) {
    int age = epoch - stamp(block);
    int found = lanes(block, source);
    return age == 0 ? found : found & live(epoch, age);
  }

  /**
   * Puts a key in the lane of an epoch, and returns the lanes in which it was before.
   *
   * @param epoch the present one; the caller holds the stripes of the key
   */
  int put(long hash, int epoch) {
    int found = put(block(0, hash), hash, epoch);
    for (int i = 1; i < blocksPerKey; i++) {
      long source = source(hash, i);
      found &= put(block(i, source), source, epoch);
    }
    return found;
  }

  private int put(long block, long source, int epoch) {
    if (stamp(block) != epoch) {
      refresh(block, epoch);
    }
    long first = block << SHIFT;
    long[] words = cells.segment(first);
    int at = cells.at(first);
    long draw = source * Mixing.GOLDEN;
    long lane = 1L << (epoch & (LANES - 1));
    return (int)
            (set(words, at + field(draw, 0), lane)
                & set(words, at + field(draw, 1), lane << 8) >>> 8
                & set(words, at + field(draw, 2), lane << 16) >>> 16
                & set(words, at + field(draw, 3), lane << 24) >>> 24
                & set(words, at + field(draw, 4), lane << 32) >>> 32
                & set(words, at + field(draw, 5), lane << 40) >>> 40
                & set(words, at + field(draw, 6), lane << 48) >>> 48
                & set(words, at + field(draw, 7), lane << 56) >>> 56)
        & ALL_LANES;
  }

  private static long set(long[] words, int word, long bit) {
    long before = words[word];
    words[word] = before | bit;
    return before;
  }

  /** Returns the number from which the block of section {@code i}, and the cells in it, follow. */
  private static long source(long hash, int i) {
    return i == 0 ? hash : Mixing.draw(hash, i);
  }

  private long block(int i, long source) {
    return i * section + Mixing.reduce(source, section);
  }

  private int lanes(long block, long source) {
    long first = block << SHIFT;
    long[] words = cells.segment(first);
    int at = cells.at(first);
    long draw = source * Mixing.GOLDEN;
    long half =
        words[at + field(draw, 0)]
            & words[at + field(draw, 1)] >>> 8
            & words[at + field(draw, 2)] >>> 16
            & words[at + field(draw, 3)] >>> 24;
    if ((half & ALL_LANES) == 0) {
      return 0; // as it is for 8 of 9 absent keys
    }
    return (int)
            (half
                & words[at + field(draw, 4)] >>> 32
                & words[at + field(draw, 5)] >>> 40
                & words[at + field(draw, 6)] >>> 48
                & words[at + field(draw, 7)] >>> 56)
        & ALL_LANES;
  }

  private static int field(long draw, int row) {
    return (int) (draw << (FIELD * row) >>> TOP_FIELD);
  }

  private int stamp(long block) {
    long pair = block >>> 1;
    // acquired, so that cells read later are at least as young
    return (int) (SharedWords.get(stamps.segment(pair), stamps.at(pair)) >>> (block << 5));
  }

  /**
   * Returns the lanes that count at an epoch in a block that was stamped {@code age} epochs before:
   * those of epochs {@code epoch - 7} to {@code epoch - age}.
   */
  private static int live(int epoch, int age) {
    // a stamp later than the epoch is seen by a lookup that a rotation overtook: see its caller
    int some = ALL_LANES >>> Math.max(0, Math.min(age, LANES));
    return (some << LANES | some) << ((epoch + 1) & (LANES - 1)) >>> LANES & ALL_LANES;
  }

  private void refresh(long block, int epoch) {
    long live = live(epoch, epoch - stamp(block)) * EACH_CELL;
    long first = block << SHIFT;
    long[] words = cells.segment(first);
    int at = cells.at(first);
    for (int i = 0; i < WORDS; i++) {
      words[at + i] &= live;
    }
    VarHandle.releaseFence(); // who sees the stamp sees the lanes cleared
    long other = stamps.get(block >>> 1) & ~(0xFFFFFFFFL << (block << 5));
    stamps.set(block >>> 1, other | (epoch & 0xFFFFFFFFL) << (block << 5));
  }

  /** Clears all lanes that have expired at an epoch. */
  void refresh(int epoch) {
    for (long block = 0; block < count(); block++) {
      if (stamp(block) != epoch) {
        refresh(block, epoch);
      }
    }
  }

  /** Returns the words of all blocks. */
  Words cells() {
    return cells;
  }

  /** Declares what was read into {@link #cells} as refreshed at {@code epoch}. */
  void stamp(int epoch) {
    for (long[] segment : stamps.segments()) {
      Arrays.fill(segment, Words.FIRST, segment.length, epoch * (1L + (1L << Integer.SIZE)));
    }
  }

  /** Makes these empty blocks equal to others of the same sizing. */
  void copyFrom(WindowBlocks other) {
    cells.copyFrom(other.cells);
    stamps.copyFrom(other.stamps);
  }

  /** Returns the set bits of each generation that counts at an epoch, by age. Costs a pass. */
  long[] ones(int epoch) {
    long[] ones = new long[LANES];
    for (long block = 0; block < count(); block++) {
      int live = live(epoch, epoch - stamp(block));
      long[] words = cells.segment(block << SHIFT);
      int at = cells.at(block << SHIFT);
      for (int age = 0; age < LANES; age++) {
        int lane = (epoch - age) & (LANES - 1);
        long mask = ((live >>> lane & 1) * EACH_CELL) << lane;
        for (int i = 0; i < WORDS && mask != 0; i++) {
          ones[age] += Long.bitCount(words[at + i] & mask);
        }
      }
    }
    return ones;
  }

  /** Returns the chance that a random key is found at an epoch. Costs a pass. */
  double fpp(int epoch) {
    double missed = 1;
    double[] found = new double[LANES];
    Arrays.fill(found, 1);
    for (int i = 0; i < blocksPerKey; i++) {
      double[] hits = new double[LANES];
      for (long block = i * section; block < (i + 1) * section; block++) {
        addHits(block, live(epoch, epoch - stamp(block)), hits);
      }
      for (int lane = 0; lane < LANES; lane++) {
        found[lane] *= hits[lane] / section;
      }
    }
    for (double lane : found) {
      missed *= 1 - lane;
    }
    return 1 - missed;
  }

  private void addHits(long block, int live, double[] hits) {
    long[] words = cells.segment(block << SHIFT);
    int at = cells.at(block << SHIFT);
    for (int lane = 0; lane < LANES; lane++) {
      long rows = 0; // in byte i the cells of row i that are set, up to 16
      for (int i = 0; i < WORDS; i++) {
        rows += words[at + i] >>> lane & EACH_CELL;
      }
      double hit = live >>> lane & 1;
      for (int row = 0; row < Long.BYTES; row++) {
        hit *= (rows >>> (row * Byte.SIZE) & 0xFF) / (double) WORDS;
      }
      hits[lane] += hit;
    }
  }
}
