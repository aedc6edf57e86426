package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Estimate;
import dev.tamis.Keys;
import dev.tamis.Thorough;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.WindowSizing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a window of puts promises beyond the suites. */
class WindowedBloomFilterTest {

  /** Low enough that no key of these tests is there by chance. */
  private static final double RARE = 1e-9;

  private static final OptionalInt EMPTY = OptionalInt.empty();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7, 10, 11, 50, 99, 100, 101, 333})
  void everyKeyOfTheLastPutsIsThereAtEveryStep(long window) {
    for (double fpp : new double[] {0.3, 0.01}) {
      WindowedBloomFilter<Long> filter = window(window, fpp);
      long[] hashes = Keys.hashes(window, 6 * window + 20).toArray();
      for (int put = 0; put < hashes.length; put++) {
        filter.putHash(hashes[put]);
        for (int i = Math.max(0, put + 1 - (int) window); i <= put; i++) {
          assertThat(filter.mightContainHash(hashes[i])).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 6, 7, 8, 64, 100, 101, 1_000, 1_001})
  void aKeyIsForgottenWithinAnEighthGeneration(long window) {
    WindowedBloomFilter<Long> filter = window(window, RARE);
    WindowSizing sizing = filter.sizing();
    for (long before = 0; before < 3 * sizing.generationKeys(); before++) {
      long phase = before % sizing.generationKeys();
      long expected = sizing.expectedKeys() + sizing.generationKeys() - phase;
      assertThat(expected).isBetween(window + 1, 8 * ((window + 6) / 7));
      assertThat(putsToForget(filter, before)).isEqualTo(expected);
    }
  }

  /**
   * Returns with how many puts, its own included, a key is forgotten. The others are all of one
   * key, because many keys would hide the forgotten one behind theirs for a while; three are tried,
   * because one may share a bit with it in the slice that decides.
   */
  private static long putsToForget(WindowedBloomFilter<Long> filter, long before) {
    long fewest = Long.MAX_VALUE;
    for (long other = 1; other <= 3; other++) {
      filter.clear();
      for (long put = 0; put < before; put++) {
        filter.put(other);
      }
      filter.put(42L);
      long puts = 1;
      while (filter.mightContain(42L)) {
        filter.put(other);
        puts++;
      }
      fewest = Math.min(fewest, puts);
    }
    return fewest;
  }

  @Test
  void aKeyIsThereAtTheEdgeOfTheWindow() {
    WindowedBloomFilter<Long> filter = window(105, RARE);
    long[] hashes = Keys.hashes(3, 1_000).toArray();
    for (int put = 0; put < hashes.length; put++) {
      filter.putHash(hashes[put]);
      if (put >= 300) {
        assertThat(filter.mightContainHash(hashes[put - 104])).isTrue(); // the 105th of the last
        assertThat(filter.mightContainHash(hashes[put - 120])).isFalse();
      }
    }
  }

  @Test
  void tellsHowManyGenerationsAgoAKeyWasPut() {
    WindowedBloomFilter<Long> filter = window(70, RARE);
    assertThat(filter.age(42L)).isEmpty();
    filter.put(42L);
    assertThat(filter.age(42L)).hasValue(0);
    for (int put = 1; put < 80; put++) {
      filter.put(43L);
      assertThat(filter.age(42L)).isEqualTo(put + 1 < 80 ? OptionalInt.of((put + 1) / 10) : EMPTY);
      assertThat(filter.age(43L).orElseThrow()).isLessThanOrEqualTo(1);
    }
    filter.put(42L);
    assertThat(filter.age(42L)).hasValue(0);
  }

  /** As long as that, the keys of other ages do not hide an age but with the fpp. */
  @Test
  void ageIsNeverTooHighAndSeldomTooLow() {
    WindowedBloomFilter<Long> filter = window(7_000, 0.01);
    long[] hashes = Keys.hashes(5, 50_000).toArray();
    int tooLow = 0;
    for (int put = 0; put < hashes.length; put++) {
      filter.put(hashes[put]);
      if (put >= 10_000 && put % 7 == 0) {
        int back = put * 31 % 6_999;
        int expected = (put + 1) / 1_000 - (put - back) / 1_000;
        int age = filter.age(hashes[put - back]).orElseThrow();
        assertThat(age).isLessThanOrEqualTo(expected);
        tooLow += age < expected ? 1 : 0;
      }
    }
    assertThat(tooLow).isLessThan(40_000 / 7 / 100 + 40);
  }

  @Test
  void aRepeatRefreshesItsKey() {
    WindowedBloomFilter<Long> filter = window(100, RARE);
    assertThat(filter.put(42L)).isTrue();
    for (int round = 0; round < 50; round++) {
      Keys.hashes(round, 99).forEach(filter::putHash);
      assertThat(filter.put(42L)).isFalse();
    }
    assertThat(filter.acceptedKeys()).isEqualTo(1 + 50 * 99);
    Keys.hashes(50, 400).forEach(filter::putHash);
    assertThat(filter.put(42L)).isTrue();
  }

  @Test
  void everyPutCountsAlsoARepeat() {
    WindowedBloomFilter<Long> filter = window(100, RARE);
    filter.put(42L);
    for (int i = 0; i < 120; i++) {
      filter.put(43L);
    }
    assertThat(filter.mightContain(42L)).isFalse();
    assertThat(filter.mightContain(43L)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"10000, 0.1", "10000, 0.001", "100000, 0.01", "20000, 0.0001"})
  void keepsTheFppInEveryPhaseForManyWindows(long window, double fpp) {
    WindowedBloomFilter<Long> filter = window(window, fpp);
    long bits = filter.bitSize();
    long phases = 8;
    long steps = (long) Thorough.or(25, 100) * WindowSizing.GENERATIONS * phases;
    long putsPerStep = filter.sizing().generationKeys() / phases;
    long queriesPerStep = Math.max(20, 400_000 / steps);
    SplittableRandom random = new SplittableRandom(window);
    long[] wrong = new long[(int) phases];
    double expected = 0;
    for (long step = 0; step < steps; step++) {
      for (long put = 0; put < putsPerStep; put++) {
        filter.putHash(random.nextLong());
      }
      for (long query = 0; query < queriesPerStep; query++) {
        wrong[(int) (step % phases)] += filter.mightContainHash(random.nextLong()) ? 1 : 0;
      }
      if (step % 101 == 0) {
        expected += 101 * filter.expectedFpp();
      }
    }
    double mean = fpp * queriesPerStep * steps / phases;
    double sum = 0;
    for (long count : wrong) {
      assertThat((double) count).isLessThanOrEqualTo(mean + 5 * Math.sqrt(mean));
      sum += count;
    }
    expected *= queriesPerStep;
    assertThat(sum).isCloseTo(expected, within(5 * Math.sqrt(expected) + 0.02 * expected));
    assertThat(sum).isGreaterThan(0.8 * phases * mean - 5 * Math.sqrt(phases * mean));
    assertThat(filter.bitSize()).isEqualTo(bits);
    assertThat(filter.serializedSize()).isEqualTo(bits / 8 + 132);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.1", "2, 0.01", "3, 0.3", "7, 0.1", "20, 0.01", "100, 0.1", "150, 0.01"})
  void keepsTheFppOfAHandfulOfPuts(long window, double fpp) {
    WindowedBloomFilter<Long> filter = window(window, fpp);
    SplittableRandom random = new SplittableRandom(window);
    long queries = Thorough.or(200_000, 1_000_000);
    long wrong = 0;
    for (long query = 0; query < queries; query++) {
      filter.putHash(random.nextLong());
      wrong += filter.mightContainHash(random.nextLong()) ? 1 : 0;
    }
    assertThat((double) wrong).isLessThanOrEqualTo(fpp * queries + 5 * Math.sqrt(fpp * queries));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 1e-3})
  void expectsTheWrongDropsThereAreForManyWindows(double fpp) {
    WindowedBloomFilter<Long> filter = window(1_000, fpp);
    long dropped = Keys.hashes(1, 300_000).filter(hash -> !filter.putHash(hash)).count();
    double expected = filter.expectedWrongDrops();
    assertThat((double) dropped).isCloseTo(expected, within(5 * Math.sqrt(expected)));
    assertThat(expected).isLessThan(300_000 * fpp / (1 - fpp));
  }

  @Test
  void knownKeysAreNoWrongDrops() {
    WindowedBloomFilter<Long> filter = window(1_000, 0.01);
    for (int round = 0; round < 100; round++) {
      Keys.hashes(1, 500).forEach(filter::putHash);
    }
    assertThat(filter.acceptedKeys()).isBetween(490L, 500L);
    assertThat(filter.expectedWrongDrops()).isLessThan(1);
  }

  @Test
  void countsTheDistinctKeysItRemembers() {
    int held = 0;
    for (int trial = 0; trial < 200; trial++) {
      WindowedBloomFilter<Long> filter = window(1_000, 0.01);
      int puts = 5_000 + 7 * trial;
      Keys.hashes(trial, puts).forEach(filter::putHash);
      WindowSizing sizing = filter.sizing();
      // seven generations that have ended, and what there is of the present one
      long remembered = sizing.expectedKeys() + puts % sizing.generationKeys();
      Estimate count = filter.approximateElementCount();
      held += count.low() <= remembered && remembered <= count.high() ? 1 : 0;
      assertThat(count.value() / remembered).isBetween(0.9, 1.1);
      assertThat(count.high() - count.low()).isLessThan(0.12 * remembered);
    }
    assertThat(held).isGreaterThanOrEqualTo(178);
  }

  @Test
  void goesOnAfterReadingAsIfNothingHadHappened() throws IOException {
    WindowedBloomFilter<Long> filter = window(100, 0.01);
    WindowedBloomFilter<Long> read = readBack(filter);
    for (long key = 0; key < 1_000; key++) {
      assertThat(read.put(key)).isEqualTo(filter.put(key));
      read = readBack(read);
      assertThat(read).isEqualTo(filter);
    }
  }

  @Test
  void copiesAreIndependent() {
    WindowedBloomFilter<Long> filter = window(100, 0.01);
    Keys.hashes(1, 250).forEach(filter::putHash);
    WindowedBloomFilter<Long> copy = filter.copy();
    assertThat(copy).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(copy.acceptedKeys()).isEqualTo(filter.acceptedKeys());
    Keys.hashes(2, 250).forEach(copy::putHash);
    assertThat(copy).isNotEqualTo(filter);
    Keys.hashes(2, 250).forEach(filter::putHash);
    assertThat(copy).isEqualTo(filter);
  }

  @Test
  void clearedItIsAsWhenItWasBuilt() {
    WindowedBloomFilter<Long> filter = window(100, 0.01);
    Keys.hashes(1, 257).forEach(filter::putHash);
    filter.clear();
    assertThat(filter).isEqualTo(window(100, 0.01));
    assertThat(filter.acceptedKeys()).isZero();
    assertThat(filter.expectedWrongDrops()).isZero();
    assertThat(filter.expectedFpp()).isZero();
  }

  @Test
  void equalityIsTheWindowTheHashAndTheState() {
    WindowedBloomFilter<Long> filter = window(100, 0.01);
    assertThat(filter)
        .isEqualTo(window(100, 0.01))
        .isNotEqualTo(window(90, 0.01))
        .isNotEqualTo(window(100, 0.02))
        .isNotEqualTo(builder().window(100).fpp(0.01).seed(1).build())
        .isNotEqualTo("a filter");
    WindowedBloomFilter<Long> further = window(100, 0.01);
    filter.put(1L);
    further.put(1L);
    assertThat(further).isEqualTo(filter);
    further.put(1L); // no bit changes
    assertThat(further).isNotEqualTo(filter);
  }

  @Test
  void saysWhatItIs() {
    WindowedBloomFilter<Long> filter = builder().window(1_000).fpp(0.01).seed(7).build();
    assertThat(filter.fpp()).isEqualTo(0.01);
    assertThat(filter.duration()).isEmpty();
    assertThat(filter.hashId().number()).isEqualTo(7);
    assertThat(filter.bitSize()).isEqualTo(filter.sizing().bits());
    assertThat(filter)
        .hasToString(
            "WindowedBloomFilter(window=1001 puts, blocks per key=1, blocks=21, bits=21504,"
                + " expected keys=1001, requested fpp=0.01, hash=xxh3 with seed 7)");
  }

  @Test
  void settingsThatContradictEachOtherAreRefused() {
    Duration hour = Duration.ofHours(1);
    contradicts(builder().fpp(0.1), "either a window of puts or a window of time");
    contradicts(builder().fpp(0.1).window(hour).window(1), "either a window of puts");
    contradicts(builder().fpp(0.1).window(10).expectedKeys(1), "no expectedKeys and no clock");
    contradicts(builder().fpp(0.1).window(10).clock(() -> Instant.EPOCH), "no expectedKeys");
    contradicts(builder().fpp(0.1).window(hour).clock(() -> Instant.EPOCH), "needs expectedKeys");
    contradicts(builder().fpp(0.1).window(hour).expectedKeys(1), "needs expectedKeys and a clock");
    contradicts(builder().window(10), "need fpp");
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    WindowedBloomFilterBuilder<Long> builder = builder();
    assertThatThrownBy(() -> builder.window(0)).hasMessage("window must be at least 1, got 0");
    assertThatThrownBy(() -> builder.fpp(1.5)).hasMessage("fpp must be in (0, 1), got 1.5");
    for (Duration time :
        new Duration[] {
          Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(36_525).plusNanos(1)
        }) {
      refusesSaying("window must be 1 ns to PT876600H, got " + time, () -> builder.window(time));
    }
    builder.window(Duration.ofNanos(1)).window(WindowedBloomFilterBuilder.MAX_TIME);
  }

  @Test
  void whatTheHeapCannotHoldIsRefused() {
    refuses(() -> window(5_000_000_000L, 0.01), "-Xmx");
  }

  private static void contradicts(WindowedBloomFilterBuilder<Long> builder, String reason) {
    refuses(IllegalStateException.class, builder::build, reason);
  }

  private static WindowedBloomFilterBuilder<Long> builder() {
    return WindowedBloomFilter.builder(KeyHasher.longs());
  }

  private static WindowedBloomFilter<Long> window(long puts, double fpp) {
    return builder().window(puts).fpp(fpp).build();
  }

  private static WindowedBloomFilter<Long> readBack(WindowedBloomFilter<Long> filter)
      throws IOException {
    return WindowedBloomFilter.readFrom(
        new ByteArrayInputStream(filter.toByteArray()), KeyHasher.longs(), Long.MAX_VALUE);
  }
}
