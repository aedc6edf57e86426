package dev.tamis.internal.bits;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * Allocates large arrays, with messages that say what the heap can hold.
 *
 * <p>Arrays larger than the empty heap are rejected before anything is allocated.
 */
public final class HeapLimit {

  private HeapLimit() {}

  /**
   * Checks that this JVM can allocate an array of {@code bytes} for a filter.
   *
   * @throws IllegalArgumentException if the heap could not hold it even when empty
   */
  public static void check(long bytes) {
    check(bytes, "filter", "fewer keys or a higher fpp");
  }

  /**
   * Checks that this JVM can allocate an array of {@code bytes}.
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
   * Returns an array of zeros.
   *
   * @throws IllegalArgumentException if the heap has no room for them now
   */
  public static long[] longs(int count) {
    return allocate((long) count * Long.BYTES, () -> new long[count]);
  }

  /** Does what {@link #longs} does. */
  public static int[] ints(int count) {
    return allocate((long) count * Integer.BYTES, () -> new int[count]);
  }

  /** Does what {@link #longs} does. */
  public static byte[] bytes(int count) {
    return allocate(count, () -> new byte[count]);
  }

  /**
   * Returns the result of {@code allocation}.
   *
   * @param bytes what it takes
   * @param allocation does nothing but allocate, so that nothing is left behind where it fails
   * @throws IllegalArgumentException if the heap has no room for it now
   */
  static <A> A allocate(long bytes, Supplier<A> allocation) {
    try {
      return allocation.get();
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the filter needs %d bytes more than this JVM's heap of at most %d has left: raise it"
                  + " with -Xmx, or ask for fewer keys or a higher fpp",
              bytes,
              Runtime.getRuntime().maxMemory()),
          e);
    }
  }
}
