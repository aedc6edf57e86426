package dev.tamis.cli.size;

import dev.tamis.filter.ScalableBloomFilterBuilder;
import dev.tamis.sizing.CuckooSizing;
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
}
