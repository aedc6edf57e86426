package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches with many known keys, which are queried before they are put. */
class KnownKeysTest {

  private static final int KEYS = 4 * Server.BATCH;

  private final Saboteur link = new Saboteur(TestServer.shared().link());
  private final long[] hashes = Keys.hashes(1, KEYS).toArray();
  private final boolean[] isNew = new boolean[KEYS];

  private RedisBloomFilter<Long> filter(double fpp) {
    return TestFilters.builder(link, TestServer.newName(), KEYS, fpp).create();
  }

  @AfterEach
  void close() {
    link.close();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.01, 1e-6})
  void theAnswersAreThoseOfAFilterInMemory(double fpp) {
    RedisBloomFilter<Long> filter = filter(fpp);
    BloomFilter<Long> local = TestFilters.like(filter);
    SplittableRandom random = new SplittableRandom(1);
    for (int distinct = 100; distinct <= KEYS; distinct += 100) {
      long[] drawn = random.longs(KEYS, 0, distinct).map(i -> hashes[(int) i]).toArray();
      boolean[] expected = new boolean[KEYS];
      local.putHashes(drawn, KEYS, expected);
      filter.putHashes(drawn, KEYS, isNew);
      assertThat(isNew).isEqualTo(expected);
    }
    assertThat(filter.acceptedKeys()).isEqualTo(local.acceptedKeys());
  }

  @Test
  void knownKeysAreNotPutAgain() {
    RedisBloomFilter<Long> filter = filter(1e-6);
    filter.putHashes(hashes, KEYS, isNew);
    assertThat(link.sent("BITFIELD")).isEqualTo(KEYS);
    filter.putHashes(hashes, KEYS, isNew);
    assertThat(link.sent("BITFIELD")).isEqualTo(KEYS + Server.BATCH);
    filter.putHashes(hashes, KEYS, isNew);
    assertThat(link.sent("BITFIELD")).isEqualTo(KEYS + Server.BATCH);
    assertThat(isNew).containsOnly(false);
  }

  @Test
  void newKeysAreNotLookedUpForLong() {
    RedisBloomFilter<Long> filter = filter(1e-6);
    filter.putHashes(hashes, Server.BATCH, isNew);
    filter.putHashes(hashes, Server.BATCH, isNew);
    long before = link.sent("GETRANGE");
    filter.putHashes(hashes, KEYS, isNew); // the first batch is known
    filter.putHashes(Keys.hashes(2, KEYS).toArray(), KEYS, isNew);
    int reads = 2 * Server.BATCH; // two lines for each key
    assertThat(link.sent("GETRANGE")).isEqualTo(before + 2L * reads);
  }

  @Test
  void aLookupThatFailsSaysWhichKeysWerePut() {
    RedisBloomFilter<Long> filter = filter(1e-6);
    filter.putHashes(hashes, Server.BATCH, isNew);
    filter.putHashes(hashes, Server.BATCH, isNew);
    link.loseRepliesOfLookUps(true);
    refuses(RedisUnavailableException.class, () -> filter.putHashes(hashes, KEYS, isNew));

    link.loseRepliesOfLookUps(false);
    long[] newThenKnown = Keys.hashes(2, KEYS).toArray();
    System.arraycopy(hashes, 0, newThenKnown, Server.BATCH / 2, Server.BATCH / 2);
    link.loseRepliesOfLookUpsAfterPuts(true);
    assertThatThrownBy(() -> filter.putHashes(newThenKnown, KEYS, isNew))
        .isInstanceOfSatisfying(
            UncertainPutException.class,
            e -> assertThat(e.firstUncertain()).isEqualTo(Server.BATCH))
        .hasMessageStartingWith("key 256: was not put, like those after it: ");
    link.loseRepliesOfLookUpsAfterPuts(false);
    filter.putHashes(newThenKnown, KEYS, isNew);
    for (int i = 0; i < KEYS; i++) {
      assertThat(isNew[i]).isEqualTo(i >= Server.BATCH);
    }
  }

  @Test
  void aPutThatFailsSaysAtWhichOfAllKeys() {
    RedisBloomFilter<Long> filter = filter(1e-6);
    filter.putHashes(hashes, Server.BATCH, isNew);
    filter.putHashes(hashes, Server.BATCH, isNew);
    long[] everyOther = hashes.clone();
    long[] others = Keys.hashes(2, KEYS).toArray();
    for (int i = 1; i < KEYS; i += 2) {
      everyOther[i] = others[i];
    }
    link.loseRepliesFrom(10); // the keys at 1, 3, … 19 are put
    assertThatThrownBy(() -> filter.putHashes(everyOther, KEYS, isNew))
        .isInstanceOfSatisfying(
            UncertainPutException.class, e -> assertThat(e.firstUncertain()).isEqualTo(21));
    for (int i = 0; i < 21; i++) {
      assertThat(isNew[i]).isEqualTo(i % 2 == 1);
    }
  }

  @Test
  void replicasAreNotQueriedForAPut() {
    RedisLink replica =
        new RedisLink() {
          @Override
          public List<Reply> send(List<Command> commands) {
            throw new AssertionError("a replica may have keys of a filter that was replaced");
          }

          @Override
          public void close() {}
        };
    try (RedisLink both = new ReplicaReads(TestServer.shared().link(), List.of(replica))) {
      RedisBloomFilter<Long> filter =
          TestFilters.builder(both, TestServer.newName(), KEYS, 0.01).create();
      for (int i = 0; i < 3; i++) {
        filter.putHashes(hashes, KEYS, isNew);
      }
      assertThat(isNew).containsOnly(false);
      assertThatThrownBy(() -> filter.mightContain(1L)).hasMessageStartingWith("a replica");
    }
  }
}
