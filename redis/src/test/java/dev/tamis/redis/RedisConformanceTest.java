package dev.tamis.redis;

import dev.tamis.ConcurrentConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.Storable;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.WrongDrops;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites that a local filter passes, over the link and with a real server. */
class RedisConformanceTest {

  private static final Map<LinkKind, RedisLink> LINKS = new ConcurrentHashMap<>();
  private static final int GENERATIONS = 3;

  /** By which client, and into how many strings a filter is cut. */
  enum Cut {
    ONE_SHARD_BY_JEDIS(1 << 20, LinkKind.JEDIS),
    MANY_SHARDS_BY_LETTUCE(512, LinkKind.LETTUCE);

    private final long shardBytes;
    private final LinkKind kind;

    Cut(long shardBytes, LinkKind kind) {
      this.shardBytes = shardBytes;
      this.kind = kind;
    }

    private RedisLink link() {
      return LINKS.computeIfAbsent(kind, any -> any.to(TestServer.shared().uri()));
    }

    RedisBloomFilter<Long> create(long expectedKeys, double fpp) {
      return RedisBloomFilter.<Long>builder(link(), TestServer.newName(), KeyHasher.longs())
          .expectedKeys(expectedKeys)
          .fpp(fpp)
          .shardBytes(Math.max(shardBytes, expectedKeys / 8))
          .create();
    }

    /** Creates a window that never rotates, and whose current generation has room for all keys. */
    RedisWindowedBloomFilter<Long> createWindow(long expectedKeys, double fpp) {
      return RedisWindowedBloomFilter.<Long>builder(link(), TestServer.newName(), KeyHasher.longs())
          .window(Duration.ofHours(1))
          .expectedKeys((GENERATIONS - 1) * expectedKeys)
          .fpp(fpp)
          .generations(GENERATIONS)
          .shardBytes(Math.max(GENERATIONS * shardBytes, expectedKeys / 8))
          .clock(() -> Instant.ofEpochSecond(1_000_000))
          .create();
    }

    /** Returns what the server stores for a window after the headers. */
    String windowBits(RedisWindowedBloomFilter<?> window) {
      StringBuilder bits = new StringBuilder();
      for (int shard = 0; shard < window.shards(); shard++) {
        byte[] key = CommandTokens.of(Shards.keyOf(window.name() + ShardStore.WINDOW, shard));
        byte[] first = CommandTokens.of(Header.WINDOW_BYTES);
        Command read = Command.read("GETRANGE", key, key, first, CommandTokens.of(-1));
        bits.append(HexFormat.of().formatHex(new Server(link()).bytes(read)));
      }
      return bits.toString();
    }
  }

  /** Returns the drops of a window whose keys are all in one generation. */
  private static double windowDrops(RedisWindowedBloomFilter<?> window) {
    return WrongDrops.expected(window.shape()::fpp, 0, window.acceptedKeys(), 0);
  }

  static Stream<Cut> cuts() {
    return Stream.of(Cut.values());
  }

  @AfterAll
  static void disconnect() {
    LINKS.values().forEach(RedisLink::close);
    LINKS.clear();
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.redis.RedisConformanceTest#cuts")
  class Keys extends MutableFilterConformance {
    @Parameter Cut cut = Cut.ONE_SHARD_BY_JEDIS;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return cut.create(expectedKeys, fpp);
    }

    @Override
    protected int mostKeys() {
      return 2_000;
    }

    @Override
    protected Object contents(HashedMutableFilter<Long> filter) {
      return ((Storable) filter).toByteArray();
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.redis.RedisConformanceTest#cuts")
  class Racing extends ConcurrentConformance {
    @Parameter Cut cut = Cut.ONE_SHARD_BY_JEDIS;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return cut.create(expectedKeys, fpp);
    }

    @Override
    protected int keys() {
      return 1_000;
    }

    @Override
    protected long distinctPuts() {
      return 8_000;
    }

    @Override
    protected Object contents(HashedMutableFilter<Long> filter) {
      return ((Storable) filter).toByteArray();
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.redis.RedisConformanceTest#cuts")
  class WindowKeys extends MutableFilterConformance {
    @Parameter Cut cut = Cut.ONE_SHARD_BY_JEDIS;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return cut.createWindow(expectedKeys, fpp);
    }

    @Override
    protected int mostKeys() {
      return 2_000;
    }

    @Override
    protected double expectedWrongDrops(HashedMutableFilter<Long> filter) {
      return windowDrops((RedisWindowedBloomFilter<Long>) filter);
    }

    @Override
    protected long serializedSize(HashedMutableFilter<Long> filter) {
      return cut.windowBits((RedisWindowedBloomFilter<Long>) filter).length() / 2;
    }

    @Override
    protected Object contents(HashedMutableFilter<Long> filter) {
      return cut.windowBits((RedisWindowedBloomFilter<Long>) filter);
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.redis.RedisConformanceTest#cuts")
  class WindowRacing extends ConcurrentConformance {
    @Parameter Cut cut = Cut.ONE_SHARD_BY_JEDIS;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return cut.createWindow(expectedKeys, fpp);
    }

    @Override
    protected int keys() {
      return 1_000;
    }

    @Override
    protected long distinctPuts() {
      return 8_000;
    }

    @Override
    protected double expectedWrongDrops(HashedMutableFilter<Long> filter) {
      return windowDrops((RedisWindowedBloomFilter<Long>) filter);
    }

    @Override
    protected Object contents(HashedMutableFilter<Long> filter) {
      return cut.windowBits((RedisWindowedBloomFilter<Long>) filter);
    }
  }
}
