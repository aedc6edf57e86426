package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.FilterLostException;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisLink;
import dev.tamis.redis.RedisWindowedBloomFilter;
import dev.tamis.tools.dedup.Deduplicator;
import dev.tamis.tools.guard.GuardState;
import dev.tamis.tools.guard.SharedStoreGuard;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The tools of the kit in several processes, with one filter in Redis between them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is used on Linux only")
@Timeout(600)
class SharedToolsTest {

  private static final int QUEUES = 2;

  @TempDir private Path directory;
  private RedisProcess server;
  private RedisLink link;

  @BeforeEach
  void start() {
    server = new RedisProcess();
    link = SharedQueueVictim.link(server.port());
  }

  @AfterEach
  void stop() {
    link.close();
    server.close();
  }

  @Test
  void queuesWhoseProcessesAreKilledLoseNoUrlAndRepeatOnlyWhatIsInDoubt() throws Exception {
    int kills = 0;
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 3; round++) {
      List<Process> processes = new ArrayList<>();
      for (int i = 0; i < QUEUES; i++) {
        processes.add(
            java(SharedQueueVictim.class, server.port(), queue(i), random.nextLong(1L << 40)));
      }
      for (Process process : processes) {
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        for (int lines = 1 + random.nextInt(1_000); lines > 0; lines--) {
          assertThat(said.readLine()).isIn("ACCEPTED", "DUPLICATE");
        }
        process.destroyForcibly().waitFor();
        kills++;
      }
    }

    List<String> delivered = new ArrayList<>();
    long doubtful = 0;
    for (int i = 0; i < QUEUES; i++) {
      try (VisitQueue queue = SharedQueueVictim.open(queue(i), link)) {
        for (Optional<String> url = queue.poll(); url.isPresent(); url = queue.poll()) {
          delivered.add(url.get());
        }
        doubtful += queue.stats().doubtful();
      }
    }
    RedisBloomFilter<CharSequence> filter = SharedQueueVictim.filter(link);
    List<String> seen =
        IntStream.range(0, SharedQueueVictim.URLS)
            .mapToObj(SharedQueueVictim::url)
            .filter(filter::mightContain)
            .toList();
    assertThat(seen).hasSizeGreaterThan(500);
    assertThat(delivered.stream().distinct()).containsExactlyInAnyOrderElementsOf(seen);
    assertThat(doubtful).isLessThanOrEqualTo(kills);
    assertThat((long) delivered.size() - seen.size()).isLessThanOrEqualTo(doubtful);
  }

  private Path queue(int number) {
    return directory.resolve("queue" + number);
  }

  @Test
  void aQueueWhoseFilterIsFlushedSaysSoAtEachPushAndDeliversWhatItHas() throws IOException {
    VisitQueue queue = SharedQueueVictim.open(queue(0), link);
    queue.push("http://h/a");
    server.send("FLUSHALL");
    assertThatThrownBy(() -> queue.push("http://h/b")).isInstanceOf(FilterLostException.class);
    assertThatThrownBy(() -> queue.push("http://h/c")).isInstanceOf(FilterLostException.class);
    assertThat(queue.poll()).hasValue("http://h/a");
    queue.close();
    try (VisitQueue again = SharedQueueVictim.open(queue(0), link)) { // with another filter
      assertThat(again.poll()).hasValue("http://h/b"); // its push had begun
      assertThat(again.push("http://h/c").isAccepted()).isTrue();
    }
  }

  @Test
  void whatAnotherProcessHasPutIsNeverDeniedThoughTheFilterIsFlushedAndRebuilt() throws Exception {
    Path store = Files.createDirectory(directory.resolve("store"));
    SharedStoreGuard<Long, String> guard = SharedGuardWriter.guard(link, store);
    SharedGuardWriter.Folder folder = new SharedGuardWriter.Folder(store);
    assertThat(guard.rebuild(folder::keys).keys()).isZero();
    List<Process> writers =
        List.of(
            java(SharedGuardWriter.class, server.port(), store, 0, 1_500),
            java(SharedGuardWriter.class, server.port(), store, 5_000, 6_500));
    List<BufferedReader> said =
        writers.stream().map(writer -> writer.inputReader(StandardCharsets.UTF_8)).toList();
    for (int i = 0; i < 1_500; i++) {
      for (BufferedReader reader : said) {
        String key = reader.readLine();
        assertThat(guard.get(Long.valueOf(key))).as(key).isEqualTo("value " + key);
      }
      if (i % 500 == 100) {
        server.send("FLUSHALL");
      }
      if (i % 500 == 200) {
        assertThat(guard.rebuild(folder::keys).keys()).isGreaterThanOrEqualTo(2L * i);
      }
    }
    for (Process writer : writers) {
      assertThat(writer.waitFor()).isZero();
    }
    assertThat(guard.state()).isEqualTo(GuardState.READY);
    assertThat(guard.losses()).isEqualTo(3);
    long passed = guard.gets().passed();
    assertThat(LongStream.range(10_000, 11_000).filter(key -> guard.get(key) != null)).isEmpty();
    assertThat(guard.gets().passed() - passed).isLessThan(20);
    assertThat(Stream.of(0L, 1_499L, 5_000L, 6_499L)).allMatch(key -> guard.get(key) != null);
  }

  @Test
  void aWindowIsTheFilterOfDeduplicatorsAndQueues() throws IOException {
    long[] now = {1_000_000};
    Supplier<RedisWindowedBloomFilter<CharSequence>> window =
        () ->
            RedisWindowedBloomFilter.<CharSequence>builder(link, "recent", KeyHasher.text())
                .window(Duration.ofSeconds(3))
                .expectedKeys(1_000)
                .fpp(1e-6)
                .clock(() -> Instant.ofEpochMilli(now[0]))
                .createOrOpen();
    Deduplicator<CharSequence> one = Deduplicator.over(window.get());
    Deduplicator<CharSequence> other = Deduplicator.over(window.get());
    assertThat(one.firstSeen("http://h/a")).isTrue();
    assertThat(other.firstSeen("http://h/a")).isFalse();
    assertThat(other.summary().unique()).isZero();
    assertThat(one.summary().expectedWrongDrops()).isEmpty();

    try (VisitQueue queue =
        VisitQueue.builder()
            .expectedKeys(1_000)
            .fpp(1e-6)
            .key(UrlKey.NONE)
            .sharedFilter(window.get())
            .open(queue(0))) {
      assertThat(queue.push("http://h/a").isAccepted()).isFalse();
      assertThat(queue.push("http://h/b").isAccepted()).isTrue();
      assertThat(queue.stats().expectedWrongDrops()).isEmpty();
      assertThat(one.firstSeen("http://h/b")).isFalse();
      now[0] += 4_000; // nobody has put them within the window
      assertThat(one.firstSeen("http://h/a")).isTrue();
      assertThat(queue.push("http://h/b").isAccepted()).isTrue();
    }
  }

  private static Process java(Class<?> program, Object... args) throws IOException {
    List<String> command = Cli.java(List.of("-XX:TieredStopAtLevel=1"), program, args);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
