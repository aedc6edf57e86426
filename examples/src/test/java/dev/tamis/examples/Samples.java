package dev.tamis.examples;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.CountMinSketchBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Filters of every kind, shape and hash over one set of keys, which are lines without their end.
 */
final class Samples {

  static final int PRESENT = 1_300;
  static final int KEYS = 2 * PRESENT;
  static final String SECRET = "0102030405060708090a0b0c0d0e0f10";

  /** When windows of time are queried: a little more than half of what was put is in them. */
  static final Instant NOW = Instant.ofEpochSecond(1_700_000_000, 123_456_789);

  private static final KeyHasher<byte[]> PUBLIC = KeyHasher.bytes();
  private static final KeyHasher<byte[]> KEYED =
      PUBLIC.keyedBy(HashKey.of(HexFormat.of().parseHex(SECRET)));
  private static final double FPP = 0.1;

  /** Seeds in turn, with those that are unlike others first. */
  private static final long[] SEEDS = {0, 1, -1, Long.MIN_VALUE, 0x123456789ABCDEFL};

  private final List<byte[]> keys;
  private int built;

  Samples(List<byte[]> keys) {
    this.keys = keys;
  }

  /**
   * Returns keys of every length from 0 to 299 and some far longer, without line feeds. The first
   * {@link #PRESENT} of them are put into the filters, the others have the same lengths.
   */
  static List<byte[]> keys(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      int place = i % PRESENT;
      int usual = place < PRESENT - 10 ? random.nextInt(4, 24) : random.nextInt(1_000, 3_200);
      keys.add(line(random, place < 300 ? place : usual));
    }
    return keys;
  }

  private static byte[] line(SplittableRandom random, int length) {
    byte[] line = new byte[length];
    random.nextBytes(line);
    for (int i = 0; i < length; i++) {
      if (line[i] == '\n') {
        line[i] = ' ';
      }
    }
    return line;
  }

  /** Returns {@link #NOW} as the reader's command takes it. */
  static String nanosOfNow() {
    return NOW.getEpochSecond() + String.format(Locale.ROOT, "%09d", NOW.getNano());
  }

  /** Returns all samples. */
  List<Sample> all() {
    Stream<Sample> ofBothHashes = Stream.of(PUBLIC, KEYED).flatMap(this::ofAllKinds);
    Stream<Sample> empty =
        Stream.of(
            new Sample("fuse of nothing", FuseFilter.builder(PUBLIC).fpp(FPP).build()),
            new Sample("ribbon of nothing", RibbonFilter.builder(PUBLIC).fpp(FPP).build()));
    return Stream.of(ofBothHashes, blooms(), others(), empty).flatMap(part -> part).toList();
  }

  private Stream<Sample> ofAllKinds(KeyHasher<byte[]> hasher) {
    return Stream.of(
        bloom(hasher, Layout.CLASSIC, 7),
        bloom(hasher, Layout.SPLIT, 8),
        scalable(hasher, Layout.SPLIT),
        counting(hasher, Layout.LINE, 6, 4),
        cuckoo(hasher, FPP),
        windowOfPuts(hasher, PRESENT / 2),
        windowOfTime(hasher),
        fuse(hasher, 3, 3),
        ribbon(hasher, FPP),
        counts(hasher, false));
  }

  /** Each layout with the fewest and the most hashes, and where the draws of a line change. */
  private Stream<Sample> blooms() {
    Stream<Sample> rows =
        IntStream.of(1, 3, 32)
            .boxed()
            .flatMap(k -> Stream.of(bloom(Layout.CLASSIC, k), bloom(Layout.PARTITIONED, k)));
    Stream<Sample> lines = IntStream.of(1, 7, 8, 16).mapToObj(k -> bloom(Layout.LINE, k));
    Stream<Sample> pairs = IntStream.of(16, 32).mapToObj(k -> bloom(Layout.SPLIT_PAIR, k));
    Stream<Sample> split = Stream.of(bloom(Layout.SPLIT, 16));
    return Stream.of(rows, lines, pairs, split).flatMap(part -> part);
  }

  /** What else the parameters of the other kinds can be. */
  private Stream<Sample> others() {
    return Stream.of(
        scalable(PUBLIC, Layout.SPLIT_PAIR),
        counting(PUBLIC, Layout.CLASSIC, 3, 2),
        counting(PUBLIC, Layout.PARTITIONED, 5, 7),
        counting(PUBLIC, Layout.SPLIT_PAIR, 16, 16),
        cuckoo(PUBLIC, 1e-4),
        cuckoo(PUBLIC, 1e-8),
        windowOfPuts(PUBLIC, 2 * PRESENT),
        fuse(PUBLIC, 4, 1),
        fuse(PUBLIC, 4, 9),
        fuse(PUBLIC, 4, 32),
        ribbon(PUBLIC, 0.6),
        ribbon(PUBLIC, 1e-6),
        counts(PUBLIC, true));
  }

  private Sample bloom(Layout layout, int hashes) {
    return bloom(PUBLIC, layout, hashes);
  }

  private Sample bloom(KeyHasher<byte[]> hasher, Layout layout, int hashes) {
    return filled(
        layout.label() + ", k = " + hashes,
        BloomFilter.<byte[]>builder(hasher)
            .layout(layout)
            .hashes(hashes)
            .expectedKeys(PRESENT)
            .fpp(FPP)
            .seed(seed(hasher))
            .build());
  }

  private Sample scalable(KeyHasher<byte[]> hasher, Layout layout) {
    return filled(
        "scalable, " + layout.label(),
        ScalableBloomFilter.<byte[]>builder(hasher)
            .layout(layout)
            .initialKeys(100)
            .fpp(FPP)
            .seed(seed(hasher))
            .build());
  }

  private Sample counting(KeyHasher<byte[]> hasher, Layout layout, int hashes, int bits) {
    return filled(
        "counting, " + layout.label() + ", " + bits + " bits",
        CountingBloomFilter.<byte[]>builder(hasher)
            .layout(layout)
            .hashes(hashes)
            .counterBits(bits)
            .expectedKeys(PRESENT)
            .fpp(FPP)
            .seed(seed(hasher))
            .build());
  }

  private Sample cuckoo(KeyHasher<byte[]> hasher, double fpp) {
    return filled(
        "cuckoo, fpp " + fpp,
        CuckooFilter.<byte[]>builder(hasher)
            .expectedKeys(PRESENT)
            .fpp(fpp)
            .seed(seed(hasher))
            .build());
  }

  private Sample windowOfPuts(KeyHasher<byte[]> hasher, int puts) {
    return filled(
        "window of " + puts + " puts",
        WindowedBloomFilter.<byte[]>builder(hasher)
            .window(puts)
            .fpp(FPP)
            .seed(seed(hasher))
            .build());
  }

  /** One put a second, the last of them a few seconds before {@link #NOW}. */
  private Sample windowOfTime(KeyHasher<byte[]> hasher) {
    Instant[] time = {NOW.minusSeconds(PRESENT + 40)};
    WindowedBloomFilter<byte[]> filter =
        WindowedBloomFilter.<byte[]>builder(hasher)
            .window(Duration.ofSeconds(PRESENT / 2))
            .expectedKeys(PRESENT / 2)
            .clock(() -> time[0])
            .fpp(FPP)
            .seed(seed(hasher))
            .build();
    for (byte[] key : keys.subList(0, PRESENT)) {
      filter.put(key);
      time[0] = time[0].plusSeconds(1);
    }
    time[0] = NOW;
    return new Sample("window of time", filter);
  }

  private Sample fuse(KeyHasher<byte[]> hasher, int arity, int bits) {
    return new Sample(
        "fuse of arity " + arity + ", " + bits + " bits",
        FuseFilter.<byte[]>builder(hasher)
            .arity(arity)
            .fingerprintBits(bits)
            .seed(seed(hasher))
            .putAll(keys.subList(0, PRESENT))
            .build());
  }

  private Sample ribbon(KeyHasher<byte[]> hasher, double fpp) {
    return new Sample(
        "ribbon, fpp " + fpp,
        RibbonFilter.<byte[]>builder(hasher)
            .fpp(fpp)
            .seed(seed(hasher))
            .putAll(keys.subList(0, PRESENT))
            .build());
  }

  private Sample counts(KeyHasher<byte[]> hasher, boolean conservative) {
    CountMinSketchBuilder<byte[]> builder =
        CountMinSketch.<byte[]>builder(hasher).epsilon(0.005).delta(0.01).seed(seed(hasher));
    CountMinSketch<byte[]> sketch = conservative ? builder.conservative().build() : builder.build();
    for (int i = 0; i < PRESENT; i++) {
      sketch.put(keys.get(i), i % 10 + 1);
    }
    return new Sample(conservative ? "counts, conservative" : "counts, plain", sketch);
  }

  private Sample filled(String name, HashedMutableFilter<byte[]> filter) {
    keys.subList(0, PRESENT).forEach(filter::put);
    return new Sample(name, (Storable) filter);
  }

  /** Returns the next seed, or 0 where the secret key is the seed. */
  private long seed(KeyHasher<byte[]> hasher) {
    return hasher == KEYED ? 0 : SEEDS[built++ % SEEDS.length];
  }
}
