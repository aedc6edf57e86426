package dev.tamis.internal.bits;

import static jdk.incubator.vector.VectorOperators.AND_NOT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops over a line in vectors: one of eight lanes, or two of four.
 *
 * <p>Refers to a module that is not always there, so nothing refers to it but {@link LineKernels},
 * by name.
 */
final class VectorLineKernel implements LineKernel {

  /*
   * No method takes or returns a vector: deep in a caller the compiler may leave such a call alone,
   * and then it allocates the vector (300 bytes a put, measured). So three lines are written thrice:
   * shift the draw by as much as each field is from the low end, and one by what is there then. A
   * shift looks at the low six bits.
   */

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
      LongVector shifts = LongVector.fromArray(SPECIES, SHIFTS, i);
      LongVector fields = LongVector.broadcast(SPECIES, draw).lanewise(LSHR, shifts);
      LongVector bits = LongVector.broadcast(SPECIES, 1).lanewise(LSHL, fields);
      LongVector before = LongVector.fromArray(SPECIES, words, first + i);
      before.or(bits).intoArray(words, first + i);
      isNew |= bits.lanewise(AND_NOT, before).compare(NE, 0).anyTrue();
    }
    return isNew;
  }

  @Override
  public boolean put(long[] words, int first, long draw, long secondDraw) {
    boolean isNew = false;
    for (int i = 0; i < WORDS; i += SPECIES.length()) {
      LongVector shifts = LongVector.fromArray(SPECIES, SHIFTS, i);
      LongVector fields = LongVector.broadcast(SPECIES, draw).lanewise(LSHR, shifts);
      LongVector second = LongVector.broadcast(SPECIES, secondDraw).lanewise(LSHR, shifts);
      LongVector one = LongVector.broadcast(SPECIES, 1);
      LongVector bits = one.lanewise(LSHL, fields).or(one.lanewise(LSHL, second));
      LongVector before = LongVector.fromArray(SPECIES, words, first + i);
      before.or(bits).intoArray(words, first + i);
      isNew |= bits.lanewise(AND_NOT, before).compare(NE, 0).anyTrue();
    }
    return isNew;
  }

  @Override
  public boolean mightContain(long[] words, int first, long draw) {
    boolean isMissing = false;
    for (int i = 0; i < WORDS; i += SPECIES.length()) {
      LongVector shifts = LongVector.fromArray(SPECIES, SHIFTS, i);
      LongVector fields = LongVector.broadcast(SPECIES, draw).lanewise(LSHR, shifts);
      LongVector bits = LongVector.broadcast(SPECIES, 1).lanewise(LSHL, fields);
      LongVector before = LongVector.fromArray(SPECIES, words, first + i);
      isMissing |= bits.lanewise(AND_NOT, before).compare(NE, 0).anyTrue();
    }
    return !isMissing;
  }

  @Override
  public boolean isMissing(long[] words, int first, long draw) {
    return !mightContain(words, first, draw);
  }

  @Override
  public boolean isShort() {
    return true;
  }
}
