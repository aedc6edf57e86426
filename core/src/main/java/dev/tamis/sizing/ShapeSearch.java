package dev.tamis.sizing;

import dev.tamis.internal.hashes.HashCollisions;
import java.util.Locale;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Finds shapes of one layout by inverting their fpp: in bits, in hashes and in keys. */
final class ShapeSearch {

  /** The share of the classic size that a search starts with; blocked layouts need more. */
  private static final double START = 0.9;

  private final Layout layout;
  private final int[] candidates;

  ShapeSearch(Layout layout, @Nullable Integer hashes) {
    if (hashes != null) {
      layout.requireHashes(hashes);
    }
    this.layout = layout;
    this.candidates = hashes != null ? new int[] {hashes} : allHashes(layout);
  }

  private static int[] allHashes(Layout layout) {
    int[] all = new int[(layout.maxHashes() - layout.minHashes()) / layout.hashStep() + 1];
    for (int i = 0; i < all.length; i++) {
      all[i] = layout.minHashes() + i * layout.hashStep();
    }
    return all;
  }

  /** Returns the smallest shape that holds {@code keys} at {@code fpp} or better. */
  Shape fewestBits(long keys, double fpp) {
    requireMoreThanSharedHashes(keys, fpp);
    Shape best = null;
    int start = nearestToClassic(fpp);
    for (int distance = 0; distance < candidates.length; distance++) {
      best = better(best, keys, fpp, start - distance);
      best = better(best, keys, fpp, start + distance);
    }
    if (best == null) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d keys at fpp %s need more than the %d bits that a filter can have; split the"
                  + " keys over several filters",
              keys,
              FppText.exact(fpp),
              Layout.MAX_BITS));
    }
    return best;
  }

  /** Returns the shape of at most {@code bits} with the lowest fpp at {@code keys}. */
  Shape lowestFpp(long bits, long keys) {
    Shape best = null;
    double bestFpp = Double.POSITIVE_INFINITY;
    for (int hashes : candidates) {
      Shape shape = largest(bits, hashes);
      if (shape != null) {
        double fpp = shape.fpp(keys);
        if (fpp < bestFpp) {
          best = shape;
          bestFpp = fpp;
        }
      }
    }
    if (best == null) {
      throw tooFewBits(bits);
    }
    return best;
  }

  /** Returns the shape of at most {@code bits} that holds the most keys at {@code fpp}. */
  Sizing mostKeys(long bits, double fpp) {
    requireMoreThanSharedHashes(1, fpp);
    Shape best = null;
    long most = 0;
    for (int hashes : candidates) {
      Shape shape = largest(bits, hashes);
      long keys = shape == null ? 0 : shape.keys(fpp);
      if (keys > most) {
        best = shape;
        most = keys;
      }
    }
    if (best == null) {
      throw tooFewBits(bits);
    }
    return new Sizing(best, most, fpp);
  }

  static long mostKeys(Shape shape, double fpp) {
    LongPredicate tooMany = keys -> shape.fpp(keys) > fpp;
    long limit = Math.max(2, shape.halfFullKeys());
    while (!tooMany.test(limit)) {
      limit *= 2;
    }
    return firstTrue(1, limit, tooMany) - 1;
  }

  private @Nullable Shape fewestBits(long keys, double fpp, int hashes) {
    long unit = layout.granularity(hashes);
    long maxUnits = Layout.MAX_BITS / unit;
    long minUnits = (layout.minBits(hashes) + unit - 1) / unit;
    LongPredicate enough = units -> new Shape(layout, units * unit, hashes).fpp(keys) <= fpp;

    double start = START * classicBits(keys, fpp, hashes) / unit;
    if (start > maxUnits) {
      return null;
    }
    long low = Math.max(minUnits, (long) start);
    if (enough.test(low)) {
      return new Shape(layout, unit * firstTrue(minUnits, low, enough), hashes);
    }
    long high = low;
    do {
      if (high == maxUnits) {
        return null;
      }
      high = Math.min(maxUnits, high + high / 4 + 1);
    } while (!enough.test(high));
    return new Shape(layout, unit * firstTrue(low, high, enough), hashes);
  }

  /** Returns the better of {@code best} and a candidate's shape: fewer bits, then fewer hashes. */
  private @Nullable Shape better(@Nullable Shape best, long keys, double fpp, int candidate) {
    if (candidate < 0 || candidate >= candidates.length) {
      return best;
    }
    int hashes = candidates[candidate];
    // blocks and slices only add to the bits of the classic layout, so it may be out of the running
    if (best != null && classicBits(keys, fpp, hashes) > best.bits()) {
      return best;
    }
    Shape shape = fewestBits(keys, fpp, hashes);
    boolean isBetter =
        shape != null
            && (best == null
                || shape.bits() < best.bits()
                || (shape.bits() == best.bits() && hashes < best.hashes()));
    return isBetter ? shape : best;
  }

  /** Returns the index of the candidate nearest to log2(1/p), the best of the classic layout. */
  private int nearestToClassic(double fpp) {
    double classic = -Math.log(fpp) / Math.log(2);
    int nearest = 0;
    for (int i = 1; i < candidates.length; i++) {
      if (Math.abs(candidates[i] - classic) < Math.abs(candidates[nearest] - classic)) {
        nearest = i;
      }
    }
    return nearest;
  }

  private @Nullable Shape largest(long bits, int hashes) {
    long rounded = bits - bits % layout.granularity(hashes);
    return rounded < layout.minBits(hashes) ? null : new Shape(layout, rounded, hashes);
  }

  private static void requireMoreThanSharedHashes(long keys, double fpp) {
    double least = HashCollisions.fpp((double) keys);
    if (fpp <= least) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "fpp must be above %s for %d keys, the chance to share a 64-bit hash, got %s",
              FppText.rounded(least),
              keys,
              FppText.exact(fpp)));
    }
  }

  private IllegalArgumentException tooFewBits(long bits) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a filter of layout %s, which fits the fpp unless another is set, needs more than %d"
                + " bits; layout classic takes any number",
            layout.label(),
            bits));
  }

  /** Returns the first value from {@code low} to {@code high} that is true; the last one is. */
  private static long firstTrue(long low, long high, LongPredicate predicate) {
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (predicate.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Returns −k·n / ln(1 − p^(1/k)): the bits of a classic filter with k hashes. */
  private static double classicBits(long keys, double fpp, int hashes) {
    return -(double) hashes * keys / Math.log1p(-Math.pow(fpp, 1.0 / hashes));
  }
}
