package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.Keys;
import dev.tamis.Thorough;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * docs/format.md is complete for kinds 3, 5, 6 and 7: what is written from it alone gives the same
 * answers, and where there is a writer, the same bytes.
 */
class OtherKindsSpecificationTest {

  private static final long SEED = 42;
  private static final int ABSENT = 20_000;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @MethodSource
  void countersAreWhereTheTextSays(Layout layout, int counterBits) throws Exception {
    CountingBloomFilter<CharSequence> filter =
        CountingBloomFilter.<CharSequence>builder(KeyHasher.text())
            .layout(layout)
            .expectedKeys(1_000)
            .fpp(0.01)
            .counterBits(counterBits)
            .seed(SEED)
            .build();
    ReferenceCounting reference = ReferenceCounting.read(Bytes.of(filter));
    SplittableRandom random = new SplittableRandom(counterBits);
    for (int i = 0; i < 1_500; i++) {
      long hash = hash(random.nextInt(1_000)); // some keys more than once
      filter.putHash(hash);
      reference.put(hash);
    }
    assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
    for (int i = 0; i < 1_500; i++) {
      long hash = hash(random.nextInt(1_000));
      assertThat(filter.removeHash(hash)).isEqualTo(reference.remove(hash));
    }
    assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
    assertSameAnswers(filter, ReferenceCounting.read(Bytes.of(filter)));
    assertSameAnswers(filter.toBloomFilter(), reference);
  }

  static Stream<Arguments> countersAreWhereTheTextSays() {
    return Stream.of(Layout.values())
        .flatMap(
            layout -> IntStream.of(2, 3, 4, 5, 7, 16).mapToObj(bits -> Arguments.of(layout, bits)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 3_000})
  void windowOfPutsTurnsAsTheTextSays(int window) throws Exception {
    WindowedBloomFilter<CharSequence> filter =
        WindowedBloomFilter.<CharSequence>builder(KeyHasher.text())
            .window(window)
            .fpp(0.01)
            .seed(SEED)
            .build();
    ReferenceWindow reference = ReferenceWindow.read(Bytes.of(filter));
    int keys = 7 * window / 2 + 1;
    for (int i = 0; i < keys; i++) {
      filter.putHash(hash(i));
      reference.put(hash(i), START);
      if (i % (keys / 8 + 1) == 0) {
        assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
      }
    }
    assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
    ReferenceWindow read = ReferenceWindow.read(Bytes.of(filter));
    for (int i = keys - window; i < keys; i++) {
      assertThat(read.mightContain(hash(i), START)).isTrue();
    }
    assertSameAnswers(filter, hash -> read.mightContain(hash, START));
  }

  /** Steps of time from nothing to many windows, and back. */
  @ParameterizedTest
  @ValueSource(strings = {"PT0.000001S", "PT1S", "PT24H", "P3650D"})
  void windowOfTimeTurnsAsTheTextSays(Duration window) throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(START);
    WindowedBloomFilter<CharSequence> filter =
        WindowedBloomFilter.<CharSequence>builder(KeyHasher.text())
            .window(window)
            .expectedKeys(1_000)
            .fpp(0.01)
            .clock(now::get)
            .seed(SEED)
            .build();
    ReferenceWindow reference = ReferenceWindow.read(Bytes.of(filter));
    SplittableRandom random = new SplittableRandom(window.toNanos());
    for (int i = 0; i < Thorough.or(1_000, 3_000); i++) {
      now.set(now.get().plusNanos(step(random, window.toNanos())));
      filter.putHash(hash(i));
      reference.put(hash(i), now.get());
      if (i % 500 == 0) {
        assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
        assertSameAnswers(filter, hash -> reference.mightContain(hash, now.get()));
      }
    }
    assertThat(Bytes.of(filter)).isEqualTo(reference.toBytes());
  }

  private static long step(SplittableRandom random, long window) {
    return switch (random.nextInt(200)) {
      case 0 -> window / 7;
      case 1 -> window;
      case 2 -> -window / 2;
      case 3 -> random.nextLong(3 * window);
      default -> random.nextLong(window / 1_000 + 1);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 10, 1_000, 50_000})
  void fuseFilterAnswersAsTheTextSays(int keys) throws Exception {
    for (int arity = 3; arity <= 4; arity++) {
      for (double fpp : new double[] {0.3, 0.01, 1e-4, 1e-9}) {
        FuseFilter<CharSequence> filter =
            built(FuseFilter.<CharSequence>builder(KeyHasher.text()).arity(arity).fpp(fpp), keys);
        assertAnswers(filter, ReferenceFuse.read(Bytes.of(filter)), keys);
      }
    }
  }

  /** Where a seed was found, and no more segments had to be tried. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 10, 20, 100, 1_000, 50_000})
  void fuseFilterIsAsLargeAsTheTextSays(int keys) throws IOException {
    double n = Math.max(1, keys);
    double three = Math.max(1.125, 0.875 + 0.25 * Math.log(1e6) / Math.log(n));
    double four = Math.max(1.075, 0.77 + 0.305 * Math.log(6e5) / Math.log(n));
    assertFuseSizes(3, keys, Math.log(n) / Math.log(3.33) + 2.25, keys < 2 ? 0 : three);
    assertFuseSizes(4, keys, Math.log(n) / Math.log(2.91) - 0.5, keys < 2 ? 0 : four);
  }

  private static void assertFuseSizes(int arity, int keys, double log, double slotsPerKey)
      throws IOException {
    byte[] file =
        Bytes.of(
            built(FuseFilter.<CharSequence>builder(KeyHasher.text()).arity(arity).fpp(0.5), keys));
    long length = 1L << Math.max(0, (int) Math.floor(log));
    long segments = 1;
    while ((segments + arity - 1) * length < Math.round(keys * slotsPerKey)) {
      segments++;
    }
    assertThat(ReferenceFrame.get(file, 32, 8)).isEqualTo(1);
    assertThat(ReferenceFrame.get(file, 64, 4)).isEqualTo(length);
    assertThat(ReferenceFrame.get(file, 68, 4)).isEqualTo(segments);
  }

  @Tag("thorough")
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void fuseFilterOfManyShardsAnswersAsTheTextSays(int arity) throws Exception {
    int keys = 9_000_000;
    FuseFilter<CharSequence> filter =
        built(FuseFilter.<CharSequence>builder(KeyHasher.text()).arity(arity).fpp(0.01), keys);
    assertThat(filter.shards()).isEqualTo(4);
    assertAnswers(filter, ReferenceFuse.read(Bytes.of(filter)), keys);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 10, 100, 1_000, 50_000})
  void ribbonFilterAnswersAsTheTextSays(int keys) throws Exception {
    for (double fpp : new double[] {0.5, 0.3, 0.25, 0.01, 1e-3, 1e-9}) {
      RibbonFilter<CharSequence> filter =
          built(RibbonFilter.<CharSequence>builder(KeyHasher.text()).fpp(fpp), keys);
      assertAnswers(filter, ReferenceRibbon.read(Bytes.of(filter)), keys);
    }
  }

  private static <F extends HashedFilter<CharSequence>> F built(
      StaticFilterBuilder<CharSequence, F, ?> builder, int keys) {
    return builder
        .seed(SEED)
        .putAll(IntStream.range(0, keys).mapToObj(OtherKindsSpecificationTest::key))
        .build();
  }

  private static void assertAnswers(
      HashedFilter<CharSequence> filter, ReferenceFilter reference, int keys) {
    assertThat(IntStream.range(0, keys).allMatch(i -> reference.mightContain(hash(i)))).isTrue();
    assertSameAnswers(filter, reference);
  }

  private static void assertSameAnswers(
      HashedFilter<CharSequence> filter, ReferenceFilter reference) {
    for (int i = 0; i < 3_000; i++) {
      assertThat(filter.mightContain(key(i))).isEqualTo(reference.mightContain(hash(i)));
    }
    assertThat(Keys.hashes(1, ABSENT))
        .allMatch(hash -> filter.mightContainHash(hash) == reference.mightContain(hash));
  }

  private static String key(int i) {
    return "key-" + i;
  }

  private static long hash(int i) {
    return ReferencePositions.hashOfText(SEED, key(i));
  }
}
