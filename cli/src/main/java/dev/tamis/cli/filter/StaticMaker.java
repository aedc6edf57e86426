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
import dev.tamis.filter.RibbonFilterBuilder;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.sizing.FuseSizing;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.util.function.Function;

/** Builds a filter of the hashes of all lines at the end. */
final class StaticMaker implements FilterMaker {

  private static final int[] ARITIES = {3, 4};

  private final FilterMaker.Request request;
  private final StaticFilterBuilder<Line, ?, ?> builder;
  private final Function<Report, Loaded.OfFilter> build;
  private long lines;

  private StaticMaker(
      Request request,
      StaticFilterBuilder<Line, ?, ?> builder,
      Function<Report, Loaded.OfFilter> build) {
    request.refuseSize();
    this.request = request;
    this.builder = builder;
    this.build = build;
  }

  static FilterMaker fuse(Request request) {
    FuseFilterBuilder<Line> keys = FuseFilter.builder(request.hasher());
    keys.fpp(request.sizing().fpp());
    return new StaticMaker(request, keys, particulars -> Loaded.OfFilter.of(keys.build()));
  }

  static FilterMaker ribbon(Request request) {
    RibbonFilterBuilder<Line> keys = RibbonFilter.builder(request.hasher());
    keys.fpp(request.sizing().fpp());
    return new StaticMaker(request, keys, particulars -> Loaded.OfFilter.of(keys.build()));
  }

  static FilterMaker smallest(Request request) {
    FuseFilterBuilder<Line> keys = FuseFilter.builder(request.hasher());
    return new StaticMaker(request, keys, particulars -> smallest(request, keys, particulars));
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
  public void take(LineReader reader) {
    for (int i = 0; i < reader.keyed(); i++) {
      builder.putHash(reader.hashes()[i]);
    }
    lines += reader.keyed();
  }

  @Override
  public BuildResult finish() {
    Report particulars = new Report();
    Loaded.OfFilter filter = build.apply(particulars);
    return new BuildResult(
        filter, lines, builder.distinctKeys(), particulars, request.watch(filter.filter()));
  }
}
