package dev.tamis.internal;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops over a line in vectors: one of eight lanes, or two of four.
 *
 * <p>Refers to a module that is not always there, so nothing refers to it but {@link LineKernels},
 * by name.
 */
final class VectorLineKernel implements LineKernel {

  private static final VectorSpecies<Long> SPECIES =
      LongVector.SPECIES_PREFERRED.length() >= WORDS
          ? LongVector.SPECIES_512
          : LongVector.SPECIES_256;

  private static final long[] SHIFTS = new long[WORDS];

  static {
    for (int i = 0; i < WORDS; i++) {
      SHIFTS[i] = TOP_FIELD - FIELD * i;
    }
  }

  /** Refuses where vectors are too short to be faster. */
  VectorLineKernel() {
    if (LongVector.SPECIES_PREFERRED.length() < SPECIES.length()) {
      throw new IllegalStateException("needs 256 bits, got " + LongVector.SPECIES_PREFERRED);
    }
  }

  @Override
  public boolean put(long[] words, int first, long draw) {
    boolean isNew = false;
    for (int i = 0; i < WORDS; i += SPECIES.length()) { // one round, or two: unrolled
      isNew |= put(words, first + i, bits(draw, i));
    }
    return isNew;
  }

  @Override
  public boolean put(long[] words, int first, long draw, long secondDraw) {
    boolean isNew = false;
    for (int i = 0; i < WORDS; i += SPECIES.length()) {
      isNew |= put(words, first + i, bits(draw, i).or(bits(secondDraw, i)));
    }
    return isNew;
  }

  @Override
  public boolean mightContain(long[] words, int first, long draw) {
    boolean isMissing = false;
    for (int i = 0; i < WORDS; i += SPECIES.length()) {
      isMissing |= isMissing(bits(draw, i), LongVector.fromArray(SPECIES, words, first + i));
    }
    return !isMissing;
  }

  @Override
  public boolean isShort() {
    return true;
  }

  private static boolean put(long[] words, int start, LongVector bits) {
    LongVector before = LongVector.fromArray(SPECIES, words, start);
    before.or(bits).intoArray(words, start);
    return isMissing(bits, before);
  }

  private static boolean isMissing(LongVector bits, LongVector words) {
    return bits.lanewise(VectorOperators.AND_NOT, words).compare(VectorOperators.NE, 0).anyTrue();
  }

  /** Returns the bit in each word from {@code word} on; a shift looks at the low six bits. */
  private static LongVector bits(long draw, int word) {
    LongVector fields =
        LongVector.broadcast(SPECIES, draw)
            .lanewise(VectorOperators.LSHR, LongVector.fromArray(SPECIES, SHIFTS, word));
    return LongVector.broadcast(SPECIES, 1).lanewise(VectorOperators.LSHL, fields);
  }
}
