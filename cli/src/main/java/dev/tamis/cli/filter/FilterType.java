package dev.tamis.cli.filter;

import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.size.BloomSizer;
import dev.tamis.cli.size.Sizer;
import dev.tamis.cli.size.Sizers;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types of filter that {@code build} builds and {@code size} compares. */
public enum FilterType {
  BLOCKED(request -> PutMaker.bloom(request, null), BloomSizer.BLOCKED),
  CLASSIC(request -> PutMaker.bloom(request, Layout.CLASSIC), BloomSizer.of(Layout.CLASSIC)),
  PARTITIONED(
      request -> PutMaker.bloom(request, Layout.PARTITIONED), BloomSizer.of(Layout.PARTITIONED)),
  COUNTING(
      PutMaker::counting, BloomSizer.BLOCKED.withBits(CountingBloomFilter.DEFAULT_COUNTER_BITS)),
  CUCKOO(CuckooMaker::new, Sizers.CUCKOO),
  /** Its size is that of a filter that started small. */
  SCALABLE(PutMaker::scalable, Sizers.SCALABLE),
  WINDOWED(PutMaker::windowed, Sizers.WINDOWED),
  FUSE(StaticMaker::fuse, Sizers.FUSE),
  RIBBON(StaticMaker::ribbon, Sizers.RIBBON),
  /** Without a size, because it is classic or fuse. */
  STATIC(StaticMaker::smallest, null),
  /** Other programs' filters, as large as those programs build them. */
  GUAVA(ForeignMaker::guava, null),
  SPARK(ForeignMaker::spark, null),
  SPARK_V1(ForeignMaker::sparkVersion1, null),
  PARQUET(ForeignMaker::parquet, null),
  DCSO(ForeignMaker::dcso, null);

  @SuppressWarnings("ImmutableEnumChecker") // a method and its constants
  private final MakerFactory start;

  @SuppressWarnings("ImmutableEnumChecker") // they have no state
  private final @Nullable Sizer sizer;

  FilterType(MakerFactory start, @Nullable Sizer sizer) {
    this.start = start;
    this.sizer = sizer;
  }

  /**
   * Starts to build a filter of this type.
   *
   * @throws CommandException if the request does not fit it
   */
  FilterMaker start(BuildRequest request) throws IOException {
    return start.of(request);
  }

  boolean canBeOnServer() {
    return this == BLOCKED || this == CLASSIC || this == PARTITIONED;
  }

  /** Returns the sizer of this type; empty if keys and fpp do not determine its size. */
  Optional<Sizer> sizer() {
    return Optional.ofNullable(sizer);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private interface MakerFactory {
    FilterMaker of(BuildRequest request) throws IOException;
  }

  static final class TypeChoice extends Choice<FilterType> {
    TypeChoice() {
      super(List.of(values()), FilterType::toString);
    }
  }
}
