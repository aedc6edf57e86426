package dev.tamis.redis;

import dev.tamis.ConcurrentConformance;
import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.MutableFilterConformance;
import dev.tamis.Storable;
import dev.tamis.Thorough;
import dev.tamis.Traits;
import dev.tamis.hash.BoundHasher;
import dev.tamis.sizing.WrongDrops;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The suites that a local filter passes, over the link and with a real server. */
class RedisConformanceTest {

  private static final Map<LinkKind, RedisLink> LINKS = new ConcurrentHashMap<>();
  private static final int GENERATIONS = 3;

  /** A plain filter or a window, the client, and the size of its shards. */
  enum Subject {
    ONE_SHARD_BY_JEDIS(1 << 20, LinkKind.JEDIS, false),
    MANY_SHARDS_BY_LETTUCE(512, LinkKind.LETTUCE, false),
    STAGES_BY_LETTUCE(512, LinkKind.LETTUCE, false),
    WINDOW_OF_ONE_SHARD_BY_JEDIS(1 << 20, LinkKind.JEDIS, true),
    WINDOW_OF_MANY_SHARDS_BY_LETTUCE(512, LinkKind.LETTUCE, true);

    private final long shardBytes;
    private final LinkKind kind;
    private final boolean isWindow;

    Subject(long shardBytes, LinkKind kind, boolean isWindow) {
      this.shardBytes = shardBytes;
      this.kind = kind;
      this.isWindow = isWindow;
    }

    private RedisLink link() {
      return LINKS.computeIfAbsent(kind, any -> any.to(TestServer.shared().uri()));
    }

    HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      if (isWindow) {
        return createWindow(expectedKeys, fpp);
      }
      RedisBloomFilter<Long> filter =
          TestFilters.builder(link(), TestServer.newName(), expectedKeys, fpp)
              .shardBytes(Math.max(shardBytes, expectedKeys / 8))
              .create();
      return this == STAGES_BY_LETTUCE
          ? new Joined(AsyncRedisBloomFilter.over(filter, (AsyncRedisLink) link(), 2_048), filter)
          : filter;
    }

    /** Creates a window that never rotates, and whose current generation has room for all keys. */
    private RedisWindowedBloomFilter<Long> createWindow(long expectedKeys, double fpp) {
      return TestFilters.window(
              link(),
              TestServer.newName(),
              Duration.ofHours(1),
              (GENERATIONS - 1) * expectedKeys,
              fpp)
          .generations(GENERATIONS)
          .shardBytes(Math.max(GENERATIONS * shardBytes, expectedKeys / 8))
          .clock(() -> Instant.ofEpochSecond(1_000_000))
          .create();
    }

    /** Returns the stored bits, without the headers of a window. */
    byte[] contents(HashedMutableFilter<Long> filter) {
      if (!(filter instanceof RedisWindowedBloomFilter<Long> window)) {
        return (filter instanceof Joined joined ? joined.filter : (Storable) filter).toByteArray();
      }
      ByteArrayOutputStream bits = new ByteArrayOutputStream();
      for (int shard = 0; shard < window.shards(); shard++) {
        byte[] key = CommandTokens.of(Shards.keyOf(window.name() + ShardStore.WINDOW, shard));
        byte[] first = CommandTokens.of(Header.WINDOW_BYTES);
        Command read = Command.read("GETRANGE", key, key, first, CommandTokens.of(-1));
        bits.writeBytes(new Server(link()).bytes(read));
      }
      return bits.toByteArray();
    }
  }

  /** A filter whose puts and lookups wait for stages. */
  private record Joined(AsyncRedisBloomFilter<Long> async, RedisBloomFilter<Long> filter)
      implements HashedMutableFilter<Long>, DropAware {

    @Override
    public boolean putHash(long hash) {
      return AsyncRedisBloomFilterTest.join(async.putHash(hash));
    }

    @Override
    public void putHashes(long[] hashes, int count, boolean[] isNew) {
      AsyncRedisBloomFilterTest.join(async.putHashes(hashes, count, isNew));
    }

    @Override
    public boolean mightContainHash(long hash) {
      return AsyncRedisBloomFilterTest.join(async.mightContainHash(hash));
    }

    @Override
    public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
      AsyncRedisBloomFilterTest.join(async.mightContainHashes(hashes, count, answers));
    }

    @Override
    public BoundHasher<Long> hasher() {
      return filter.hasher();
    }

    @Override
    public long acceptedKeys() {
      return filter.acceptedKeys();
    }

    @Override
    public double expectedWrongDrops() {
      return filter.expectedWrongDrops();
    }

    @Override
    public double expectedFpp() {
      return filter.expectedFpp();
    }

    @Override
    public Estimate approximateElementCount(Confidence confidence) {
      return filter.approximateElementCount(confidence);
    }

    @Override
    public long bitSize() {
      return filter.bitSize();
    }

    @Override
    public Traits traits() {
      return filter.traits();
    }

    @Override
    public String toString() {
      return filter.toString();
    }
  }

  /** Returns the drops of a window whose keys are all in one generation, or of a plain filter. */
  private static double drops(HashedMutableFilter<Long> filter) {
    return filter instanceof RedisWindowedBloomFilter<Long> window
        ? WrongDrops.expected(window.shape()::fpp, 0, window.acceptedKeys(), 0)
        : ((DropAware) filter).expectedWrongDrops();
  }

  @AfterAll
  static void disconnect() {
    LINKS.values().forEach(RedisLink::close);
    LINKS.clear();
  }

  @Nested
  @ParameterizedClass
  @EnumSource
  class Keys extends MutableFilterConformance {
    @Parameter Subject subject = Subject.ONE_SHARD_BY_JEDIS;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return subject.create(expectedKeys, fpp);
    }

    @Override
    protected int mostKeys() {
      return Thorough.or(1_000, 2_000);
    }

    @Override
    protected double expectedWrongDrops(HashedMutableFilter<Long> filter) {
      return drops(filter);
    }

    @Override
    protected long serializedSize(HashedMutableFilter<Long> filter) {
      return subject.contents(filter).length;
    }

    @Override
    protected Object contents(HashedMutableFilter<Long> filter) {
      return HexFormat.of().formatHex(subject.contents(filter));
    }
  }

  @Nested
  @ParameterizedClass
  @EnumSource
  class Racing extends ConcurrentConformance {
    @Parameter Subject subject = Subject.ONE_SHARD_BY_JEDIS;

    @Override
    protected HashedMutableFilter<Long> create(long expectedKeys, double fpp) {
      return subject.create(expectedKeys, fpp);
    }

    @Override
    protected int keys() {
      return Thorough.or(500, 1_000);
    }

    @Override
    protected long distinctPuts() {
      return 8_000;
    }

    @Override
    protected double expectedWrongDrops(HashedMutableFilter<Long> filter) {
      return drops(filter);
    }

    @Override
    protected Object contents(HashedMutableFilter<Long> filter) {
      return HexFormat.of().formatHex(subject.contents(filter));
    }
  }
}
