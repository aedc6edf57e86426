package dev.tamis.internal.bits;

import java.util.Locale;

/** Rejects sizes that the heap cannot hold, with the numbers, before anything is allocated. */
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
}
