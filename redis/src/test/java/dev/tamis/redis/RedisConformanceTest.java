package dev.tamis.redis;

import dev.tamis.ConcurrentConformance;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.Storable;
import dev.tamis.hash.KeyHasher;
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

    RedisBloomFilter<Long> create(long expectedKeys, double fpp) {
      RedisLink link = LINKS.computeIfAbsent(kind, any -> any.to(TestServer.shared().uri()));
      return RedisBloomFilter.<Long>builder(link, TestServer.newName(), KeyHasher.longs())
          .expectedKeys(expectedKeys)
          .fpp(fpp)
          .shardBytes(Math.max(shardBytes, expectedKeys / 8))
          .create();
    }
  }

  static Stream<Cut> cuts() {
    return Stream.of(Cut.values());
  }

  @AfterAll
  static void disconnect() {
    LINKS.values().forEach(RedisLink::close);
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
}
