package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a push does once: parse, hash, query, put. */
class PushCostTest {

  private static final String URL = "http://h/";

  @TempDir private Path directory;
  private final AtomicInteger hashes = new AtomicInteger();
  private final AtomicInteger parses = new AtomicInteger();
  private final Map<String, Integer> calls = new TreeMap<>();

  private final KeyHasher<CharSequence> hasher =
      (key, function) -> {
        hashes.incrementAndGet();
        return function.hashText(key);
      };

  private final UrlKey key =
      new UrlKey() {
        @Override
        public String id() {
          return "counting";
        }

        @Override
        public Optional<ParsedUrl> of(String url) {
          parses.incrementAndGet();
          return UrlKey.STRICT.of(url);
        }
      };

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPushOfANewUrlHashesQueriesAndPutsOnce(boolean confirmed) {
    VisitQueue queue = queue(confirmed);
    assertThat(queue.push(URL).isAccepted()).isTrue();
    assertThat(calls).isEqualTo(Map.of("hashOf", 1, "mightContainHash", 1, "putHash", 1));
    assertThat(hashes).hasValue(1);
    assertThat(parses).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPushOfASeenUrlHashesAndQueriesOnce(boolean confirmed) {
    VisitQueue queue = queue(confirmed);
    queue.push(URL);
    reset();
    assertThat(queue.push(URL).isAccepted()).isFalse();
    assertThat(queue.pushAgain(URL).isAccepted()).isTrue();
    assertThat(queue.markSeen(URL).isAccepted()).isFalse();
    assertThat(calls).isEqualTo(Map.of("hashOf", 3, "mightContainHash", 3));
    assertThat(hashes).hasValue(3);
    assertThat(parses).hasValue(3);
  }

  @Test
  void aPushToASharedFilterHashesAndPutsOnce() {
    VisitQueue queue =
        VisitQueue.builder().expectedKeys(1_000).fpp(1e-9).key(key).sharedFilter(filter()).build();
    reset();
    queue.push(URL);
    queue.push(URL);
    assertThat(calls).containsEntry("hashOf", 2).containsEntry("putHashes", 2);
    assertThat(calls).doesNotContainKeys("mightContainHash", "put", "putHash", "mightContain");
    assertThat(hashes).hasValue(2);
    assertThat(parses).hasValue(2);
  }

  /** Replay hashes again, as the log has no hashes, and finds the same keys. */
  @Test
  void aReplayedPushIsSeen() throws Exception {
    VisitQueue queue = VisitQueue.builder().expectedKeys(1_000).fpp(1e-9).open(directory);
    queue.push(URL);
    queue.markSeen(URL + 1);
    queue.pushAgain(URL);
    queue.abandon();
    try (VisitQueue again = VisitQueue.open(directory)) {
      assertThat(again.push(URL)).isEqualTo(PushResult.DUPLICATE);
      assertThat(again.push(URL + 1)).isEqualTo(PushResult.DUPLICATE);
      assertThat(again.stats().seenKeys()).isEqualTo(2);
      assertThat(Queues.drain(again)).containsExactly(URL, URL);
    }
  }

  private VisitQueue queue(boolean confirmed) {
    Parameters parameters =
        new Parameters(
            1_000,
            1e-9,
            OnFull.WARN,
            "counting",
            false,
            "0".repeat(16),
            confirmed,
            true,
            0,
            Long.MAX_VALUE);
    QueueStore store = QueueStore.inMemory();
    SeenKeys seen =
        confirmed ? SeenKeys.confirmed(filter(), store) : SeenKeys.of(filter(), /* drops= */ 0);
    QueueState state = new QueueState(store, parameters, seen, System::nanoTime);
    Rules rules = new Rules(key, 1_000, UrlScope.hosts("h"), /* byHost= */ true);
    return new VisitQueue(
        rules, parameters, state, Persistence.NONE, Duration.ofMinutes(1), keys -> {});
  }

  private void reset() {
    calls.clear();
    hashes.set(0);
    parses.set(0);
  }

  /** Returns a filter that counts the calls it receives. */
  @SuppressWarnings("unchecked") // a proxy of an interface has no type argument
  private HashedMutableFilter<CharSequence> filter() {
    HashedMutableFilter<CharSequence> filter = BloomFilter.create(hasher, 1_000, 1e-9);
    return (HashedMutableFilter<CharSequence>)
        Proxy.newProxyInstance(
            HashedMutableFilter.class.getClassLoader(),
            new Class<?>[] {HashedMutableFilter.class},
            (proxy, method, arguments) -> {
              calls.merge(method.getName(), 1, Integer::sum);
              try {
                return method.invoke(filter, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
