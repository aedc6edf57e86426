package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.internal.bits.Words;

/** What follows from where a format puts its bits: the fpp, and how many keys set them. */
interface Geometry {

  long bits();

  double fpp(Words words);

  /** Returns the expected fpp by the number of distinct keys. */
  double fppAt(long keys);

  /** Returns the number of set bits among those that can be set. */
  long setBits(Words words);

  /** Estimates the distinct keys from the set bits. */
  Estimate keys(long setBits, Confidence confidence);

  /** Estimates the overlap from the set bits of two filters and of their union. */
  Overlap overlap(long inFirst, long inSecond, long inUnion, Confidence confidence);
}
