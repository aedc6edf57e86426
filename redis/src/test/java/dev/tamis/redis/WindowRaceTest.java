package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A key is new to exactly one while the filter rotates, whatever the clocks of the processes say.
 */
@Timeout(120)
class WindowRaceTest {

  private final JedisLink link = TestServer.sharedLink();
  private final String name = TestServer.newName();
  private final AtomicLong now = new AtomicLong(1_000_000);

  /** Opens a filter whose generations are filled for a second each. */
  private RedisWindowedBloomFilter<Long> process(
      RedisLink by, int generations, InstantSource clock) {
    return builder(by, generations, clock).shardBytes(200_000).createOrOpen();
  }

  /** Opens one with a single shard, so that all keys meet the same period. */
  private RedisWindowedBloomFilter<Long> inOneShard(InstantSource clock) {
    RedisWindowedBloomFilter<Long> filter = builder(link, 4, clock).createOrOpen();
    assertThat(filter.shards()).isEqualTo(1);
    return filter;
  }

  private RedisWindowedBloomFilterBuilder<Long> builder(
      RedisLink by, int generations, InstantSource clock) {
    return RedisWindowedBloomFilter.<Long>builder(by, name, KeyHasher.longs())
        .window(Duration.ofSeconds(generations - 1))
        .generations(generations)
        .expectedKeys(100_000)
        .fpp(1e-7)
        .clock(clock);
  }

  private InstantSource clock(long skewMillis) {
    return () -> Instant.ofEpochMilli(now.get() + skewMillis);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsNewToExactlyOneThreadWhileTheFilterRotatesUnderSkewedClocks(LinkKind kind) {
    int keys = 1_200;
    int threads = 4;
    long[] hashes = Keys.hashes(1, keys).toArray();
    AtomicIntegerArray wins = new AtomicIntegerArray(keys);
    // 4,800 puts take 4.8 seconds of a window of 7; the clocks differ by 1.2
    Race.run(
        threads,
        thread -> {
          try (RedisLink own = kind.to(TestServer.shared().uri())) {
            var filter = process(own, 8, clock(thread * 400L));
            SplittableRandom random = new SplittableRandom(thread);
            int first = random.nextInt(20);
            for (int i = 0; i < keys; i++) {
              int key = (i + first) % keys;
              now.incrementAndGet();
              if (filter.putHash(hashes[key])) {
                wins.incrementAndGet(key);
              }
            }
          }
        });
    for (int i = 0; i < keys; i++) {
      assertThat(wins.get(i)).as("key %d", i).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 9})
  void aPutThatIsOvertakenByTurnsIsInForTheWhole(int turns) {
    var other = process(link, 4, clock(0));
    Saboteur slow = new Saboteur(link);
    var held = process(slow, 4, clock(0));
    slow.beforeNextPut(
        () -> {
          for (int i = 0; i < turns; i++) {
            now.addAndGet(1_000);
            other.mightContain(99L);
          }
        });
    assertThat(held.put(1L)).isTrue();
    now.addAndGet(3_000);
    assertThat(other.put(1L)).isFalse();
    now.addAndGet(4_000);
    assertThat(other.put(1L)).isTrue();
  }

  @Test
  void ofTwoThatMeetAtATurnTheFirstAloneIsToldThatItIsNew() {
    Saboteur slow = new Saboteur(link);
    var held = process(slow, 4, clock(0));
    var fast = process(link, 4, clock(700));
    now.set(1_000_500);
    slow.beforeNextPut(() -> assertThat(fast.put(1L)).isTrue()); // in the next generation
    assertThat(held.put(1L)).isFalse();

    assertThat(held.put(2L)).isTrue();
    assertThat(fast.put(2L)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 500, 999, 1_000, 2_999})
  void aClockThatIsAheadTakesNoMoreFromTheWindowThanItIsAhead(long skew) {
    var slow = process(link, 4, clock(0));
    now.set(2_000_999);
    assertThat(slow.put(1L)).isTrue();
    var fast = process(link, 4, clock(skew));
    now.addAndGet(3_000 - skew);
    assertThat(fast.mightContain(1L)).isTrue();
    assertThat(slow.put(1L)).isFalse();
  }

  @Test
  void aClockThatIsBehindTakesNothingFromTheWindow() {
    var fast = inOneShard(clock(0));
    var slow = inOneShard(clock(-60_000));
    now.set(3_000_000);
    fast.put(1L);
    assertThat(slow.put(2L)).isTrue(); // into the generation that is present there
    now.addAndGet(3_999);
    assertThat(fast.put(2L)).isFalse();
  }

  @Test
  void whereAFailoverHasLostATurnAPutTurnsAgainAndIsInForTheWhole() {
    var filter = inOneShard(clock(0));
    var other = inOneShard(clock(0));
    now.set(4_000_000);
    filter.put(1L);
    other.put(1L);
    TestServer.shared()
        .command(
            "BITFIELD", Shards.keyOf(name + ShardStore.WINDOW, 0), "SET", "i64", "960", "3999");
    assertThat(filter.put(2L)).isTrue();
    assertThat(
            TestServer.shared()
                .command(
                    "BITFIELD_RO", Shards.keyOf(name + ShardStore.WINDOW, 0), "GET", "i64", "960"))
        .hasToString("Numbers[values=[4000]]");
    now.addAndGet(3_000);
    assertThat(other.put(2L)).isFalse();
  }

  @Test
  void aPutWhoseReplyIsLostOrThatCannotBeBroughtForwardIsUncertain() {
    Saboteur saboteur = new Saboteur(link);
    var filter = process(saboteur, 4, clock(0));
    saboteur.loseRepliesFrom(0);
    refuses(UncertainPutException.class, () -> filter.put(1L));
    assertThat(saboteur.sent("BITFIELD")).isEqualTo(1);
    long[] hashes = Keys.hashes(1, 10).toArray();
    saboteur.loseRepliesFrom(4);
    boolean[] isNew = new boolean[10];
    assertThatThrownBy(() -> filter.putHashes(hashes, 10, isNew))
        .isInstanceOfSatisfying(
            UncertainPutException.class, e -> assertThat(e.firstUncertain()).isEqualTo(4));
    assertThat(isNew).startsWith(true, true, true, true, false);

    Saboteur slow = new Saboteur(link);
    var held = process(slow, 4, clock(0));
    slow.loseRepliesFrom(1);
    slow.beforeNextPut(() -> now.addAndGet(1_000)); // it is put again, and that reply is lost
    refuses(UncertainPutException.class, () -> held.put(2L));
    slow.loseRepliesFrom(Integer.MAX_VALUE);
    assertThat(held.put(2L)).isFalse();
  }

  @Test
  void aTurnThatFailsInABulkPutSaysHowFarTheAnswersGo() {
    Saboteur saboteur = new Saboteur(link);
    AtomicLong reads = new AtomicLong(Long.MAX_VALUE);
    var filter =
        process(
            saboteur,
            4,
            () -> {
              if (reads.decrementAndGet() == 0) { // when the second batch is about to be put
                now.addAndGet(1_000);
                saboteur.loseRepliesOfNextCalls(1);
              }
              return Instant.ofEpochMilli(now.get());
            });
    long[] hashes = Keys.hashes(1, 300).toArray();
    boolean[] isNew = new boolean[300];
    reads.set(3);
    assertThatThrownBy(() -> filter.putHashes(hashes, 300, isNew))
        .isInstanceOfSatisfying(
            UncertainPutException.class, e -> assertThat(e.firstUncertain()).isEqualTo(256));
    for (int i = 0; i < 300; i++) {
      assertThat(isNew[i]).as("key %d", i).isEqualTo(i < 256);
    }

    now.addAndGet(1_000);
    saboteur.loseRepliesOfNextCalls(1);
    refuses(RedisUnavailableException.class, () -> filter.putHash(1));
    assertThat(filter.putHash(1)).isTrue();
  }

  @Test
  void theServerIsQueriedForTheTimeWhenEitherOfTheClocksHereSaysThatItMayBeTime() {
    long years = Duration.ofDays(365).toMillis();
    RedisWindowedBloomFilter.<Long>builder(link, name, KeyHasher.longs())
        .window(Duration.ofDays(90 * 365)) // a turn every 30 years
        .expectedKeys(1_000)
        .fpp(0.01)
        .create();
    AtomicLong steady = new AtomicLong();
    Saboteur counting = new Saboteur(link);
    Epoch epoch = ShardStore.ofWindow(new Server(link), name).open();
    InstantSource wall = () -> Instant.ofEpochMilli(now.get());
    RotationClock rotation =
        new RotationClock(new Server(counting), epoch, null, wall, steady::get);
    int[] shards = {0};

    rotation.rotateIfDue(shards);
    rotation.rotateIfDue(shards);
    assertThat(counting.roundTrips()).containsExactly(1);
    now.addAndGet(40 * years); // the machine has slept
    rotation.rotateIfDue(shards);
    assertThat(counting.roundTrips()).containsExactly(1);
    rotation.rotateIfDue(shards);
    now.addAndGet(-80 * years);
    rotation.rotateIfDue(shards);
    assertThat(counting.roundTrips()).isEmpty();
    steady.addAndGet(40 * years); // the clock was set back meanwhile
    rotation.rotateIfDue(shards);
    assertThat(counting.roundTrips()).containsExactly(1);
    long period = System.currentTimeMillis() / (30 * years);
    assertThat(rotation.period(0)).isEqualTo(period); // what the server says, not what was guessed
  }

  @Test
  void aWindowShorterThanARoundTripIsUncertainAndNotAnEndlessAttempt() {
    var filter = process(link, 4, () -> Instant.ofEpochMilli(now.addAndGet(1_000)));
    refuses(
        UncertainPutException.class,
        () -> filter.put(1L),
        "a generation ends before a reply arrives");
  }
}
