package dev.tamis.internal.bits;

import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Where the bits of a key lie in the words of a filter, and how to set and test them.
 *
 * <p>Bit i of the filter is bit {@code i & 63} of word {@code i >>> 6}. A key has {@link #probes()}
 * positions, each a pure function of its hash, some of which may coincide.
 *
 * <p>{@link #put} is for one thread at a time. Where several threads put, each holds the {@link
 * Stripes} of its key ({@link #lock}) and calls {@link #putLocked}.
 */
public abstract class Placement {

  /*
   * put and mightContain are written once for each placement, because they are the hot loops.
   * Everything else goes through position(), which is the definition that the loops must agree with
   * (a test compares them).
   *
   * Several threads. A put looks first and returns false if all bits are set. Otherwise it takes the
   * stripes of its key, looks again and sets the bits, and returns true if it found one missing.
   * Lookups take no stripe. Bits are only ever set (but for clear(), which holds all stripes), so
   * whoever has seen all bits of a key set may say so without a lock.
   *
   * Which stripe belongs to a key is a function of its hash, so puts of one key exclude each other.
   * The first that finds a bit missing returns true and has set all bits when it gives the stripe
   * back; every later one finds them set. So of all puts of a key exactly one returns true, unless
   * the other keys had set all its bits by the time the first of them looked with the stripe held:
   * then all return false, a false positive with the probability that the filter as full as it is
   * at that moment has for any key. No key is lost otherwise, so expectedWrongDrops holds as for one
   * thread.
   *
   * In a blocked placement the stripe is that of the line (of both lines, in ascending order, where
   * a key has two), so whoever writes a word is alone with it and uses plain stores, in vectors too.
   * Each put takes effect at one moment, as if all puts came one after the other.
   *
   * In a scattered placement a key has bits in too many places for that. Its stripe, chosen by the
   * hash, only keeps other puts of the same key away; puts of others write the same words meanwhile,
   * so each bit goes in by an atomic OR, and the put returns true if it read one missing. Puts of
   * different keys that share bits and overlap in time may then all return true where in any order
   * one after the other one of them would have been a false positive: never fewer are new.
   *
   * What a put wrote is visible to whoever learns that it returned, since giving a stripe back is a
   * release and lookups begin with an acquire fence.
   */

  /** The words of a cache line. */
  static final int WORDS_PER_LINE = 8;

  /** The bits of a cache line. */
  public static final int BITS_PER_LINE = WORDS_PER_LINE * Long.SIZE;

  /** Hashes whose memory is prefetched together: more than a core can have under way. */
  public static final int BATCH = 32;

  /** For placements of other packages of core too: foreign formats have their own. */
  protected Placement() {}

  /** Returns how many positions a key has: k. */
  public abstract int probes();

  /**
   * Returns the position, in bits from the start of the filter, of probe {@code probe} of a key.
   */
  public abstract long position(long hash, int probe);

  /**
   * Reads the memory that the bits of a key lie in, so that it is at hand for what follows. Without
   * a branch on what is read, so that several keys wait together.
   *
   * @return something that depends on the words read, which keeps the reads from being left out
   */
  public abstract long prefetch(Words words, long hash);

  /** Sets the bits of a key and returns whether any was zero. */
  public abstract boolean put(Words words, long hash);

  /** Returns whether all bits of a key are set. */
  public abstract boolean mightContain(Words words, long hash);

  /**
   * Does what {@link #mightContain(Words, long)} does without a branch on what is read, where that
   * fetches memory together: for keys that are going to be put.
   */
  public boolean mightContainBranchless(Words words, long hash) {
    return mightContain(words, hash);
  }

  /**
   * Looks at a few bits of a key without a branch on what is read, so that several filters are
   * looked at together.
   *
   * @return 0 if one of them is zero, so that the key is missing, otherwise 1
   */
  public long peek(Words words, long hash) {
    return mightContain(words, hash) ? 1 : 0;
  }

  /**
   * Answers for the hashes from index {@code from} up to {@code to}, exclusive, with their memory
   * fetched together; a few dozen at a time are enough.
   *
   * @param answers where the answers go, at the same indices
   */
  public void mightContain(Words words, long[] hashes, int from, int to, boolean[] answers) {
    prefetch(words, hashes, from, to, answers);
    for (int i = from; i < to; i++) {
      answers[i] = mightContain(words, hashes[i]);
    }
  }

  /**
   * Does what {@link #mightContain(Words, long)} does for the first {@code count} hashes, batch by
   * batch, while other threads put.
   *
   * @throws IndexOutOfBoundsException if an array is shorter than {@code count}
   */
  public final void mightContainBatch(Words words, long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += BATCH) {
      VarHandle.acquireFence();
      mightContain(words, hashes, from, Math.min(count, from + BATCH), answers);
      VarHandle.acquireFence();
    }
  }

  /**
   * Reads the memory of several keys.
   *
   * @param scratch what is written there keeps the reads from being left out
   */
  public final void prefetch(Words words, long[] hashes, int from, int to, boolean[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i] = prefetch(words, hashes[i]) != 0;
    }
  }

  /**
   * Returns the probability that all bits of a random key are set, given the bits as they are.
   * Costs one pass.
   */
  public abstract double fpp(Words words);

  /**
   * Takes the stripes of a key.
   *
   * @return what {@link #unlock} needs; the low half is the index of a stripe that is held
   */
  public long lock(Stripes stripes, long hash) {
    int stripe = stripes.of(stripeIndex(hash));
    stripes.lock(stripe);
    return stripe;
  }

  /** Gives the stripes back that {@link #lock} took. */
  public void unlock(Stripes stripes, long locked) {
    stripes.unlock((int) locked);
  }

  /**
   * Puts a key among other threads that do the same, and counts it in a stripe if it was missing.
   *
   * @return whether it was missing
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

  /** Returns the number whose stripe a key has. */
  public abstract long stripeIndex(long hash);

  /**
   * Sets the bits of a key, whose stripes the caller holds, and returns whether any was zero.
   * Threads that hold other stripes may do the same.
   */
  public boolean putLocked(Words words, long hash) {
    return put(words, hash);
  }

  /**
   * Sets all bits that are set in {@code others}, which are the words from {@code start} on. Other
   * threads may put meanwhile; the caller holds no stripe.
   *
   * @param start a multiple of {@link #WORDS_PER_LINE}
   */
  public abstract void merge(Words words, Stripes stripes, long start, Words others);

  /** Merges word by word, atomically, for placements that set bits by an atomic OR. */
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

  /**
   * Merges block by block, each with the stripe of its index held; blocks that lack nothing are not
   * written.
   */
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
