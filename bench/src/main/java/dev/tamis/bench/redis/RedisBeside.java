package dev.tamis.bench.redis;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisBloomFilterBuilder;
import dev.tamis.redis.RedisLink;
import dev.tamis.sizing.Layout;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Slowlog;

/**
 * Prints how long other clients of a server wait for a large filter, and its memory there, as
 * tables in Markdown.
 *
 * <pre>
 * bench/redis-beside [KEYS [ADDRESS]]
 * </pre>
 *
 * <p>Another client sends {@code PING} all the time. The longest of its waits contains those for a
 * processor, so the longest command by the server's slow log stands beside it, and a row in which
 * nothing happens. The link has a timeout of a second.
 */
public final class RedisBeside {

  private static final long DEFAULT_KEYS = 850_000_000;
  private static final double FPP = 0.01;
  private static final String NAME = "beside";
  private static final long IDLE_MILLIS = 5_000;
  private static final long[] KEYS_IN_MEMORY = {1_000_000, 3_000_000, 10_000_000};

  private final URI server;
  private final long keys;

  private RedisBeside(URI server, long keys) {
    this.server = server;
    this.keys = keys;
  }

  /** Prints the tables. */
  public static void main(String[] args) throws Exception {
    long keys = args.length > 0 ? (long) Double.parseDouble(args[0]) : DEFAULT_KEYS;
    MeasuredServer.measure(args, server -> new RedisBeside(server, keys).run());
  }

  /** What others wait for. */
  @FunctionalInterface
  private interface Operation {
    void run() throws Exception;
  }

  private void run() throws Exception {
    try (Jedis jedis = new Jedis(server);
        RedisLink link = JedisLink.to(server, Duration.ofSeconds(1), 1)) {
      jedis.flushAll();
      jedis.configSet("slowlog-log-slower-than", "500");
      jedis.configSet("slowlog-max-len", "100000");
      RedisBloomFilterBuilder<Long> builder =
          RedisBloomFilter.<Long>builder(link, NAME, KeyHasher.longs())
              .layout(Layout.forFpp(FPP)) // that of the filter which is merged
              .expectedKeys(keys)
              .fpp(FPP);
      BloomFilter<Long> local = BloomFilter.create(KeyHasher.longs(), keys, FPP);
      local.put(1L);
      System.out.printf(
          Locale.ROOT,
          "Server %s; %,d expected keys at %s, %,d bytes.%n%n",
          version(jedis),
          keys,
          FPP,
          local.bitSize() / Byte.SIZE);
      System.out.println("| | seconds | longest PING, ms | longest command, ms |");
      System.out.println("|---|---:|---:|---:|");
      row("nothing", jedis, () -> Thread.sleep(IDLE_MILLIS));
      row("create", jedis, builder::create);
      row("open", jedis, () -> RedisBloomFilter.open(link, NAME, KeyHasher.longs()));
      RedisBloomFilter<Long> filter = RedisBloomFilter.open(link, NAME, KeyHasher.longs());
      row("count", jedis, filter::expectedFpp);
      row("merge", jedis, () -> filter.putAll(local));
      row("replace", jedis, () -> builder.createOrReplace(local));
      row("download", jedis, () -> filter.writeTo(OutputStream.nullOutputStream()));
      row("delete", jedis, () -> RedisBloomFilter.delete(link, NAME));
      memory(jedis, link);
    }
  }

  private static String version(Jedis jedis) {
    return jedis
        .info("server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1))
        .findFirst()
        .orElse("?");
  }

  private void row(String what, Jedis jedis, Operation operation) throws Exception {
    jedis.slowlogReset();
    Pinging pinging = new Pinging(server);
    pinging.start();
    long start = System.nanoTime();
    operation.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    pinging.end();
    double longest =
        jedis.slowlogGet(100_000).stream().mapToLong(Slowlog::getExecutionTime).max().orElse(0)
            / 1e3;
    System.out.printf(
        Locale.ROOT,
        "| %s | %.2f | %.1f | %s |%n",
        what,
        seconds,
        pinging.longestNanos / 1e6,
        longest == 0 ? "below 0.5" : String.format(Locale.ROOT, "%.1f", longest));
  }

  /** Another client, which waits for nothing but its own replies. */
  private static final class Pinging extends Thread {
    private final URI server;
    private volatile boolean isOver;
    private long longestNanos;

    Pinging(URI server) {
      this.server = server;
    }

    @Override
    public void run() {
      try (Jedis jedis = new Jedis(server)) {
        jedis.ping();
        while (!isOver) {
          long start = System.nanoTime();
          jedis.ping();
          longestNanos = Math.max(longestNanos, System.nanoTime() - start);
          Thread.sleep(1);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts this", e);
      }
    }

    void end() throws InterruptedException {
      isOver = true;
      join();
    }
  }

  private void memory(Jedis jedis, RedisLink link) {
    System.out.println();
    System.out.println("| expected keys | bytes claimed | bytes on the server | | Redisson |");
    System.out.println("|---:|---:|---:|---:|---:|");
    for (long expected : KEYS_IN_MEMORY) {
      jedis.flushAll();
      RedisBloomFilter<Long> filter =
          RedisBloomFilter.<Long>builder(link, NAME, KeyHasher.longs())
              .expectedKeys(expected)
              .fpp(FPP)
              .create();
      long claimed = filter.bitSize() / Byte.SIZE;
      long used = memory(jedis);
      jedis.flushAll();
      try (Peer redisson = Peer.redisson(server, NAME, expected, FPP)) {
        for (int i = 0; i < 10_000; i++) {
          redisson.add("key " + i);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| %,d | %,d | %,d | %.3f× | %,d |%n",
          expected,
          claimed,
          used,
          (double) used / claimed,
          memory(jedis));
    }
  }

  private static long memory(Jedis jedis) {
    return jedis.keys("*").stream().mapToLong(jedis::memoryUsage).sum();
  }
}
