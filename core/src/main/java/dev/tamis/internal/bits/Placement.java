package dev.tamis.internal.bits;

import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Where the bits of a key are in the words of a filter, and how to set and test them.
 *
 * <p>Bit i of the filter is bit {@code i & 63} of word {@code i >>> 6}. A key has {@link #probes()}
 * positions, each a pure function of its hash; some may coincide.
 *
 * <p>{@link #put} is for one thread at a time. With several threads, each holds the {@link Stripes}
 * of its key ({@link #lock}) and calls {@link #putLocked}.
 */
public abstract class Placement {

  /*
   * put and mightContain are the hot loops, so each placement has its own. position() is the
   * definition that they must agree with (a test compares them); everything else goes through it.
   *
   * Several threads. A put tests the bits and returns false if all are set. Otherwise it takes the
   * stripes of its key, tests and sets the bits, and returns true if one was missing. Lookups take
   * no stripe: bits are never cleared (except by clear(), which holds all stripes).
   *
   * The stripe of a key is a function of its hash, so puts of one key exclude each other. The first
   * that finds a bit missing returns true and has set all bits when it releases the stripe; later
   * ones find them set. So of all puts of a key exactly one returns true, unless other keys had set
   * all its bits before the first of them tested under the stripe: then all return false, a false
   * positive with the fpp of the filter at that moment. No other key is lost, so expectedWrongDrops
   * holds as for one thread.
   *
   * In a blocked placement the stripe is that of the line (of both lines, in ascending order, if a
   * key has two), so each word has one writer at a time, which uses plain stores, in vectors too.
   * Puts are linearizable.
   *
   * In a scattered placement a key has bits in too many places for that. Its stripe, chosen by the
   * hash, only excludes other puts of the same key; puts of other keys write the same words
   * concurrently, so each bit is set by an atomic OR, and the put returns true if it read a zero.
   * Concurrent puts of different keys that share bits may then all return true although in any
   * sequential order one of them would be a false positive: never fewer are new.
   *
   * A put happens before any lookup that starts after it returned: releasing a stripe is a release,
   * and lookups begin with an acquire fence.
   */

  static final int WORDS_PER_LINE = 8;

  public static final int BITS_PER_LINE = WORDS_PER_LINE * Long.SIZE;

  /** Hashes whose memory is prefetched together: more than a core can have in flight. */
  public static final int BATCH = 32;

  /** Also for the placements of foreign formats in other packages. */
  protected Placement() {}

  public abstract int probes();

  /** Returns the position of a key's probe, in bits from the start of the filter. */
  public abstract long position(long hash, int probe);

  /**
   * Reads the words of a key without a branch on their values, so that the cache misses of several
   * keys overlap; returns a value that depends on them, so that the reads are not optimized away.
   */
  public abstract long prefetch(Words words, long hash);

  /** Sets the bits of a key and returns whether any was zero. */
  public abstract boolean put(Words words, long hash);

  /** Returns whether all bits of a key are set. */
  public abstract boolean mightContain(Words words, long hash);

  /**
   * Returns the same as {@link #mightContain(Words, long)} without a branch between the cache lines
   * of a key, so that their misses overlap.
   */
  public boolean mightContainBranchless(Words words, long hash) {
    return mightContain(words, hash);
  }

  /**
   * Tests a few bits of a key without a branch on their values, so that the cache misses of several
   * filters overlap; 0 if the key is absent, otherwise 1.
   */
  public long peek(Words words, long hash) {
    return mightContain(words, hash) ? 1 : 0;
  }

  /** Queries a batch of hashes, from {@code from} to {@code to}, after prefetching their memory. */
  public void mightContain(Words words, long[] hashes, int from, int to, boolean[] answers) {
    prefetch(words, hashes, from, to, answers);
    for (int i = from; i < to; i++) {
      answers[i] = mightContain(words, hashes[i]);
    }
  }

  /** Queries the first {@code count} hashes, batch by batch, while other threads put. */
  public final void mightContainBatch(Words words, long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += BATCH) {
      VarHandle.acquireFence();
      mightContain(words, hashes, from, Math.min(count, from + BATCH), answers);
      VarHandle.acquireFence();
    }
  }

  /** Prefetches the memory of several keys; writes {@code scratch} so that the reads remain. */
  public final void prefetch(Words words, long[] hashes, int from, int to, boolean[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i] = prefetch(words, hashes[i]) != 0;
    }
  }

  /** Returns the probability that all bits of a random key are set. Costs one pass. */
  public abstract double fpp(Words words);

  /**
   * Takes the stripes of a key and returns them for {@link #unlock}; the low half is one of them.
   */
  public long lock(Stripes stripes, long hash) {
    int stripe = stripes.of(stripeIndex(hash));
    stripes.lock(stripe);
    return stripe;
  }

  public void unlock(Stripes stripes, long locked) {
    stripes.unlock((int) locked);
  }

  /**
   * Puts a key while other threads do, counts it in a stripe if it is new, and returns whether it
   * is.
   */
  public boolean putConcurrent(Words words, Stripes stripes, long hash) {
    if (mightContain(words, hash)) {
      return false;
    }
    long locked = lock(stripes, hash);
    boolean isNew = false;
    try {
      isNew = putLocked(words, hash);
    } finally { // kernels in vectors may allocate before they are compiled
      stripes.count((int) locked, isNew ? 1 : 0);
      unlock(stripes, locked);
    }
    return isNew;
  }

  /** Returns the number that determines the stripe of a key. */
  public abstract long stripeIndex(long hash);

  /**
   * Sets the bits of a key whose stripes the caller holds, while other threads put under other
   * stripes, and returns whether any was zero.
   */
  public boolean putLocked(Words words, long hash) {
    return put(words, hash);
  }

  /**
   * Sets all bits that are set in {@code others}, the words from {@code start}, a multiple of
   * {@link #WORDS_PER_LINE}, on. Safe while other threads put; the caller holds no stripe.
   */
  public abstract void merge(Words words, Stripes stripes, long start, Words others);

  /** Merges word by word, each with an atomic OR. */
  public static void mergeScattered(Words words, long start, Words others) {
    int run;
    for (long done = 0; done < others.count(); done += run) {
      run = words.run(start + done, start + others.run(done, others.count()) + done);
      long[] mine = words.segment(start + done);
      long[] theirs = others.segment(done);
      int to = words.at(start + done);
      int from = others.at(done);
      for (int i = 0; i < run; i++) {
        SharedWords.or(mine, to + i, theirs[from + i]);
      }
    }
  }

  /** Merges block by block under the block's stripe; blocks that miss no bit are not written. */
  public static void mergeBlocks(
      Words words, Stripes stripes, long start, Words others, int wordsPerBlock) {
    for (long done = 0; done < others.count(); done += wordsPerBlock) {
      long[] mine = words.segment(start + done);
      long[] theirs = others.segment(done);
      int to = words.at(start + done);
      int from = others.at(done);
      if (isMissing(mine, to, theirs, from, wordsPerBlock)) {
        int stripe = stripes.of((start + done) / wordsPerBlock);
        stripes.lock(stripe);
        try {
          for (int i = 0; i < wordsPerBlock; i++) {
            mine[to + i] |= theirs[from + i];
          }
        } finally {
          stripes.unlock(stripe);
        }
      }
    }
  }

  private static boolean isMissing(long[] mine, int to, long[] theirs, int from, int words) {
    long missing = 0;
    for (int i = 0; i < words; i++) {
      missing |= theirs[from + i] & ~mine[to + i];
    }
    return missing != 0;
  }
}
