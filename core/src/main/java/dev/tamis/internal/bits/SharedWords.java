package dev.tamis.internal.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Access to words that several threads read and set bits in at once. */
public final class SharedWords {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private SharedWords() {}

  /** Returns a word; its writer's earlier writes are visible. */
  public static long get(long[] words, int word) {
    return (long) WORDS.getAcquire(words, word);
  }

  /** Sets the bits of {@code mask} in a word and returns those that were missing. */
  public static long or(long[] words, int word, long mask) {
    // reading first keeps the cache line shared between cores when there is nothing to write
    long missing = ~get(words, word) & mask;
    if (missing != 0) {
      WORDS.getAndBitwiseOr(words, word, missing);
    }
    return missing;
  }
}
