package dev.tamis.sizing;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A shape together with the keys it is meant for and the fpp it has when they are in.
 *
 * <p>Any two of keys, fpp, bits and hashes give the rest, except fpp with hashes, which fixes only
 * the bits a key:
 *
 * <pre>{@code
 * Sizing.ask().expectedKeys(1_000_000_000).fpp(1e-4).layout(Layout.CLASSIC).answer().shape().bits();
 * Sizing.ask().bits(8L << 30).fpp(0.01).answer().expectedKeys();
 * }</pre>
 *
 * @param shape the layout, its bits and hashes
 * @param expectedKeys n, the distinct keys it is meant for
 * @param fpp p, the false-positive probability asked for, or had, when they are all in
 */
public record Sizing(Shape shape, long expectedKeys, double fpp) {

  /** Checks the ranges. */
  public Sizing {
    requireNonNull(shape, "shape");
    Checks.expectedKeys(expectedKeys);
    if (!(fpp > 0 && fpp <= 1)) { // an overfull filter may have 1; written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1], got " + fpp);
    }
  }

  /** Starts a question. */
  public static Question ask() {
    return new Question();
  }

  /** Returns c = m/n, the bits for each expected key. */
  public double bitsPerKey() {
    return (double) shape.bits() / expectedKeys;
  }

  /** What is known of a filter. Each setter checks its own value, {@link #answer} the whole. */
  public static final class Question {
    private static final double LN2 = Math.log(2);

    private @Nullable Layout layout;
    private @Nullable Long expectedKeys;
    private @Nullable Double fpp;
    private @Nullable Long bits;
    private @Nullable Integer hashes;

    private Question() {}

    /** Sets the layout; without it, the blocked one that fits the fpp. */
    public Question layout(Layout layout) {
      this.layout = requireNonNull(layout, "layout");
      return this;
    }

    /** Sets n, the distinct keys expected; at least 1. */
    public Question expectedKeys(long expectedKeys) {
      Checks.expectedKeys(expectedKeys);
      this.expectedKeys = expectedKeys;
      return this;
    }

    /** Sets p, the false-positive probability wanted once all keys are in; between 0 and 1. */
    public Question fpp(double fpp) {
      Checks.fpp(fpp);
      this.fpp = fpp;
      return this;
    }

    /** Sets m, the most bits the filter may have; 1 to {@link Layout#MAX_BITS}. */
    public Question bits(long bits) {
      Checks.bits(bits);
      this.bits = bits;
      return this;
    }

    /** Sets k, the hashes of a key; in the layout's range. */
    public Question hashes(int hashes) {
      Checks.hashes(hashes);
      this.hashes = hashes;
      return this;
    }

    /**
     * Returns the sizing that fits what is known.
     *
     * @throws IllegalStateException if that is too little or contradicts itself
     * @throws IllegalArgumentException if no filter can be so
     */
    public Sizing answer() {
      if (expectedKeys != null && fpp != null && bits != null) {
        throw new IllegalStateException(
            "expectedKeys, fpp and bits say the same thing twice: leave one of them out");
      }
      if (expectedKeys != null && fpp != null) {
        return new Sizing(search(fpp).fewestBits(expectedKeys, fpp), expectedKeys, fpp);
      }
      if (bits != null && fpp != null) {
        return search(fpp).mostKeys(bits, fpp);
      }
      if (bits != null && expectedKeys != null) {
        return filledTo(
            expectedKeys, layoutWithin(bits, expectedKeys).lowestFpp(bits, expectedKeys));
      }
      if (bits != null && hashes != null) {
        Shape shape = new ShapeSearch(known(layout), hashes).lowestFpp(bits, 1);
        return filledTo(shape.halfFullKeys(), shape);
      }
      if (expectedKeys != null && hashes != null) {
        return halfFull(known(layout), expectedKeys, hashes);
      }
      throw new IllegalStateException(
          "need two of expectedKeys, fpp, bits and hashes (and not just fpp and hashes)");
    }

    private ShapeSearch search(double fpp) {
      return new ShapeSearch(layout != null ? layout : Layout.forFpp(fpp), hashes);
    }

    private ShapeSearch layoutWithin(long bits, long keys) {
      if (layout != null || hashes != null) {
        return new ShapeSearch(known(layout), hashes);
      }
      double fpp = new ShapeSearch(Layout.SPLIT, null).lowestFpp(bits, keys).fpp(keys);
      Layout fitting = fpp < 1 ? Layout.forFpp(Math.max(Double.MIN_NORMAL, fpp)) : Layout.LINE;
      // the two lines of a key need two lines to be there
      Layout possible = bits < fitting.minBits(fitting.minHashes()) ? Layout.SPLIT : fitting;
      return new ShapeSearch(possible, null);
    }

    private static Sizing halfFull(Layout layout, long keys, int hashes) {
      layout.requireHashes(hashes);
      double half = (double) keys * hashes / LN2;
      double unit = (double) layout.granularity(hashes);
      double bits = Math.max((double) layout.minBits(hashes), Math.ceil(half / unit) * unit);
      Checks.bits((long) bits);
      return filledTo(keys, new Shape(layout, (long) bits, hashes));
    }

    private static Sizing filledTo(long keys, Shape shape) {
      return new Sizing(shape, keys, shape.fpp(keys));
    }

    private static Layout known(@Nullable Layout layout) {
      if (layout == null) {
        throw new IllegalStateException("hashes without expectedKeys and fpp need a layout");
      }
      return layout;
    }
  }
}
