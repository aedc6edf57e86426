package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FppText;
import dev.tamis.sizing.Layout;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of a builder, at each limit and one past it. */
class BloomFilterBuilderTest {

  private static final long MAX_BITS = Layout.MAX_BITS;

  @ParameterizedTest
  @CsvSource({
    "0.5, line",
    "0.03, line",
    "0.0299, split",
    "0.01, split",
    "0.0001, split",
    "0.000099, split-pair",
    "1e-6, split-pair"
  })
  void theLayoutFitsTheFppUnlessGiven(double fpp, String label) {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 1_000, fpp);
    assertThat(filter.shape().layout().label()).isEqualTo(label);
    assertThat(filter.expectedKeys()).isEqualTo(1_000);
    assertThat(filter.fpp()).isEqualTo(fpp);
    assertThat(filter.hashId().number()).isZero();
    assertThat(filter.isThreadSafe()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsGivenIsTaken(Layout layout) {
    BloomFilter<Long> filter =
        builder()
            .layout(layout)
            .expectedKeys(1_000)
            .fpp(0.001)
            .hashes(hashes(layout))
            .seed(Long.MIN_VALUE)
            .singleThreaded()
            .build();
    assertThat(filter.shape().layout()).isEqualTo(layout);
    assertThat(filter.shape().hashes()).isEqualTo(hashes(layout));
    assertThat(filter.expectedKeys()).isEqualTo(1_000);
    assertThat(filter.fpp()).isEqualTo(0.001);
    assertThat(filter.hashId().number()).isEqualTo(Long.MIN_VALUE);
    assertThat(filter.isThreadSafe()).isFalse();
  }

  /** Returns eight hashes, or as few as the layout can have. */
  private static int hashes(Layout layout) {
    return Math.max(8, layout.minHashes());
  }

  @ParameterizedTest
  @EnumSource
  void thoseWhoInsistGetTheirBitsAndHashes(Layout layout) {
    BloomFilter<Long> filter = builder().layout(layout).bits(81_920).hashes(hashes(layout)).build();
    assertThat(filter.bitSize()).isEqualTo(81_920);
    assertThat(filter.shape().hashes()).isEqualTo(hashes(layout));
    assertThat(filter.expectedKeys())
        .isBetween(56_000L / hashes(layout), 57_600L / hashes(layout)); // half full: m ln 2 / k
    assertThat(filter.fpp()).isEqualTo(filter.shape().fpp(filter.expectedKeys()));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void expectedKeysBelowOneAreRefused(long keys) {
    refusesSaying(
        "expectedKeys must be at least 1, got " + keys, () -> builder().expectedKeys(keys));
    refusesSaying(
        "expectedKeys must be at least 1, got " + keys,
        () -> BloomFilter.create(KeyHasher.longs(), keys, 0.01));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void anFppThatIsNoProbabilityIsRefused(double fpp) {
    refusesSaying("fpp must be in (0, 1), got " + FppText.exact(fpp), () -> builder().fpp(fpp));
    refusesSaying(
        "fpp must be in (0, 1), got " + FppText.exact(fpp),
        () -> BloomFilter.create(KeyHasher.longs(), 10, fpp));
  }

  @Test
  void fppsNextToTheLimitsAreTaken() {
    double almostOne = Math.nextDown(1.0);
    assertThat(builder().expectedKeys(10).fpp(almostOne).build().fpp()).isEqualTo(almostOne);
    assertThat(builder().expectedKeys(10).fpp(1e-12).build().fpp()).isEqualTo(1e-12);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, MAX_BITS + 1, Long.MAX_VALUE})
  void bitsOutOfRangeAreRefused(long bits) {
    refusesSaying("bits must be 1 to " + MAX_BITS + ", got " + bits, () -> builder().bits(bits));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 33, Integer.MAX_VALUE})
  void hashesOutOfRangeAreRefused(int hashes) {
    refusesSaying("hashes must be 1 to 32, got " + hashes, () -> builder().hashes(hashes));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void aNoticeBelowOneKeyIsRefused(long keys) {
    refusesSaying(
        "keys must be at least 1, got " + keys, () -> builder().whenKeysReach(keys, () -> {}));
  }

  @Test
  void whatIsMissingIsNamed() {
    refuses(
        IllegalStateException.class, () -> builder().build(), "expectedKeys, fpp, bits and hashes");
    refuses(IllegalStateException.class, () -> builder().expectedKeys(10).build());
    refuses(IllegalStateException.class, () -> builder().fpp(0.01).build());
    refuses(
        IllegalStateException.class,
        () -> builder().fpp(0.01).hashes(8).layout(Layout.SPLIT).build());
    refuses(IllegalStateException.class, () -> builder().bits(1_000).hashes(8).build(), "layout");
  }

  @Test
  void nullIsRefused() {
    refuses(NullPointerException.class, () -> BloomFilter.builder(null));
    refuses(NullPointerException.class, () -> BloomFilter.create(null, 10, 0.01));
    refuses(NullPointerException.class, () -> builder().layout(null));
    refuses(NullPointerException.class, () -> builder().whenKeysReach(1, null));
  }

  @ParameterizedTest
  @EnumSource
  void aSizeThatTheHeapCannotHoldIsRefusedWithBothNumbers(Layout layout) {
    long bits = MAX_BITS - MAX_BITS % (512 * 7); // 2 TiB, more than the tests may have
    long heap = Runtime.getRuntime().maxMemory();
    refuses(
        () -> withHashes(layout, layout.minHashes()).bits(bits).build(),
        bits / Byte.SIZE + " bytes",
        Long.toString(heap),
        "-Xmx");
  }

  @Test
  void messagesAreTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThatThrownBy(() -> withHashes(Layout.SPLIT, 9).build())
          .hasMessage("hashes of layout split must be 8 to 16 in steps of 8, got 9");
      assertThat(builder().layout(Layout.SPLIT).bits(512).hashes(8).build().toString())
          .contains("bits=512, hashes=8");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aBuilderMakesAnyNumberOfFilters() {
    BloomFilterBuilder<Long> builder = builder().expectedKeys(10).fpp(0.01);
    BloomFilter<Long> first = builder.build();
    first.put(1L);
    BloomFilter<Long> second = builder.seed(5).build();
    assertThat(second.mightContain(1L)).isFalse();
    assertThat(first.hashId().number()).isZero();
    assertThat(second.hashId().number()).isEqualTo(5);
  }

  @Test
  void eachFilterOfABuilderGivesItsOwnNotice() {
    AtomicInteger runs = new AtomicInteger();
    BloomFilterBuilder<Long> builder =
        builder().expectedKeys(10).fpp(0.01).whenKeysReach(1, runs::incrementAndGet);
    builder.build().put(1L);
    builder.build().put(1L);
    assertThat(runs).hasValue(2);
  }

  private static BloomFilterBuilder<Long> builder() {
    return BloomFilter.builder(KeyHasher.longs());
  }

  private static BloomFilterBuilder<Long> withHashes(Layout layout, int hashes) {
    return builder().layout(layout).bits(102_400).hashes(hashes);
  }
}
