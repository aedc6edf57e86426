package dev.tamis.redis;

import dev.tamis.ConcurrentConformance;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.Storable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The suites that a local filter passes, over the link and with a real server. */
class RedisConformanceTest {

  private static @Nullable RedisLink link;

  /** How a filter is cut: into one string, or into as many as it has lines up to a limit. */
  enum Cut {
    ONE_SHARD(1 << 20),
    MANY_SHARDS(512);

    private final long shardBytes;

    Cut(long shardBytes) {
      this.shardBytes = shardBytes;
    }

    RedisBloomFilter<Long> create(long expectedKeys, double fpp) {
      if (link == null) {
        throw new IllegalStateException("not connected");
      }
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

  @BeforeAll
  static void connect() {
    link = TestServer.shared().link();
  }

  @AfterAll
  static void disconnect() {
    if (link != null) {
      link.close();
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.redis.RedisConformanceTest#cuts")
  class Keys extends MutableFilterConformance {
    @Parameter Cut cut = Cut.ONE_SHARD;

    @Override
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
      return cut.create(expectedKeys, fpp);
    }

    @Override
    protected int mostKeys() {
      return 2_000;
    }

    @Override
    protected Object contents(MutableFilter<Long> filter) {
      return ((Storable) filter).toByteArray();
    }
  }

  @Nested
  @ParameterizedClass
  @MethodSource("dev.tamis.redis.RedisConformanceTest#cuts")
  class Racing extends ConcurrentConformance {
    @Parameter Cut cut = Cut.ONE_SHARD;

    @Override
    protected MutableFilter<Long> create(long expectedKeys, double fpp) {
      return cut.create(expectedKeys, fpp);
    }

    @Override
    protected int keys() {
      return 2_000;
    }

    @Override
    protected Object contents(MutableFilter<Long> filter) {
      return ((Storable) filter).toByteArray();
    }
  }
}
