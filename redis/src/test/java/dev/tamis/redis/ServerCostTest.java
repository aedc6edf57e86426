package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** The memory that a filter takes on the server, and for how long it has the server to itself. */
class ServerCostTest {

  /** More than the claim: keys, headers, and what the allocator rounds up. */
  private static final double MORE = 1.05;

  private static final int MIB = 1 << 20;

  private final String name = TestServer.newName();

  private RedisBloomFilterBuilder<Long> builder(RedisLink link, long keys) {
    return TestFilters.builder(link, name, keys, 0.01);
  }

  private static long memory(TestServer server) {
    long bytes = 0;
    try (Jedis jedis = new Jedis(server.uri())) {
      for (String key : jedis.keys("*")) {
        bytes += jedis.memoryUsage(key);
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(longs = {840_000, 1_000_000, 1_700_000, 3_500_000, 12_345_678, 30_000_000})
  void memoryOnTheServerIsWhatTheFilterClaims(long keys) {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = server.link()) {
      RedisBloomFilter<Long> filter = builder(link, keys).create();
      long claim = filter.bitSize() / Byte.SIZE;
      assertThat(claim).isGreaterThan(MIB);
      assertThat(memory(server)).isBetween(claim, (long) (claim * MORE));

      filter.put(1L);
      BloomFilter<Long> local = TestFilters.like(filter);
      local.put(2L);
      filter.putAll(local);
      assertThat(memory(server)).isBetween(claim, (long) (claim * MORE));

      builder(link, keys).createOrReplace(local);
      assertThat(memory(server)).isBetween(claim, (long) (claim * MORE));
      assertThat(filter.mightContain(2L)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {500_000, 3_000_000})
  void memoryOfAWindowIsWhatItClaims(long keys) {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = server.link()) {
      RedisWindowedBloomFilter<Long> filter =
          TestFilters.window(link, name, Duration.ofHours(1), keys, 0.001).create();
      filter.put(1L);
      long claim = filter.bitSize() / Byte.SIZE;
      assertThat(claim).isGreaterThan(MIB);
      assertThat(memory(server)).isBetween(claim, (long) (claim * MORE));
    }
  }

  @Test
  void thereIsAnEconomicalNumberOfShardsForEverySize() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 3_000; i++) {
      double size = MIB * Math.pow(4_096, random.nextDouble()); // up to 4 GiB
      Shape shape =
          Sizing.builder()
              .layout(Layout.LINE)
              .bits((long) (size * Byte.SIZE))
              .hashes(8)
              .solve()
              .shape();
      int count = Shards.countFor(shape, 1, Shards.defaultBytes(Layout.LINE));
      Shards shards = Shards.live(shape, name, count);
      long reserved = 0;
      for (int shard = 0; shard < count; shard++) {
        reserved += block(shards.bytesOf(shard) + Header.BYTES + 16);
      }
      assertThat((double) reserved / shards.payloadBytes()).as("%s", shape).isLessThan(1.045);
      Shards.check(shape, count, count - 1);
    }
  }

  /** The sizes of jemalloc. */
  private static long block(long bytes) {
    for (long power = 64; ; power *= 2) {
      for (int quarters = 4; quarters < 8; quarters++) {
        if (power / 4 * quarters >= bytes) {
          return power / 4 * quarters;
        }
      }
    }
  }

  /** A link that notes how many bytes the server touches in each batch. */
  private static final class Weighing implements RedisLink {
    private final RedisLink link;
    private final Map<String, Long> lengths = new HashMap<>();
    private final List<String> heavy = new ArrayList<>();

    Weighing(RedisLink link) {
      this.link = link;
    }

    @Override
    public List<Reply> send(List<Command> commands) {
      long written = 0;
      for (Command command : commands) {
        written += weight(command);
      }
      if (4 * written > 5 * MIB) {
        heavy.add(written + " bytes by " + commands.size() + " times " + commands.get(0));
      }
      return link.send(commands);
    }

    private long weight(Command command) {
      byte[][] words = command.arguments();
      String key = new String(command.key(), UTF_8);
      return switch (command.name()) {
        case "SETRANGE" -> {
          long end = Long.parseLong(new String(words[1], UTF_8)) + words[2].length;
          long before = lengths.getOrDefault(key, 0L);
          lengths.put(key, Math.max(before, end));
          yield words[2].length + Math.max(0, end - before);
        }
        case "BITOP" -> lengths.getOrDefault(new String(words[3], UTF_8), 0L);
        case "BITCOUNT" -> {
          long first = Long.parseLong(new String(words[1], UTF_8));
          yield (Long.parseLong(new String(words[2], UTF_8)) - first) / 4;
        }
        case "UNLINK" -> {
          Long length = lengths.remove(key);
          yield length == null ? 0 : length / 4;
        }
        default -> 0;
      };
    }

    @Override
    public void close() {
      link.close();
    }
  }

  @Test
  void operationsOverManyShardsLeaveTheServerToOthersInBetween() {
    try (Weighing link = new Weighing(TestServer.shared().link())) {
      long keys = 60_000_000; // 73 MB, of which a batch of 256 commands would touch all
      RedisBloomFilter<Long> filter = builder(link, keys).create();
      assertThat(filter.shards()).isGreaterThan(16);
      filter.expectedFpp();
      filter.putAll(TestFilters.like(filter));
      assertThat(filter.expectedFpp()).isZero();
      builder(link, keys / 2)
          .createOrReplace(BloomFilter.create(KeyHasher.longs(), keys / 2, 0.01));
      RedisBloomFilter.delete(link, name);
      RedisWindowedBloomFilter<Long> window =
          TestFilters.window(link, name, Duration.ofHours(1), keys / 4, 0.01).create();
      window.expectedFpp();
      RedisWindowedBloomFilter.delete(link, name);
      assertThat(link.heavy).isEmpty();
    }
  }

  @Tag("thorough")
  @ParameterizedTest
  @EnumSource
  void aGigabyteIsCreatedCountedAndDeletedWithATimeoutOfASecond(LinkKind kind) {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = kind.to(server.uri(), Duration.ofSeconds(1))) {
      RedisBloomFilter<Long> filter = builder(link, 850_000_000).create();
      assertThat(filter.bitSize() / Byte.SIZE).isGreaterThan(1_000_000_000);
      filter.put(1L);
      RedisBloomFilter<Long> same = TestFilters.open(link, name);
      assertThat(same.approximateElementCount().rounded()).isEqualTo(1);
      assertThat(memory(server)).isLessThan((long) (filter.bitSize() * MORE) / Byte.SIZE);
      assertThat(RedisBloomFilter.delete(link, name)).isTrue();
      assertThat(memory(server)).isZero();
    }
  }
}
