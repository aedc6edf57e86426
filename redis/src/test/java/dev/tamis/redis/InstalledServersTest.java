package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The servers that Debian has, where they are installed, and the one of the other tests. */
@Tag("thorough")
class InstalledServersTest {

  private static final int KEYS = 100_000;

  /** Longer than the second that {@code everysec} may lose. */
  private static final long UNTIL_ON_DISK_MILLIS = 2_500;

  private static Stream<String> programs() throws IOException {
    Stream<String> installed = Stream.of("/usr/bin/redis-server", "/usr/bin/valkey-server");
    return Stream.concat(
        Stream.of(TestServer.program()),
        installed.filter(program -> Files.isExecutable(Path.of(program))));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aFilterIsWholeAfterAKillOnceItsLogIsOnDisk(String program) throws Exception {
    try (TestServer server = TestServer.of(program, "--appendonly", "yes");
        JedisLink link = server.link()) {
      String name = TestServer.newName();
      RedisBloomFilter<Long> filter =
          TestFilters.builder(link, name, KEYS, 0.01).shardBytes(50_000).create();
      BloomFilter<Long> local = TestFilters.like(filter);
      long[] hashes = Keys.hashes(1, KEYS).toArray();
      boolean[] isNew = new boolean[KEYS];
      boolean[] isNewHere = new boolean[KEYS];
      filter.putHashes(hashes, KEYS, isNew);
      local.putHashes(hashes, KEYS, isNewHere);
      assertThat(isNew).isEqualTo(isNewHere);
      Thread.sleep(UNTIL_ON_DISK_MILLIS);

      server.kill();
      server.start();

      assertThat(filter.toByteArray()).isEqualTo(local.toByteArray());
      try (Rebuild<Long> rebuild =
          TestFilters.builder(link, name, KEYS / 10, 1e-6).replace(filter)) {
        rebuild.filter().put(1L);
        rebuild.swap();
      }
      assertThat(filter.mightContain(1L)).isTrue();
      server.command("FLUSHALL");
      refuses(FilterLostException.class, () -> filter.put(1L));
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aWindowThatHasTurnedIsWholeAfterAKill(String program) throws Exception {
    String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
    try (TestServer server = TestServer.of(program, durable);
        JedisLink link = server.link()) {
      AtomicLong now = new AtomicLong(1_000_000);
      RedisWindowedBloomFilter<Long> filter =
          TestFilters.window(link, "recent", Duration.ofSeconds(3), KEYS, 1e-6)
              .clock(() -> Instant.ofEpochMilli(now.get()))
              .create();
      assertThat(filter.put(1L)).isTrue();
      now.addAndGet(3_000);
      assertThat(filter.put(2L)).isTrue();

      server.kill();
      server.start();

      assertThat(filter.mightContain(1L)).isTrue(); // asked again over a new connection
      assertThat(filter.put(1L)).isFalse();
      now.addAndGet(3_000);
      assertThat(filter.put(2L)).isFalse();
      now.addAndGet(4_000);
      assertThat(filter.put(1L)).isTrue();
      server.command("FLUSHALL");
      refuses(FilterLostException.class, () -> filter.put(1L));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, (1L << 32) - 512})
  void aStringOfHalfAGigabyteIsUsedToItsEnd(long bits) throws Exception {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = LinkKind.LETTUCE.to(server.uri())) {
      RedisBloomFilter<Long> filter =
          RedisBloomFilter.<Long>builder(link, TestServer.newName(), KeyHasher.longs())
              .layout(Layout.CLASSIC) // in one string whatever the allocator reserves
              .bits(bits)
              .fpp(0.01)
              .shardBytes(Shards.MAX_SHARD_BYTES)
              .create();
      assertThat(filter.shards()).isEqualTo(1);
      for (long hash : new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
        assertThat(filter.putHash(hash)).isTrue();
        assertThat(filter.mightContainHash(hash)).isTrue();
        assertThat(filter.putHash(hash)).isFalse();
      }
    }
  }
}
