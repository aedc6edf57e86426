package dev.tamis.format;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.CountMinSketchBuilder;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files of version 1 in {@code src/test/resources/golden}, which every later reader must read,
 * and the filters they were made from.
 */
final class GoldenFiles {

  static final int KEYS = 100;
  static final long SEED = 42;
  static final double FPP = 0.01;

  /** All names, without {@code .tamis}. */
  static final List<String> NAMES =
      List.of(
          "v1-classic",
          "v1-partitioned",
          "v1-line",
          "v1-split",
          "v1-split-16",
          "v1-split-pair",
          "v1-split-pair-32",
          "v1-scalable",
          "v1-counting",
          "v1-windowed",
          "v1-cuckoo",
          "v1-fuse",
          "v1-ribbon");

  /** Those of sketches, which are no filters. */
  static final List<String> SKETCHES =
      List.of("v1-count-min", "v1-count-min-conservative", "v1-distinct");

  private GoldenFiles() {}

  static Stream<String> names() {
    return NAMES.stream();
  }

  static byte[] read(String name) {
    String resource = "/golden/" + name + ".tamis";
    try (InputStream in = GoldenFiles.class.getResourceAsStream(resource)) {
      return requireNonNull(in, resource).readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(resource, e);
    }
  }

  /** Rebuilds the filter of a file: a hundred keys of text in room for as many. */
  static HashedFilter<CharSequence> filter(String name) {
    return switch (name) {
      case "v1-fuse" -> built(FuseFilter.<CharSequence>builder(KeyHasher.text()));
      case "v1-ribbon" -> built(RibbonFilter.<CharSequence>builder(KeyHasher.text()));
      default -> filled(name);
    };
  }

  private static HashedFilter<CharSequence> built(StaticFilterBuilder<CharSequence, ?, ?> builder) {
    return builder
        .fpp(FPP)
        .seed(SEED)
        .putAll(IntStream.range(0, KEYS).mapToObj(GoldenFiles::key))
        .build();
  }

  private static HashedMutableFilter<CharSequence> filled(String name) {
    HashedMutableFilter<CharSequence> filter =
        switch (name) {
          case "v1-classic" -> bloom(Layout.CLASSIC, 7);
          case "v1-partitioned" -> bloom(Layout.PARTITIONED, 7);
          case "v1-line" -> bloom(Layout.LINE, 6);
          case "v1-split" -> bloom(Layout.SPLIT, 8);
          case "v1-split-16" -> bloom(Layout.SPLIT, 16);
          case "v1-split-pair" -> bloom(Layout.SPLIT_PAIR, 16);
          case "v1-split-pair-32" -> bloom(Layout.SPLIT_PAIR, 32);
          case "v1-scalable" -> scalable();
          case "v1-counting" -> counting();
          case "v1-windowed" ->
              WindowedBloomFilter.<CharSequence>builder(KeyHasher.text())
                  .window(KEYS)
                  .fpp(FPP)
                  .seed(SEED)
                  .build();
          case "v1-cuckoo" -> cuckoo();
          default -> throw new IllegalArgumentException(name);
        };
    for (int i = 0; i < KEYS; i++) {
      filter.put(key(i));
    }
    return filter;
  }

  static String key(int i) {
    return "key-" + i;
  }

  private static CountingBloomFilter<CharSequence> counting() {
    return CountingBloomFilter.<CharSequence>builder(KeyHasher.text())
        .expectedKeys(KEYS)
        .fpp(FPP)
        .counterBits(5)
        .seed(SEED)
        .build();
  }

  /** Rebuilds the sketch of a file: the same keys, in a count-min sketch 1 to 10 times each. */
  static Storable sketch(String name) {
    return switch (name) {
      case "v1-count-min" -> counted(counts().build());
      case "v1-count-min-conservative" -> counted(counts().conservative().build());
      case "v1-distinct" -> counted();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static CountMinSketchBuilder<CharSequence> counts() {
    return CountMinSketch.<CharSequence>builder(KeyHasher.text())
        .epsilon(0.2)
        .delta(0.1)
        .seed(SEED);
  }

  private static CountMinSketch<CharSequence> counted(CountMinSketch<CharSequence> sketch) {
    for (int i = 0; i < KEYS; i++) {
      sketch.put(key(i), times(i));
    }
    return sketch;
  }

  static int times(int i) {
    return i % 10 + 1;
  }

  private static DistinctCounter<CharSequence> counted() {
    DistinctCounter<CharSequence> counter =
        DistinctCounter.<CharSequence>builder(KeyHasher.text()).precision(6).seed(SEED).build();
    for (int i = 0; i < KEYS; i++) {
      counter.put(key(i));
    }
    return counter;
  }

  private static ScalableBloomFilter<CharSequence> scalable() {
    return ScalableBloomFilter.<CharSequence>builder(KeyHasher.text())
        .initialKeys(20)
        .fpp(FPP)
        .layout(Layout.SPLIT_PAIR)
        .seed(SEED)
        .build();
  }

  private static CuckooFilter<CharSequence> cuckoo() {
    return CuckooFilter.<CharSequence>builder(KeyHasher.text())
        .expectedKeys(KEYS)
        .fpp(FPP)
        .seed(SEED)
        .build();
  }

  private static BloomFilter<CharSequence> bloom(Layout layout, int hashes) {
    return BloomFilter.<CharSequence>builder(KeyHasher.text())
        .layout(layout)
        .hashes(hashes)
        .expectedKeys(KEYS)
        .fpp(FPP)
        .seed(SEED)
        .build();
  }
}
