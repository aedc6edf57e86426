package dev.tamis.filter;

import static dev.tamis.filter.FilterSpec.Suite.COUNTS;
import static dev.tamis.filter.FilterSpec.Suite.FPP;
import static dev.tamis.filter.FilterSpec.Suite.MERGING;
import static dev.tamis.filter.FilterSpec.Suite.PUTS;
import static dev.tamis.filter.FilterSpec.Suite.RACING;
import static dev.tamis.filter.FilterSpec.Suite.REMOVALS;
import static dev.tamis.filter.FilterSpec.Suite.ROUND_TRIP;

import dev.tamis.HashedMutableFilter;
import dev.tamis.StorableConformance;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.WindowSizing;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of filter that the suites run over: how to make one, and where it differs from the others.
 *
 * <p>{@link #all} is the list of all of them; a new filter is one more entry.
 *
 * @param <F> the type of filter
 */
final class FilterSpec<F extends HashedMutableFilter<Long>> {

  /** Set to the beginning of a name, runs the suites over the kinds that begin with it alone. */
  private static final String ONLY = System.getProperty("tamis.tests.filters", "");

  private static final Instant NOW = Instant.parse("2020-01-02T03:04:05.678901234Z");

  private final String name;
  private final Map<Suite, Factory<F>> factories = new EnumMap<>(Suite.class);
  private @Nullable Reader<F> reader;
  private Supplier<Map<String, F>> incompatible = Map::of;

  /** The least fpp of a full filter, as a share of the requested one, if it is special. */
  OptionalDouble leastFppShare = OptionalDouble.empty();

  /** How far past its expected keys it can be filled, as a share of them. */
  double mostLoad = Double.POSITIVE_INFINITY;

  /** How often one key can be put and removed again. */
  int mostCopies;

  /** How many keys threads race for, or 0 for the suite's own number. */
  int racingKeys;

  /** How many times its keys a filter needs room for. */
  int roomForRepeats = 1;

  boolean dependsOnOrder;
  boolean mergingAdds;

  private FilterSpec(String name, Factory<F> factory, Suite... suites) {
    this.name = name;
    for (Suite suite : suites) {
      factories.put(suite, factory);
    }
  }

  /** A suite of promises. */
  enum Suite {
    PUTS,
    FPP,
    COUNTS,
    ROUND_TRIP,
    MERGING,
    REMOVALS,
    RACING
  }

  /** Makes an empty filter. */
  interface Factory<F> {
    F create(long expectedKeys, double fpp);
  }

  /** Reads a filter. */
  interface Reader<F> {
    F read(InputStream in, KeyHasher<Long> hasher, long maxBytes) throws IOException;
  }

  static Stream<FilterSpec<?>> all() {
    return Stream.of(
            BloomSpec.all().map(FilterSpec::bloom),
            CountingSpec.all().map(FilterSpec::counting),
            Stream.of(countingByFpp()),
            scalable(),
            windowed(),
            Stream.of(cuckoo()))
        .<FilterSpec<?>>flatMap(specs -> specs)
        .filter(spec -> spec.name.startsWith(ONLY));
  }

  private static FilterSpec<BloomFilter<Long>> bloom(BloomSpec spec) {
    var bloom = new FilterSpec<>("bloom, " + spec, spec::create, PUTS, ROUND_TRIP, MERGING);
    return (spec.threadSafe() ? bloom.with(RACING) : bloom.with(FPP).with(COUNTS))
        .readBy(BloomFilter::readFrom)
        .incompatible(
            () -> {
              Shape shape = spec.create(1_000, 0.01).shape();
              Map<String, BloomFilter<Long>> others = new HashMap<>();
              otherShapes(shape)
                  .forEach(
                      (name, other) -> others.put(name, shaped(spec.builder(), other).build()));
              others.put("seed", spec.builder().expectedKeys(1_000).fpp(0.01).seed(1).build());
              return others;
            });
  }

  private static FilterSpec<CountingBloomFilter<Long>> counting(CountingSpec spec) {
    var counting =
        new FilterSpec<>("counting, " + spec, spec::create, PUTS, REMOVALS, ROUND_TRIP, MERGING);
    return counting
        .with(spec.threadSafe() ? RACING : COUNTS)
        .readBy(CountingBloomFilter::readFrom)
        .mostCopies((1 << spec.counterBits()) - 2)
        .addsWhenMerged()
        .incompatible(
            () -> {
              Shape shape = spec.create(1_000, 0.01).shape();
              Map<String, CountingBloomFilter<Long>> others = new HashMap<>();
              otherShapes(shape)
                  .forEach(
                      (name, other) -> others.put(name, shaped(spec.builder(), other).build()));
              others.put("seed", spec.builder().expectedKeys(1_000).fpp(0.01).seed(1).build());
              others.put(
                  "counter bits",
                  spec.builder().expectedKeys(1_000).fpp(0.01).counterBits(3).build());
              return others;
            });
  }

  /** Returns shapes that differ from one in a single respect, by its name. */
  private static Map<String, Shape> otherShapes(Shape shape) {
    Layout layout = shape.layout();
    Layout otherLayout = layout == Layout.CLASSIC ? Layout.LINE : Layout.CLASSIC;
    int fewest = layout.minHashes();
    int otherHashes = shape.hashes() == fewest ? layout.maxHashes() : fewest;
    long wholeLines = (shape.bits() + 511) / 512 * 512; // LINE has no others
    return Map.of(
        "layout", new Shape(otherLayout, wholeLines, shape.hashes()),
        "bits", new Shape(layout, 2 * shape.bits(), shape.hashes()),
        "hashes", new Shape(layout, shape.bits(), otherHashes));
  }

  private static <B extends BloomBuilder<Long, B>> B shaped(B builder, Shape shape) {
    return builder.layout(shape.layout()).bits(shape.bits()).hashes(shape.hashes());
  }

  /** The fpp is the Bloom filter's of the same shape; the layouts by fpp will do. */
  private static FilterSpec<CountingBloomFilter<Long>> countingByFpp() {
    return new FilterSpec<>(
        "counting, by fpp",
        (keys, fpp) -> CountingBloomFilter.create(KeyHasher.longs(), keys, fpp),
        FPP);
  }

  private static Stream<FilterSpec<?>> scalable() {
    Factory<ScalableBloomFilter<Long>> create =
        (keys, fpp) -> ScalableBloomFilter.create(KeyHasher.longs(), keys, fpp);
    FilterSpec<?> roomy =
        new FilterSpec<>("scalable", create, PUTS, FPP, COUNTS, ROUND_TRIP, RACING)
            .readBy(ScalableBloomFilter::readFrom)
            .leastFppShare(0.9 * 0.15) // the first of many stages has 0.15 of the whole
            .dependsOnOrder(); // which stage a key gets into does
    Stream<FilterSpec<?>> growing = Arrays.stream(Layout.values()).map(FilterSpec::growing);
    return Stream.concat(Stream.of(roomy), growing);
  }

  /** From a first stage so small that it grows a dozen times. */
  private static FilterSpec<ScalableBloomFilter<Long>> growing(Layout layout) {
    return new FilterSpec<ScalableBloomFilter<Long>>(
            "scalable, growing, " + layout.label(),
            (keys, fpp) ->
                ScalableBloomFilter.<Long>builder(KeyHasher.longs())
                    .initialKeys(20)
                    .fpp(fpp)
                    .layout(layout)
                    .build(),
            RACING)
        .racingKeys(50_000)
        .dependsOnOrder();
  }

  private static Stream<FilterSpec<?>> windowed() {
    // The suites want to find again what they put at first: most get a window that holds it all.
    // The
    // races rotate dozens of times until it does.
    FilterSpec<?> ofPuts =
        new FilterSpec<>("windowed", FilterSpec::window, FPP)
            .with(PUTS, (keys, fpp) -> window(100 * keys, fpp))
            .with(COUNTS, FilterSpec::windowOfOneGeneration)
            .with(ROUND_TRIP, (keys, fpp) -> window(keys == 1_000 ? 100_000 : keys, fpp))
            .with(RACING, (keys, fpp) -> window(8 * Math.max(100, keys), fpp))
            .readBy(WindowedBloomFilter::readFrom)
            .leastFppShare(0.5) // a window's puts fill 7 of its 8 generations
            .dependsOnOrder(); // in which generation a key is does
    FilterSpec<?> ofOneInstant = // in which no time goes by: nothing is ever forgotten
        new FilterSpec<>("windowed, one instant", (keys, fpp) -> instant(20 * keys, fpp), PUTS)
            .with(ROUND_TRIP, (keys, fpp) -> instant(keys == 1_000 ? 100_000 : keys, fpp))
            .with(RACING, (keys, fpp) -> instant(20 * Math.max(100, keys), fpp))
            .readBy((in, hasher, max) -> WindowedBloomFilter.readFrom(in, hasher, max, () -> NOW))
            .racingKeys(20_000);
    return Stream.of(ofPuts, ofOneInstant);
  }

  private static WindowedBloomFilter<Long> window(long puts, double fpp) {
    return WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(puts).fpp(fpp).build();
  }

  /** With room for the keys in one generation, within which a key counts once. */
  private static WindowedBloomFilter<Long> windowOfOneGeneration(long keys, double fpp) {
    return window((keys + 1) * WindowSizing.GENERATIONS, fpp);
  }

  private static WindowedBloomFilter<Long> instant(long keys, double fpp) {
    return WindowedBloomFilter.<Long>builder(KeyHasher.longs())
        .window(Duration.ofHours(1))
        .expectedKeys(keys)
        .clock(() -> NOW)
        .fpp(fpp)
        .build();
  }

  private static FilterSpec<CuckooFilter<Long>> cuckoo() {
    Factory<CuckooFilter<Long>> create =
        (keys, fpp) -> CuckooFilter.create(KeyHasher.longs(), keys, fpp);
    // each put takes a slot, and what is full takes no more
    return new FilterSpec<>("cuckoo", create, PUTS, FPP, REMOVALS)
        // the suite overfills all but the one whose every bit it flips
        .with(
            ROUND_TRIP,
            (keys, fpp) ->
                create.create(
                    keys == StorableConformance.DAMAGED_KEYS ? keys : Math.max(keys, 200_000), fpp))
        .with(RACING, (keys, fpp) -> create.create(10 * Math.max(100, keys), Math.max(fpp, 2e-9)))
        .readBy(CuckooFilter::readFrom)
        .leastFppShare(0.48) // bits of a fingerprint are whole; at 0.3 there must be five
        .mostLoad(1)
        .mostCopies(7)
        .roomForRepeats(2)
        .dependsOnOrder(); // in which bucket a fingerprint is does
  }

  private FilterSpec<F> with(Suite suite) {
    return with(suite, factories.values().iterator().next());
  }

  private FilterSpec<F> with(Suite suite, Factory<F> factory) {
    factories.put(suite, factory);
    return this;
  }

  private FilterSpec<F> readBy(Reader<F> by) {
    reader = by;
    return this;
  }

  private FilterSpec<F> incompatible(Supplier<Map<String, F>> others) {
    incompatible = others;
    return this;
  }

  private FilterSpec<F> leastFppShare(double share) {
    leastFppShare = OptionalDouble.of(share);
    return this;
  }

  private FilterSpec<F> mostLoad(double load) {
    mostLoad = load;
    return this;
  }

  private FilterSpec<F> mostCopies(int copies) {
    mostCopies = copies;
    return this;
  }

  private FilterSpec<F> racingKeys(int keys) {
    racingKeys = keys;
    return this;
  }

  private FilterSpec<F> roomForRepeats(int times) {
    roomForRepeats = times;
    return this;
  }

  private FilterSpec<F> dependsOnOrder() {
    dependsOnOrder = true;
    return this;
  }

  private FilterSpec<F> addsWhenMerged() {
    mergingAdds = true;
    return this;
  }

  boolean isIn(Suite suite) {
    return factories.containsKey(suite);
  }

  F create(Suite suite, long expectedKeys, double fpp) {
    return factories.get(suite).create(expectedKeys, fpp);
  }

  F read(InputStream in, long maxBytes) throws IOException {
    if (reader == null) {
      throw new IllegalStateException(name + " has no reader");
    }
    return reader.read(in, KeyHasher.longs(), maxBytes);
  }

  /** Returns filters that cannot be merged with this kind's, by the name of what differs. */
  Map<String, F> incompatible() {
    return incompatible.get();
  }

  @Override
  public String toString() {
    return name;
  }
}
