package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stranger who puts into a window: he can make one of puts forget, and one of time lie, but not
 * make a window of time forget. No hash key changes that, because no key has to be chosen.
 */
class WindowAttackTest {

  private static final int WINDOW = 1_000;
  private static final int VICTIMS = 100;
  private static final double FPP = 0.01;

  private Instant now = Instant.EPOCH;

  @BeforeEach
  void startTheClock() {
    now = Instant.EPOCH;
  }

  private static KeyHasher<Long> hasher(boolean secret) {
    return secret ? KeyHasher.longs().keyedBy(HashKey.of(new byte[16])) : KeyHasher.longs();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneKeyPutOverAndOverRotatesAWindowOfPuts(boolean secret) {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(hasher(secret)).window(WINDOW).fpp(FPP).build();
    LongStream.range(0, VICTIMS).forEach(filter::put);
    putRepeatedly(filter, WINDOW - VICTIMS);
    assertThat(present(filter)).as("within the window").isEqualTo(VICTIMS);
    putRepeatedly(filter, WINDOW / 6);
    assertThat(present(filter)).as("a window and a generation later").isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFloodMakesAWindowOfTimeLieButForgetsNothing(boolean secret) {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(hasher(secret))
            .window(Duration.ofHours(1))
            .expectedKeys(WINDOW)
            .fpp(FPP)
            .clock(() -> now)
            .build();
    LongStream.range(0, VICTIMS).forEach(filter::put);
    long bits = filter.bitSize();
    LongStream.range(0, 20 * WINDOW).forEach(i -> filter.put(1_000_000 + i));
    now = now.plus(Duration.ofHours(1));
    assertThat(present(filter)).isEqualTo(VICTIMS);
    assertThat(filter.bitSize()).isEqualTo(bits);
    assertThat(filter.expectedFpp()).isGreaterThan(0.5);
    now = now.plus(Duration.ofHours(2));
    assertThat(filter.expectedFpp()).as("once the flood is over").isLessThan(FPP);
  }

  private static void putRepeatedly(WindowedBloomFilter<Long> filter, int times) {
    for (int i = 0; i < times; i++) {
      filter.put(-1L);
    }
  }

  private static long present(WindowedBloomFilter<Long> filter) {
    return LongStream.range(0, VICTIMS).filter(filter::mightContain).count();
  }
}
