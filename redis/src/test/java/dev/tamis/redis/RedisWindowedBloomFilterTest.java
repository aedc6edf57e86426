package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long keys stay, by a clock handed in and by the server's; sizes, round trips, names. */
@Timeout(60)
class RedisWindowedBloomFilterTest {

  private static final Duration WINDOW = Duration.ofSeconds(3);

  private final JedisLink link = TestServer.sharedLink();
  private final String name = TestServer.newName();
  private long now = 10_000;

  private RedisWindowedBloomFilterBuilder<Long> builder() {
    return builder(link);
  }

  private RedisWindowedBloomFilterBuilder<Long> builder(RedisLink by) {
    return TestFilters.window(by, name, WINDOW, 3_000, 0.001)
        .clock(() -> Instant.ofEpochMilli(now));
  }

  @ParameterizedTest
  @CsvSource({"4, 0", "4, 1", "4, 999", "2, 0", "2, 2999", "7, 499", "32, 50"})
  void aKeyIsInForTheWindowAndGoneAGenerationLater(int generations, int intoSpan) {
    RedisWindowedBloomFilter<Long> filter = builder().generations(generations).create();
    long span = new Rotation(generations, 3_000).spanMillis();
    long start = 1_000 * span;
    now = start + intoSpan;
    assertThat(filter.put(1L)).isTrue();
    long putAt = now;

    for (long later : new long[] {0, 1, 2_999, 3_000}) {
      now = putAt + later;
      assertThat(filter.mightContain(1L)).as("after %d", later).isTrue();
    }
    now = start + generations * span - 1;
    assertThat(filter.mightContain(1L)).isTrue();
    now = start + generations * span;
    assertThat(now - putAt).isBetween(3_001L, filter.longestMemory().toMillis());
    assertThat(filter.mightContain(1L)).isFalse();
    assertThat(filter.put(1L)).isTrue();
    assertThat(filter.acceptedKeys()).isEqualTo(2);
  }

  @Test
  void aPutOfAKnownKeyRefreshesIt() {
    RedisWindowedBloomFilter<Long> filter = builder().create();
    assertThat(filter.put(1L)).isTrue();
    for (int i = 0; i < 20; i++) {
      now += 3_000;
      assertThat(filter.put(1L)).isFalse();
    }
    now += 4_000;
    assertThat(filter.put(1L)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {4_000, 5_000, 86_400_000, 10_000_000_000L})
  void nothingIsLostWhileNoProcessRuns(long pauseMillis) {
    RedisWindowedBloomFilter<Long> filter = builder().create();
    long[] hashes = TestFilters.fill(filter, 1, 1_000);
    now += pauseMillis;
    RedisWindowedBloomFilter<Long> next = builder().createOrOpen();
    for (RedisWindowedBloomFilter<Long> one : List.of(filter, next)) {
      assertThat(TestFilters.query(one, hashes)).containsOnly(false);
      assertThat(one.approximateElementCount().value()).isZero();
    }
    assertThat(TestFilters.put(next, hashes)).containsOnly(true);
  }

  @Test
  void theFppIsKeptInEveryPhaseAndMemoryStaysAsItIs() {
    RedisWindowedBloomFilter<Long> filter = builder().fpp(0.02).create();
    String length =
        TestServer.shared().command("STRLEN", Shards.keyOf(name + ShardStore.WINDOW, 0)).toString();
    int strangers = 5_000;
    long[] others = Keys.hashes(2, strangers).toArray();
    boolean[] answers = new boolean[strangers];
    for (int span = 0; span < 9; span++) {
      long[] hashes = Keys.hashes(10 + span, 1_000).toArray();
      filter.putHashes(hashes, 1_000, new boolean[1_000]);
      filter.mightContainHashes(others, strangers, answers);
      int wrong = 0;
      for (boolean answer : answers) {
        wrong += answer ? 1 : 0;
      }
      double margin = 5 * Math.sqrt(strangers * 0.02);
      assertThat((double) wrong).isLessThan(strangers * 0.02 + margin);
      assertThat(wrong / (double) strangers).isCloseTo(filter.expectedFpp(), within(0.01));
      assertThat(filter.expectedFpp()).isLessThan(0.022);
      assertThat(filter.approximateElementCount().value())
          .isCloseTo(1_000.0 * Math.min(4, span + 1), within(150.0));
      now += 1_000;
    }
    assertThat(filter.expectedFpp()).isBetween(0.01, 0.02); // three generations of four
    assertThat(TestServer.shared().command("STRLEN", Shards.keyOf(name + ShardStore.WINDOW, 0)))
        .hasToString(length);
    assertThat(filter.bitSize()).isLessThan(3_000 * 24);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 300_000, 365_000})
  void aTurnClearsOneGenerationToItsLastByteAndNothingElse(int keys) {
    RedisWindowedBloomFilter<Long> filter = builder().expectedKeys(keys).fpp(0.01).create();
    long bits = filter.bitSize() / 4;
    String key = Shards.keyOf(name + ShardStore.WINDOW, 0);
    byte[] ones = new byte[(int) (4 * bits / Byte.SIZE)];
    Arrays.fill(ones, (byte) -1);
    link.send(
        List.of(
            Command.write(
                "SETRANGE",
                CommandTokens.of(key),
                CommandTokens.of(key),
                CommandTokens.of(128),
                ones)));
    for (int turns = 1; turns <= 4; turns++) {
      now += 1_000;
      assertThat(filter.mightContain(1L)).isEqualTo(turns < 4);
      List<Long> counts = new ArrayList<>();
      for (int generation = 0; generation < 4; generation++) {
        long first = 128 + generation * bits / Byte.SIZE;
        String last = Long.toString(first + bits / Byte.SIZE - 1);
        Reply ofOne = TestServer.shared().command("BITCOUNT", key, Long.toString(first), last);
        counts.add(((Reply.Whole) ofOne).value());
      }
      assertThat(counts).allMatch(count -> count == 0 || count == bits);
      assertThat(counts.stream().filter(count -> count == 0)).hasSize(turns);
    }
  }

  @ParameterizedTest
  @EnumSource
  void byTheServersClockAKeyIsInForTheWindowAndThenGone(LinkKind kind) {
    try (RedisLink own = kind.to(TestServer.shared().uri())) {
      RedisWindowedBloomFilter<Long> filter =
          TestFilters.window(own, name, Duration.ofMillis(150), 1_000, 1e-6).create();
      for (long key = 0; key < 3; key++) {
        long before = System.nanoTime();
        assertThat(filter.put(key)).isTrue();
        boolean in = true;
        while (in) {
          in = filter.mightContain(key);
        }
        Duration stayed = Duration.ofNanos(System.nanoTime() - before);
        assertThat(stayed).isGreaterThanOrEqualTo(Duration.ofMillis(149)); // two clocks, rounded
        assertThat(filter.put(key)).isTrue();
      }
    }
  }

  @Test
  void aPutAndABatchAreOneRoundTripEach() {
    Saboteur counting = new Saboteur(link);
    RedisWindowedBloomFilter<Long> filter = builder(counting).create();
    counting.roundTrips();
    filter.put(1L);
    filter.mightContain(1L);
    long[] hashes = TestFilters.fill(filter, 1, 600);
    filter.mightContainHashes(hashes, 600, new boolean[600]);
    assertThat(counting.roundTrips()).containsExactly(1, 1, 256, 256, 88, 256, 256, 88);
    now += 1_000;
    filter.put(2L); // the first call in a period turns
    filter.put(3L);
    assertThat(counting.roundTrips()).containsExactly(1, 1, 1);
  }

  @ParameterizedTest
  @EnumSource
  void aFilterOfManyShardsOnAClusterTurnsInEachOfThem(LinkKind kind) {
    try (RedisLink cluster = kind.toCluster(TestCluster.shared())) {
      RedisWindowedBloomFilter<Long> filter = builder(cluster).shardBytes(2_048).create();
      assertThat(filter.shards()).isGreaterThan(4);
      long[] hashes = Keys.hashes(1, 1_000).toArray();
      boolean[] answers = new boolean[1_000];
      filter.putHashes(hashes, 1_000, answers);
      assertThat(answers).containsOnly(true);
      RedisWindowedBloomFilter<Long> other = builder(cluster).shardBytes(2_048).createOrOpen();
      now += 3_000;
      other.mightContainHashes(hashes, 1_000, answers);
      assertThat(answers).containsOnly(true);
      other.putHashes(hashes, 500, answers);
      assertThat(answers).containsOnly(false, true);
      now += 1_000;
      filter.putHashes(hashes, 1_000, answers);
      for (int i = 0; i < 1_000; i++) {
        assertThat(answers[i]).as("key %d", i).isEqualTo(i >= 500);
      }
      assertThat(RedisWindowedBloomFilter.delete(cluster, name)).isTrue();
    }
  }

  @Test
  void anotherObjectOfTheSameNameIsTheSameFilter() {
    RedisWindowedBloomFilter<Long> one = builder().seed(7).create();
    RedisWindowedBloomFilter<Long> other = TestFilters.openWindow(link, name);
    assertThat(other.window()).isEqualTo(WINDOW);
    assertThat(other.longestMemory()).isEqualTo(Duration.ofSeconds(4));
    assertThat(other.generations()).isEqualTo(4);
    assertThat(other.expectedKeys()).isEqualTo(3_000);
    assertThat(other.fpp()).isEqualTo(0.001);
    assertThat(other.hashId()).isEqualTo(one.hashId());
    assertThat(other.putAll(List.of(1L, 2L, 1L))).containsExactly(true, true, false);
    assertThat(one.mightContainAll(List.of(2L, 3L))).containsExactly(true, false);
    assertThat(one).hasToString(other.toString());
  }

  @Test
  void otherParametersAreRefusedByTheNameOfTheField() {
    builder().create();
    refuses(
        FilterMismatchException.class,
        () -> builder().window(Duration.ofMillis(3_001)).createOrOpen(),
        "window differs");
    refuses(
        FilterMismatchException.class,
        () -> builder().expectedKeys(6_000).createOrOpen(),
        "bits differs");
    refuses(FilterMismatchException.class, () -> builder().seed(1).createOrOpen(), "seed differs");
    refuses(FilterExistsException.class, () -> builder().create());
  }

  @Test
  void aWindowAndAPlainFilterAreNotTakenForOneAnother() {
    builder().create();
    refuses(
        FilterMismatchException.class,
        () -> TestFilters.open(link, name + ShardStore.WINDOW),
        "RedisWindowedBloomFilter");
    refuses(FilterLostException.class, () -> TestFilters.open(link, name));
    String plain = TestServer.newName();
    TestFilters.builder(link, plain + ShardStore.WINDOW, 1_000, 0.01).create();
    refuses(
        FilterMismatchException.class,
        () -> TestFilters.openWindow(link, plain),
        "RedisBloomFilter");
  }

  @ParameterizedTest
  @CsvSource({"1, 4", "32, 1", "33, 4"})
  void theBuilderChecksAtOnce(int generations, long shardBytes) {
    refuses(() -> builder().generations(generations).shardBytes(shardBytes));
  }

  @Test
  void theBuilderNeedsAWindowKeysAndAnFpp() {
    refuses(() -> builder().window(Duration.ZERO), "window");
    refuses(() -> builder().window(Duration.ofDays(40_000)));
    assertThat(builder().window(Duration.ofNanos(1)).create().window())
        .isEqualTo(Duration.ofMillis(1));
    refuses(
        IllegalStateException.class,
        () ->
            RedisWindowedBloomFilter.<Long>builder(link, name, KeyHasher.longs())
                .window(WINDOW)
                .fpp(0.1)
                .create(),
        "expectedKeys");
  }
}
