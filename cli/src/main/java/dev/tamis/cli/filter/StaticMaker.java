package dev.tamis.cli.filter;

import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.size.Sizers;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.sizing.FuseSizing;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;

/** Builds a filter of the hashes of all lines at the end. */
final class StaticMaker<B extends StaticFilterBuilder<Line, ?, B>> implements FilterMaker {

  private static final int[] ARITIES = {3, 4};

  private final FilterMaker.Request request;
  private final B builder;
  private final Builder<B> build;
  private long lines;

  private StaticMaker(FilterMaker.Request request, B builder, Builder<B> build) {
    request.refuseSize();
    this.request = request;
    this.builder = builder;
    this.build = build;
  }

  static FilterMaker fuse(FilterMaker.Request request) {
    return new StaticMaker<>(
        request,
        FuseFilter.<Line>builder(request.hasher()).fpp(request.sizing().fpp()),
        (keys, particulars) -> Loaded.OfFilter.of(keys.build()));
  }

  static FilterMaker ribbon(FilterMaker.Request request) {
    return new StaticMaker<>(
        request,
        RibbonFilter.<Line>builder(request.hasher()).fpp(request.sizing().fpp()),
        (keys, particulars) -> Loaded.OfFilter.of(keys.build()));
  }

  static FilterMaker smallest(FilterMaker.Request request) {
    return new StaticMaker<>(
        request,
        FuseFilter.<Line>builder(request.hasher()),
        (keys, particulars) -> smallest(request, keys, particulars));
  }

  private static Loaded.OfFilter smallest(
      FilterMaker.Request request, FuseFilterBuilder<Line> keys, Report particulars) {
    double fpp = request.sizing().fpp();
    long distinct = keys.distinctKeys();
    long bloomKeys = Math.max(1, distinct);
    Sizing.Builder bloomOf =
        Sizing.builder().expectedKeys(bloomKeys).fpp(fpp).layout(Layout.CLASSIC);
    long fewest = bloomOf.solve().shape().bits();
    int best = 0;
    for (int arity : ARITIES) {
      if (fpp >= Math.scalb(1.0, -FuseSizing.MAX_FINGERPRINT_BITS)
          && Sizers.fuseBits(distinct, fpp, arity) < fewest) {
        fewest = Sizers.fuseBits(distinct, fpp, arity);
        best = arity;
      }
    }
    if (best > 0) {
      particulars.text("type", FilterType.FUSE.toString()).count("arity", best);
      return Loaded.OfFilter.of(keys.fpp(fpp).arity(best).build());
    }
    particulars.text("type", FilterType.CLASSIC.toString());
    BloomFilter<Line> bloom =
        BloomFilter.<Line>builder(request.hasher())
            .layout(Layout.CLASSIC)
            .expectedKeys(bloomKeys)
            .fpp(fpp)
            .build();
    keys.forEachHash(bloom::putHash);
    return Loaded.OfFilter.of(bloom);
  }

  @Override
  public void take(LineReader reader, int count) {
    for (int i = 0; i < count; i++) {
      builder.putHash(reader.hashes()[i]);
    }
    lines += count;
  }

  @Override
  public BuildResult finish() {
    Report particulars = new Report();
    Loaded.OfFilter filter = build.build(builder, particulars);
    return new BuildResult(
        filter, lines, builder.distinctKeys(), particulars, request.watch(filter.filter()));
  }

  /** Builds the filter of the keys in {@code builder}, and adds its particulars. */
  private interface Builder<B> {
    Loaded.OfFilter build(B builder, Report particulars);
  }
}
