package dev.tamis.internal.bits;

import java.util.Locale;
import java.util.function.Supplier;

/** Allocates large arrays; rejects those larger than the empty heap before allocating anything. */
public final class HeapLimit {

  private HeapLimit() {}

  /** Rejects what the heap could not hold even when empty, by an IllegalArgumentException. */
  public static void check(long bytes) {
    check(bytes, "filter", "fewer keys or a higher fpp");
  }

  /** As {@link #check(long)}, for {@code what}; the message suggests {@code less}. */
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

  /** Returns {@code count} zeros; an IllegalArgumentException if the heap has no room now. */
  public static long[] longs(int count) {
    return allocate((long) count * Long.BYTES, () -> new long[count]);
  }

  public static int[] ints(int count) {
    return allocate((long) count * Integer.BYTES, () -> new int[count]);
  }

  public static byte[] bytes(int count) {
    return allocate(count, () -> new byte[count]);
  }

  /**
   * Runs {@code allocation}, which only allocates, so that a failure leaves nothing behind.
   *
   * @throws IllegalArgumentException if the heap has no room for {@code bytes} more
   */
  static <A> A allocate(long bytes, Supplier<A> allocation) {
    try {
      return allocation.get();
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the filter needs %d more bytes, for which this JVM's heap of at most %d has no room:"
                  + " raise it with -Xmx, or ask for fewer keys or a higher fpp",
              bytes,
              Runtime.getRuntime().maxMemory()),
          e);
    }
  }
}
