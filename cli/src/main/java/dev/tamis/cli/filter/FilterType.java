package dev.tamis.cli.filter;

import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.size.BloomSizer;
import dev.tamis.cli.size.Sizer;
import dev.tamis.cli.size.Sizers;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.interop.ParquetBloomFilter;
import dev.tamis.interop.SparkBloomFilter;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types of filter that {@code build} builds and {@code size} compares. */
public enum FilterType {
  BLOCKED(r -> PutMaker.bloom(r, null), BloomSizer.BLOCKED),
  CLASSIC(r -> PutMaker.bloom(r, Layout.CLASSIC), BloomSizer.of(Layout.CLASSIC)),
  PARTITIONED(r -> PutMaker.bloom(r, Layout.PARTITIONED), BloomSizer.of(Layout.PARTITIONED)),
  COUNTING(
      PutMaker::counting, BloomSizer.BLOCKED.withBits(CountingBloomFilter.DEFAULT_COUNTER_BITS)),
  CUCKOO(PutMaker::cuckoo, Sizers.CUCKOO),
  /** Its size is that of a filter that started small. */
  SCALABLE(PutMaker::scalable, Sizers.SCALABLE),
  WINDOWED(PutMaker::windowed, Sizers.WINDOWED),
  FUSE(StaticMaker::fuse, Sizers.FUSE),
  RIBBON(StaticMaker::ribbon, Sizers.RIBBON),
  /** Classic or fuse, so it has no size of its own. */
  STATIC(StaticMaker::smallest, null),
  /** Filters of other programs, of the size that these choose. */
  GUAVA(r -> PutMaker.foreign(r, GuavaBloomFilter::create), null),
  SPARK(r -> PutMaker.foreign(r, SparkBloomFilter::create), null),
  SPARK_V1(r -> PutMaker.foreign(r, SparkBloomFilter::createVersion1), null),
  PARQUET(r -> PutMaker.foreign(r, ParquetBloomFilter::create), null),
  DCSO(r -> PutMaker.foreign(r, DcsoBloomFilter::create), null);

  @SuppressWarnings("ImmutableEnumChecker") // a method and its constants
  private final MakerFactory start;

  @SuppressWarnings("ImmutableEnumChecker") // they have no state
  private final @Nullable Sizer sizer;

  FilterType(MakerFactory start, @Nullable Sizer sizer) {
    this.start = start;
    this.sizer = sizer;
  }

  /** Starts to build a filter; throws {@link CommandException} if the request does not fit it. */
  FilterMaker start(FilterMaker.Request request) throws IOException {
    return start.of(request);
  }

  boolean canBeOnServer() {
    return this == BLOCKED || this == CLASSIC || this == PARTITIONED;
  }

  Optional<Sizer> sizer() {
    return Optional.ofNullable(sizer);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private interface MakerFactory {
    FilterMaker of(FilterMaker.Request request) throws IOException;
  }

  static final class TypeChoice extends Choice<FilterType> {
    TypeChoice() {
      super(List.of(values()), FilterType::toString);
    }
  }
}
