package dev.tamis.internal.bits;

import java.util.Optional;

/**
 * The inner loops of {@link SplitPlacement} over the eight words of a cache line.
 *
 * <p>A draw holds eight fields of six bits, from the top; field i is the bit of word i. The two
 * implementations, {@link ScalarLineKernel} for any JVM and a vectorized one, set the same bits.
 */
interface LineKernel {

  int WORDS = Placement.WORDS_PER_LINE;

  /** The fastest kernel of this JVM; a constant, so that its calls are monomorphic. */
  LineKernel FASTEST = inVectors().orElseGet(ScalarLineKernel::new);

  int FIELD = 6;

  /** The right shift that moves the first field of a draw to the low end. */
  int TOP_FIELD = Long.SIZE - FIELD;

  /** Sets a bit in each of the words from {@code first} on, and returns whether any was zero. */
  boolean put(long[] words, int first, long draw);

  /** Sets two bits in each of the words, which may coincide, and returns whether any was zero. */
  boolean put(long[] words, int first, long draw, long secondDraw);

  /**
   * Puts while other threads put, under the stripe if a bit is missing, and counts there. The draws
   * are equal if a key has one bit per word.
   */
  boolean putConcurrent(
      long[] words, int first, long draw, long secondDraw, Stripes stripes, int stripe);

  /** Returns whether the bit is set in each of the words. */
  boolean mightContain(long[] words, int first, long draw);

  /** Returns whether out-of-order execution overlaps lookups, so that prefetching does not pay. */
  boolean isShort();

  /** Returns the vectorized kernel; empty without the module, or if vectors are too short. */
  private static Optional<LineKernel> inVectors() {
    Optional<Module> vectors = ModuleLayer.boot().findModule("jdk.incubator.vector");
    if (vectors.isEmpty()) {
      return Optional.empty();
    }
    // not required in module-info, because every compilation would then print a warning
    LineKernel.class.getModule().addReads(vectors.get());
    try {
      Class<?> kernel = Class.forName("dev.tamis.internal.bits.VectorLineKernel");
      return Optional.of((LineKernel) kernel.getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }
}
