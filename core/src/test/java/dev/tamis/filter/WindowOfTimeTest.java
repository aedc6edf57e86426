package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Estimate;
import dev.tamis.Keys;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.WindowSizing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a window of time promises, by a clock that is moved by hand. */
class WindowOfTimeTest {

  private static final Instant START = Instant.parse("2020-01-02T03:04:05.678901234Z");
  private static final Duration WINDOW = Duration.ofMinutes(10);

  /** Low enough that no key of these tests is there by chance. */
  private static final double RARE = 1e-9;

  private Instant now = START;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 999, 1_000_000_007})
  void aKeyIsThereToTheLastNanosecondOfItsTime(long after) {
    WindowedBloomFilter<Long> filter = filter(1_000);
    Duration generation = generation(filter);
    now = START.plusNanos(after);
    filter.put(42L);
    Instant end = START.plus(generation.multipliedBy(WindowSizing.LIVE_GENERATIONS));
    assertThat(end).isAfterOrEqualTo(now.plus(WINDOW));
    assertThat(end).isBefore(START.plus(WINDOW.multipliedBy(8).dividedBy(7)).plusNanos(8));
    now = now.plus(WINDOW);
    assertThat(filter.mightContain(42L)).isTrue();
    now = end.minusNanos(1);
    assertThat(filter.mightContain(42L)).isTrue();
    now = end;
    assertThat(filter.mightContain(42L)).isFalse();
    now = end.plusNanos(1);
    assertThat(filter.mightContain(42L)).isFalse();
  }

  @Test
  void aKeyOfTheLastNanosecondOfAGenerationIsThereForTheWindow() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    now = START.plus(generation(filter)).minusNanos(1);
    filter.put(42L);
    now = now.plus(filter.duration().orElseThrow());
    assertThat(filter.mightContain(42L)).isTrue();
    assertThat(filter.copy().put(42L)).isFalse();
    now = now.plusNanos(1);
    assertThat(filter.mightContain(42L)).isFalse();
    assertThat(filter.copy().put(42L)).isTrue();
  }

  @Test
  void whatWasPutWithinTheWindowIsThereAtEveryInstant() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    SplittableRandom random = new SplittableRandom(1);
    TreeMap<Instant, Long> puts = new TreeMap<>();
    for (int step = 0; step < 20_000; step++) {
      now =
          now.plusNanos(random.nextLong(random.nextInt(100) == 0 ? 200_000_000_000L : 900_000_000));
      puts.headMap(now.minus(WINDOW)).clear();
      long hash = random.nextLong();
      filter.putHash(hash);
      puts.put(now, hash);
      if (step % 50 == 0) {
        now = now.plusNanos(random.nextLong(50_000_000_000L));
        assertThat(puts.tailMap(now.minus(WINDOW)).values()).allMatch(filter::mightContainHash);
      }
    }
  }

  @Test
  void aClockThatGoesBackLosesNothing() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    now = START.plusSeconds(300);
    filter.put(1L);
    now = START.minusSeconds(100_000);
    assertThat(filter.mightContain(1L)).isTrue();
    filter.put(2L);
    assertThat(filter.put(1L)).isFalse();
    for (Instant instant :
        new Instant[] {Instant.MIN, Instant.EPOCH, START, START.plusSeconds(600)}) {
      now = instant;
      assertThat(filter.mightContain(1L)).isTrue();
      assertThat(filter.mightContain(2L)).isTrue();
    }
    now = START.plusSeconds(300).plus(WINDOW);
    assertThat(filter.mightContain(2L)).isTrue();
    now = START.plusSeconds(300).plus(WINDOW.multipliedBy(2));
    assertThat(filter.mightContain(1L)).isFalse();
    assertThat(filter.mightContain(2L)).isFalse();
  }

  @Test
  void aGlimpseOfTheFutureLosesNothingByAsking() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    filter.put(1L);
    now = Instant.MAX;
    assertThat(filter.mightContain(1L)).isFalse();
    assertThat(filter.expectedFpp()).isZero();
    now = START.plusSeconds(1);
    assertThat(filter.mightContain(1L)).isTrue();
  }

  @Test
  void aLongPauseClearsEverything() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    Keys.hashes(1, 1_000).forEach(filter::putHash);
    now = START.plusSeconds(1_000_000_000);
    assertThat(Keys.hashes(1, 1_000).noneMatch(filter::mightContainHash)).isTrue();
    assertThat(filter.expectedFpp()).isZero();
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(0, 0, 0));
    assertThat(filter.putHash(7)).isTrue();
    assertThat(filter.mightContainHash(7)).isTrue();
    assertThat(filter.approximateElementCount().rounded()).isEqualTo(1);
    now = now.plus(WINDOW);
    assertThat(filter.mightContainHash(7)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z"})
  void instantsOutOfRangeAreTheNearest(String instant) {
    now = Instant.parse(instant);
    WindowedBloomFilter<Long> filter = filter(1_000);
    filter.put(1L);
    assertThat(filter.mightContain(1L)).isTrue();
    now = START;
    filter.put(2L);
    assertThat(filter.mightContain(2L)).isTrue();
    now = Instant.MAX;
    filter.put(3L);
    assertThat(filter.mightContain(3L)).isTrue();
    now = Instant.MIN;
    assertThat(filter.mightContain(3L)).isTrue();
  }

  @Test
  void askingChangesNothingWhateverTheTime() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    Keys.hashes(1, 500).forEach(filter::putHash);
    byte[] bytes = filter.toByteArray();
    now = START.plusSeconds(450);
    Keys.hashes(1, 1_000).forEach(filter::mightContainHash);
    assertThat(filter.expectedFpp()).isLessThan(0.01);
    assertThat(filter.approximateElementCount().rounded()).isPositive();
    assertThat(filter.expectedWrongDrops()).isNotNegative();
    assertThat(filter.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void keepsTheFppWhileTheKeysComeEvenly() {
    WindowedBloomFilter<Long> filter = filter(10_000, 0.01);
    long wrong = 0;
    for (long put = 0; put < 300_000; put++) {
      now = now.plusNanos(WINDOW.toNanos() / 10_000);
      filter.putHash(new SplittableRandom(put).nextLong());
      wrong += filter.mightContainHash(new SplittableRandom(-1 - put).nextLong()) ? 1 : 0;
    }
    assertThat(wrong).isLessThan(3_000 + (long) (5 * Math.sqrt(3_000)));
    assertThat(filter.expectedFpp()).isLessThan(0.0105);
  }

  @Test
  void showsThatMoreKeysComeThanExpected() {
    WindowedBloomFilter<Long> filter = filter(1_000, 0.01);
    for (long put = 0; put < 20_000; put++) {
      now = now.plusNanos(WINDOW.toNanos() / 5_000);
      filter.put(put);
    }
    assertThat(filter.expectedFpp()).isGreaterThan(0.5);
    for (long put = 15_001; put < 20_000; put++) {
      assertThat(filter.mightContain(put)).isTrue();
    }
    assertThat(filter.expectedWrongDrops())
        .isBetween(0.8 * (20_000 - filter.acceptedKeys()), 1.2 * (20_000 - filter.acceptedKeys()));
  }

  @Test
  void whatExpiredWhileItWasInAFileStaysExpired() throws IOException {
    WindowedBloomFilter<Long> filter = filter(1_000);
    filter.put(1L);
    now = START.plusSeconds(400);
    filter.put(2L);
    byte[] bytes = filter.toByteArray();
    now = START.plusSeconds(700);
    WindowedBloomFilter<Long> read = read(bytes);
    assertThat(read).isEqualTo(filter);
    assertThat(read.mightContain(1L)).isFalse();
    assertThat(read.mightContain(2L)).isTrue();
    assertThat(read.acceptedKeys()).isEqualTo(1);
    assertThat(read.put(3L)).isTrue();
    assertThat(read.toByteArray()).isNotEqualTo(bytes);
    now = START.plusSeconds(400).plus(WINDOW);
    assertThat(read.mightContain(2L)).isTrue();
    now = START.plusSeconds(400).plus(WINDOW.multipliedBy(8).dividedBy(7).plusNanos(8));
    assertThat(read.mightContain(2L)).isFalse();
    assertThat(read.mightContain(3L)).isTrue();
  }

  @Test
  void withoutAClockItIsRefused() {
    byte[] bytes = filter(1_000).toByteArray();
    String refusal = "nanoseconds of a generation at byte 64: expected 0, because a window of time";
    assertThatThrownBy(
            () ->
                WindowedBloomFilter.readFrom(
                    new ByteArrayInputStream(bytes), KeyHasher.longs(), Long.MAX_VALUE))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(refusal);
    refuses(
        FormatException.class,
        () -> Filters.readFrom(new ByteArrayInputStream(bytes), KeyHasher.longs(), Long.MAX_VALUE),
        refusal);
  }

  @Test
  void aClockIsOfNoUseToAWindowOfPuts() throws IOException {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(10).fpp(0.1).build();
    filter.put(1L);
    assertThat(read(filter.toByteArray())).isEqualTo(filter);
  }

  @Test
  void clearedItBeginsAtThePresent() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    filter.put(1L);
    now = START.plusSeconds(100);
    filter.clear();
    assertThat(filter).isEqualTo(filter(1_000));
    assertThat(filter.mightContain(1L)).isFalse();
  }

  @Test
  void copiesGoByTheSameClock() {
    WindowedBloomFilter<Long> filter = filter(1_000);
    filter.put(1L);
    WindowedBloomFilter<Long> copy = filter.copy();
    assertThat(copy).isEqualTo(filter);
    now = now.plus(WINDOW.multipliedBy(2));
    assertThat(copy.mightContain(1L)).isFalse();
    copy.put(2L);
    assertThat(copy).isNotEqualTo(filter);
    assertThat(filter.mightContain(2L)).isFalse();
  }

  @Test
  void saysHowLongItRemembers() {
    assertThat(filter(1_000).duration().orElseThrow())
        .isBetween(WINDOW, WINDOW.plusNanos(WindowSizing.GENERATIONS));
    assertThat(filter(1_000).toString()).contains("window=PT10M");
  }

  private Duration generation(WindowedBloomFilter<Long> filter) {
    return filter.duration().orElseThrow().dividedBy(WindowSizing.GENERATIONS);
  }

  private WindowedBloomFilter<Long> filter(long expectedKeys) {
    return filter(expectedKeys, RARE);
  }

  private WindowedBloomFilter<Long> filter(long expectedKeys, double fpp) {
    return WindowedBloomFilter.<Long>builder(KeyHasher.longs())
        .window(WINDOW)
        .expectedKeys(expectedKeys)
        .fpp(fpp)
        .clock(() -> now)
        .build();
  }

  private WindowedBloomFilter<Long> read(byte[] bytes) throws IOException {
    return WindowedBloomFilter.readFrom(
        new ByteArrayInputStream(bytes), KeyHasher.longs(), Long.MAX_VALUE, () -> now);
  }
}
