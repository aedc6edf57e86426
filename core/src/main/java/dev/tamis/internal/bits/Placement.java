package dev.tamis.internal.bits;

/**
 * Where the bits of a key lie in an array of words, and how to set and test them.
 *
 * <p>The arrays are {@link LineWords}: bit i of the filter is bit {@code i & 63} of word {@code
 * LineWords.FIRST + (i >>> 6)}. A key has {@link #probes()} positions, each a pure function of its
 * hash, some of which may coincide. {@link #put} and {@link #mightContain} are for one thread at a
 * time; {@link #putShared} and {@link #mightContainShared} are for any number of threads at once
 * and must not be mixed with the former while threads race.
 */
public abstract class Placement {

  /*
   * put and mightContain are written once for each placement, because they are the hot loops.
   * Everything else goes through position(), which is the definition that the loops must agree with
   * (a test compares them).
   *
   * The shared put promises that of all puts of one key at most one returns true, without a lock.
   * The bits of a key have a fixed order, here that of its probes. A put looks for the
   * highest-ordered one that is missing, the deciding bit. It ORs in the others first and the
   * deciding bit last, and returns true only if its own OR flipped the deciding bit. (Bits of one
   * word may go in by one OR; a subclass may choose another order, the same for every put.)
   *
   * Why no two puts of one key both return true: let them decide by bits a and b. If a = b, only
   * one of them flipped it, since bits are never cleared. Otherwise let b be the higher. The put
   * that decides by a saw b set, so the other put had already flipped b, and b was its last: all
   * bits of the key were set by then, a among them. So the first put cannot have flipped a.
   *
   * A put may find that its deciding bit was flipped in between by another key. Then no put of its
   * key returns true, exactly as when that other key had come a moment earlier: a false positive.
   */

  /** The words of a cache line, which blocked placements keep to. */
  static final int WORDS_PER_LINE = 8;

  /** The bits of a cache line. */
  static final int BITS_PER_LINE = WORDS_PER_LINE * Long.SIZE;

  /** Only this package defines placements. */
  Placement() {}

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
  public abstract long touch(long[] words, long hash);

  /** Sets the bits of a key and returns whether any was zero. */
  public abstract boolean put(long[] words, long hash);

  /** Returns whether all bits of a key are set. */
  public abstract boolean mightContain(long[] words, long hash);

  /** Returns whether all bits of a key are set in words that lie in buffers. */
  public boolean mightContain(BufferWords words, long hash) {
    int probes = probes();
    for (int probe = 0; probe < probes; probe++) {
      long bit = position(hash, probe);
      if ((words.get(bit >>> 6) & (1L << bit)) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Puts the hashes from index {@code from} up to {@code to}, exclusive, one after the other, with
   * their memory fetched together; a few dozen at a time are enough.
   *
   * @param isNew where the answers go, at the same indices
   * @return how many were new
   */
  public int put(long[] words, long[] hashes, int from, int to, boolean[] isNew) {
    touch(words, hashes, from, to, isNew);
    int count = 0;
    for (int i = from; i < to; i++) {
      isNew[i] = put(words, hashes[i]);
      count += isNew[i] ? 1 : 0;
    }
    return count;
  }

  /** Answers for the hashes from {@code from} up to {@code to} in the same way. */
  public void mightContain(long[] words, long[] hashes, int from, int to, boolean[] answers) {
    touch(words, hashes, from, to, answers);
    for (int i = from; i < to; i++) {
      answers[i] = mightContain(words, hashes[i]);
    }
  }

  /**
   * Reads the memory of several keys.
   *
   * @param scratch what is written there keeps the reads from being left out
   */
  public final void touch(long[] words, long[] hashes, int from, int to, boolean[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i] = touch(words, hashes[i]) != 0;
    }
  }

  /**
   * Returns the probability that all bits of a random key are set, given the bits as they are.
   * Costs one pass.
   */
  public abstract double fpp(long[] words);

  /** Does what {@link #fpp(long[])} does for words that lie in buffers, with the same result. */
  public abstract double fpp(BufferWords words);

  /** Returns this placement with {@link #putShared} and {@link #mightContainShared} for all. */
  public final Placement shared() {
    return new SharedPlacement(this);
  }

  /**
   * Sets the bits of a key, while other threads may do the same with any key, and returns true if
   * the key was certainly new. Of all calls for one hash at most one returns true.
   */
  boolean putShared(long[] words, long hash) {
    int deciding = lastMissing(words, hash);
    if (deciding < 0) {
      return false;
    }
    long decidingBit = position(hash, deciding);
    for (int probe = 0; probe < deciding; probe++) {
      long bit = position(hash, probe);
      if (bit != decidingBit) {
        setShared(words, bit);
      }
    }
    return setShared(words, decidingBit);
  }

  /** Returns whether all bits of a key are set, while other threads may be setting some. */
  boolean mightContainShared(long[] words, long hash) {
    int probes = probes();
    for (int probe = 0; probe < probes; probe++) {
      if (!isSetShared(words, position(hash, probe))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the highest probe whose bit is zero, or −1 if all are set. */
  private int lastMissing(long[] words, long hash) {
    for (int probe = probes() - 1; probe >= 0; probe--) {
      if (!isSetShared(words, position(hash, probe))) {
        return probe;
      }
    }
    return -1;
  }

  /** Returns the index of the word that a bit of the filter lies in. */
  public static int wordOf(long bit) {
    return LineWords.FIRST + (int) (bit >>> 6);
  }

  private static boolean isSetShared(long[] words, long bit) {
    return (SharedWords.get(words, wordOf(bit)) & (1L << bit)) != 0;
  }

  /** Sets a bit and returns whether this call flipped it. */
  private static boolean setShared(long[] words, long bit) {
    return SharedWords.or(words, wordOf(bit), 1L << bit) != 0;
  }
}
