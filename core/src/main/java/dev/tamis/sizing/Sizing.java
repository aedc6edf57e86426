package dev.tamis.sizing;

import static java.util.Objects.requireNonNull;

import dev.tamis.Sized;
import org.jspecify.annotations.Nullable;

/**
 * A shape, the keys it is meant for, and the fpp at that capacity.
 *
 * <p>Any two of keys, fpp, bits and hashes give the rest, except fpp with hashes, which fixes only
 * the bits per key:
 *
 * <pre>{@code
 * Sizing.builder().expectedKeys(1_000_000_000).fpp(1e-4).layout(Layout.CLASSIC).solve().shape().bits();
 * Sizing.builder().bits(8L << 30).fpp(0.01).solve().expectedKeys();
 * }</pre>
 *
 * @param shape the layout, its bits and hashes
 * @param expectedKeys n, the distinct keys it is meant for
 * @param fpp p, the false-positive probability at capacity, as requested or as computed
 */
public record Sizing(Shape shape, long expectedKeys, double fpp) implements Sized {

  /** Checks the ranges. */
  public Sizing {
    requireNonNull(shape, "shape");
    Checks.expectedKeys(expectedKeys);
    if (!(fpp > 0 && fpp <= 1)) { // an overfull filter may have 1; written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1], got " + FppText.exact(fpp));
    }
  }

  /** Returns a builder of sizings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns c = m/n, the bits for each expected key. */
  public double bitsPerKey() {
    return (double) shape.bits() / expectedKeys;
  }

  /** The values given. Each setter checks its own value, {@link #solve} their combination. */
  public static final class Builder {
    private static final double LN2 = Math.log(2);

    private @Nullable Layout layout;
    private @Nullable Long expectedKeys;
    private @Nullable Double fpp;
    private @Nullable Long bits;
    private @Nullable Integer hashes;

    private Builder() {}

    /** Sets the layout (default: the blocked one that fits the fpp). */
    public Builder layout(Layout layout) {
      this.layout = requireNonNull(layout, "layout");
      return this;
    }

    /** Sets n, the distinct keys expected; at least 1. */
    public Builder expectedKeys(long expectedKeys) {
      Checks.expectedKeys(expectedKeys);
      this.expectedKeys = expectedKeys;
      return this;
    }

    /** Sets p, the requested false-positive probability at capacity; between 0 and 1. */
    public Builder fpp(double fpp) {
      Checks.fpp(fpp);
      this.fpp = fpp;
      return this;
    }

    /** Sets m, the most bits the filter may have; 1 to {@link Layout#MAX_BITS}. */
    public Builder bits(long bits) {
      Checks.bits(bits);
      this.bits = bits;
      return this;
    }

    /** Sets k, the hashes of a key; in the layout's range. */
    public Builder hashes(int hashes) {
      Checks.hashes(hashes);
      this.hashes = hashes;
      return this;
    }

    /**
     * Solves for the values that are not given.
     *
     * @throws IllegalStateException if too few values are given, or too many
     * @throws IllegalArgumentException if no filter satisfies these constraints
     */
    public Sizing solve() {
      if (expectedKeys != null && fpp != null && bits != null) {
        throw new IllegalStateException(
            "expectedKeys, fpp and bits are over-determined: give two of the three");
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
      // a pair needs two lines
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
