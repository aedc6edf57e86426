package dev.tamis.cli.size;

import dev.tamis.filter.ScalableBloomFilterBuilder;
import dev.tamis.sizing.CuckooSizing;
import dev.tamis.sizing.FppText;
import dev.tamis.sizing.FuseSizing;
import dev.tamis.sizing.Growth;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.RibbonSizing;
import dev.tamis.sizing.WindowSizing;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The sizes of filters other than Bloom filters of fixed size. */
public final class Sizers {

  private static final int ARITY = 3;

  public static final Sizer CUCKOO =
      new SearchingSizer((keys, fpp) -> cost(CuckooSizing.forKeys(keys, fpp).bits(), null));

  public static final Sizer WINDOWED =
      new SearchingSizer(
          (keys, fpp) -> {
            WindowSizing sizing = WindowSizing.builder().window(keys).fpp(fpp).solve();
            return cost(sizing.bits(), sizing.hashes());
          });

  public static final Sizer SCALABLE =
      new SearchingSizer(
          (keys, fpp) ->
              cost(Growth.bits(ScalableBloomFilterBuilder.DEFAULT_INITIAL_KEYS, keys, fpp), null));

  public static final Sizer FUSE =
      new SearchingSizer((keys, fpp) -> cost(fuseBits(keys, fpp, ARITY), null));

  public static final Sizer RIBBON =
      new SearchingSizer((keys, fpp) -> cost((long) Math.ceil(RibbonSizing.bits(keys, fpp)), null));

  private Sizers() {}

  public static long fuseBits(long keys, double fpp, int arity) {
    return FuseSizing.forKeys(keys, arity).slots() * FuseSizing.fingerprintBits(fpp);
  }

  private static SearchingSizer.Cost cost(long bits, @Nullable Integer hashes) {
    if (bits > Layout.MAX_BITS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bits: must be at most %d, got %d; lower the number of keys or raise the fpp",
              Layout.MAX_BITS,
              bits));
    }
    return new SearchingSizer.Cost(bits, hashes);
  }

  /** Inverts by binary search a formula for the bits, which grow with the keys and a lower fpp. */
  record SearchingSizer(Costs costs) implements Sizer {

    /** The search ends at an fpp of 2^-64, which no filter reaches. */
    private static final double MAX_FPP_BITS = 64;

    /** Halvings of the interval of −log2(fpp), enough for the digits shown. */
    private static final int FPP_STEPS = 40;

    @Override
    public boolean hasHashes() {
      return false;
    }

    @Override
    public SizeRow solve(String type, Sizer.Request request) {
      Long keys = request.expectedKeys();
      Double fpp = request.fpp();
      Long bits = request.memoryBits();
      if (keys == null && fpp != null && bits != null) {
        keys = mostKeys(bits, fpp);
      } else if (fpp == null && keys != null && bits != null) {
        fpp = lowestFpp(bits, keys);
      }
      if (keys == null || fpp == null) {
        throw new IllegalArgumentException("two of keys, fpp and memory are required");
      }
      Cost cost = costs.of(keys, fpp);
      return new SizeRow(type, SizeRow.NONE, keys, cost.bits(), cost.hashes(), fpp);
    }

    private long mostKeys(long bits, double fpp) {
      long fewestBits = costs.of(1, fpp).bits(); // which also checks the fpp
      if (fewestBits > bits) {
        throw tooSmall(bits, "one key at fpp " + FppText.exact(fpp));
      }
      long fit = 1;
      long tooMany = 2;
      while (fits(bits, tooMany, fpp)) {
        fit = tooMany;
        tooMany *= 2;
      }
      while (tooMany - fit > 1) {
        long middle = fit + (tooMany - fit) / 2;
        if (fits(bits, middle, fpp)) {
          fit = middle;
        } else {
          tooMany = middle;
        }
      }
      return fit;
    }

    private double lowestFpp(long bits, long keys) {
      double fit = 0;
      double tooLow = MAX_FPP_BITS;
      for (int i = 0; i < FPP_STEPS; i++) {
        double middle = (fit + tooLow) / 2;
        if (fits(bits, keys, Math.pow(2, -middle))) {
          fit = middle;
        } else {
          tooLow = middle;
        }
      }
      if (fit == 0) {
        throw tooSmall(bits, keys + " keys at any fpp");
      }
      return Math.pow(2, -fit);
    }

    private boolean fits(long bits, long keys, double fpp) {
      try {
        return costs.of(keys, fpp).bits() <= bits;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    private static IllegalArgumentException tooSmall(long bits, String what) {
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT, "memory: %d bytes are too few for %s", bits / Byte.SIZE, what));
    }

    /** The bits of a filter, and k or null. */
    record Cost(long bits, @Nullable Integer hashes) {}

    /** Throws {@link IllegalArgumentException} if no such filter is possible. */
    interface Costs {
      Cost of(long keys, double fpp);
    }
  }
}
