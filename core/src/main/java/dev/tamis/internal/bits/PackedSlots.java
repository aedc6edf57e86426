package dev.tamis.internal.bits;

/**
 * A row of slots of a few bits each, packed without gaps: slot i is bits w·i to w·i + w − 1 of the
 * words.
 *
 * <p>Bit b is bit {@code b & 63} of word {@code b >>> 6}, so a slot may straddle two words. Indexes
 * and values are trusted. One thread at a time may write; others may read meanwhile what it does
 * not change, the other slots of a word that it writes among them.
 */
public final class PackedSlots {

  /** The most bits a slot has. */
  public static final int MAX_WIDTH = Integer.SIZE;

  /** The most bits of all slots together. */
  public static final long MAX_BITS = Words.MAX_COUNT * Long.SIZE;

  /*
   * A slot is read without testing whether it straddles two words: the word of its last bit,
   * shifted left by what the first word has below the slot, puts the rest of the slot where it
   * belongs. If that is the same word, what it adds is above the slot (or is the slot itself, where
   * the shift is 0) and the mask removes it. In the cache that is a third faster than a branch, and
   * unlike the usual form it needs no padding word after the last.
   */

  private final int width;
  private final long mask;
  private final long slots;
  private final Words words;

  /** Creates {@code slots} zeros of {@code width} bits; throws if out of range or heap. */
  public PackedSlots(long slots, int width) {
    this.words = Words.allocate(words(slots, width));
    this.width = width;
    this.mask = -1L >>> -width;
    this.slots = slots;
  }

  /** Returns the number of words: ⌈slots · width / 64⌉; throws if an argument is out of range. */
  public static long words(long slots, int width) {
    if (width < 1 || width > MAX_WIDTH) {
      throw new IllegalArgumentException("width must be 1 to " + MAX_WIDTH + ", got " + width);
    }
    if (slots < 1 || slots > MAX_BITS / width) {
      throw new IllegalArgumentException(
          "slots of " + width + " bits must be 1 to " + MAX_BITS / width + ", got " + slots);
    }
    return (slots * width + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns slot {@code index}; unsigned, so negative if the top bit of a 32-bit slot is set. */
  public int get(long index) {
    long first = index * width;
    long last = first + width - 1;
    return slot(words.get(first >>> 6), words.get(last >>> 6), first, mask);
  }

  /**
   * Returns the slot that begins with bit {@code first} of the word {@code low}, and ends in {@code
   * high}, which may be the same word; {@code mask} has the lowest w bits set.
   */
  public static int slot(long low, long high, long first, long mask) {
    return (int) ((low >>> first | high << -first) & mask);
  }

  /** Returns {@code count} slots, at most 64 bits, from {@code index} on, the first one lowest. */
  public long getTogether(long index, int count) {
    int bits = count * width;
    long first = index * width;
    long last = first + bits - 1;
    long low = words.get(first >>> 6) >>> first;
    long high = words.get(last >>> 6) << -first;
    return (low | high) & (-1L >>> -bits);
  }

  /** Sets slot {@code index} to the lowest w bits of {@code value}. */
  public void set(long index, int value) {
    long bits = value & mask;
    long bit = index * width;
    long first = bit >>> 6;
    long last = (bit + width - 1) >>> 6;
    words.set(first, (words.get(first) & ~(mask << bit)) | (bits << bit));
    if (last != first) {
      words.set(last, (words.get(last) & ~(mask >>> -bit)) | (bits >>> -bit));
    }
  }

  public long slots() {
    return slots;
  }

  /** Returns w, the bits of a slot. */
  public int width() {
    return width;
  }

  /** Returns the words, for reading and writing them whole; bits past the last slot are zero. */
  public Words words() {
    return words;
  }

  /** Returns whether the bits past the last slot are zero, as they are unless they were read. */
  public boolean endsInZeros() {
    return endsInZeros(slots * width, words.last());
  }

  /** Returns whether the last word is zero past the last of {@code bits}. */
  public static boolean endsInZeros(long bits, long lastWord) {
    long used = bits % Long.SIZE;
    return used == 0 || lastWord >>> used == 0;
  }

  /** Copies all slots of another row of the same shape. */
  public void copyFrom(PackedSlots other) {
    words.copyFrom(other.words);
  }

  public void clear() {
    words.clear();
  }
}
