package dev.tamis.internal.bits;

import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Allocates large arrays, and rejects with the numbers what the heap cannot hold.
 *
 * <p>What it could not hold even when empty is rejected before anything is allocated.
 */
public final class HeapLimit {

  private HeapLimit() {}

  /**
   * Checks that this JVM can allocate an array of so many bytes for a filter.
   *
   * @throws IllegalArgumentException if the heap could not hold it even when empty
   */
  public static void check(long bytes) {
    check(bytes, "filter", "fewer keys or a higher fpp");
  }

  /**
   * Does the same for something else.
   *
   * @param what what the array is for
   * @param less what to request instead
   */
  public static void check(long bytes, String what, String less) {
    long limit = Runtime.getRuntime().maxMemory();
    if (bytes > limit) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the %s needs %d bytes, this JVM's heap has at most %d: raise it with -Xmx, or ask"
                  + " for %s",
              what,
              bytes,
              limit,
              less));
    }
  }

  /**
   * Returns so many zeros.
   *
   * @throws IllegalArgumentException if the heap has no room for them now
   */
  public static long[] longs(int count) {
    return allocate(count, Long.BYTES, long[]::new);
  }

  /** Does what {@link #longs} does. */
  public static int[] ints(int count) {
    return allocate(count, Integer.BYTES, int[]::new);
  }

  /** Does what {@link #longs} does. */
  public static byte[] bytes(int count) {
    return allocate(count, 1, byte[]::new);
  }

  private static <A> A allocate(int count, long itemBytes, IntFunction<A> allocation) {
    try {
      return allocation.apply(count);
    } catch (OutOfMemoryError e) { // thrown by this one allocation, which leaves nothing behind
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the filter needs %d bytes more than this JVM's heap of at most %d has left: raise it"
                  + " with -Xmx, or ask for fewer keys or a higher fpp",
              count * itemBytes,
              Runtime.getRuntime().maxMemory()),
          e);
    }
  }
}
