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
 * <p>Refers to a module that is not always there, so nothing refers to it but {@link LineKernel},
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

  /*
   * Written out for lines of one and of two vectors, since a method of this length is compiled by
   * itself: as a part of a caller with many nodes, the compiler gave up on single vector operations,
   * and a put took thirty times as long (two threads, bench/peers threads).
   */
  @Override
  public boolean putConcurrent(
      long[] words, int first, long draw, long secondDraw, Stripes stripes, int stripe) {
    LongVector shifts = LongVector.fromArray(SPECIES, SHIFTS, 0);
    LongVector fields = LongVector.broadcast(SPECIES, draw).lanewise(LSHR, shifts);
    LongVector second = LongVector.broadcast(SPECIES, secondDraw).lanewise(LSHR, shifts);
    LongVector one = LongVector.broadcast(SPECIES, 1);
    LongVector bits = one.lanewise(LSHL, fields).or(one.lanewise(LSHL, second));
    LongVector before = LongVector.fromArray(SPECIES, words, first);
    boolean isMissing = bits.lanewise(AND_NOT, before).compare(NE, 0).anyTrue();
    if (SPECIES.length() == WORDS) {
      if (!isMissing) {
        return false;
      }
      boolean isNew = false;
      stripes.lock(stripe);
      try {
        before = LongVector.fromArray(SPECIES, words, first);
        before.or(bits).intoArray(words, first);
        isNew = bits.lanewise(AND_NOT, before).compare(NE, 0).anyTrue();
      } finally { // before it is compiled it allocates, which may fail
        stripes.unlock(stripe, isNew ? 1 : 0);
      }
      return isNew;
    }
    int middle = first + SPECIES.length();
    LongVector laterShifts = LongVector.fromArray(SPECIES, SHIFTS, SPECIES.length());
    LongVector laterFields = LongVector.broadcast(SPECIES, draw).lanewise(LSHR, laterShifts);
    LongVector laterSecond = LongVector.broadcast(SPECIES, secondDraw).lanewise(LSHR, laterShifts);
    LongVector laterBits = one.lanewise(LSHL, laterFields).or(one.lanewise(LSHL, laterSecond));
    LongVector laterBefore = LongVector.fromArray(SPECIES, words, middle);
    if (!isMissing && !laterBits.lanewise(AND_NOT, laterBefore).compare(NE, 0).anyTrue()) {
      return false;
    }
    boolean isNew = false;
    stripes.lock(stripe);
    try {
      before = LongVector.fromArray(SPECIES, words, first);
      before.or(bits).intoArray(words, first);
      laterBefore = LongVector.fromArray(SPECIES, words, middle);
      laterBefore.or(laterBits).intoArray(words, middle);
      isNew =
          bits.lanewise(AND_NOT, before).compare(NE, 0).anyTrue()
              || laterBits.lanewise(AND_NOT, laterBefore).compare(NE, 0).anyTrue();
    } finally {
      stripes.unlock(stripe, isNew ? 1 : 0);
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
  public boolean isShort() {
    return true;
  }
}
