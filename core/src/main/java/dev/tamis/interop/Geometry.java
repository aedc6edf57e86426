package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlap;
import dev.tamis.internal.bits.Words;

/** What follows from where a format puts its bits: the fpp, and how many keys set them. */
interface Geometry {

  /** Returns m, the length of the array in bits. */
  long bits();

  /** Returns the fpp of these bits. */
  double fpp(Words words);

  /** Returns the expected fpp by the number of distinct keys. */
  double fppAt(long keys);

  /** Returns how many of the bits that can be set are set. */
  long setBits(Words words);

  /** Returns an estimate of the distinct keys from the set bits. */
  Estimate keys(long setBits, Confidence confidence);

  /** Returns the overlap of two filters, from their set bits and those of the union. */
  Overlap overlap(long inFirst, long inSecond, long inUnion, Confidence confidence);
}
