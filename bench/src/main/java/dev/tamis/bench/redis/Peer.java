package dev.tamis.bench.redis;

import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.Command;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.LettuceLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisBloomFilterBuilder;
import dev.tamis.redis.RedisLink;
import dev.tamis.redis.Reply;
import dev.tamis.sizing.Layout;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * A Bloom filter in a server, of text, ours or another, behind the calls that are measured.
 *
 * @param one puts one key and returns whether it was new
 * @param many puts several keys in one call and returns how many were new
 * @param hasOne queries one key
 * @param hasMany queries several keys in one call and returns how many seem to be there
 * @param trips how often it has waited for the server since it was made
 * @param end closes its connections
 */
record Peer(
    Predicate<String> one,
    ToLongFunction<List<String>> many,
    Predicate<String> hasOne,
    ToLongFunction<List<String>> hasMany,
    LongAdder trips,
    Runnable end)
    implements AutoCloseable {

  /** Connections that a client may have. */
  private static final int CONNECTIONS = 16;

  boolean add(String key) {
    return one.test(key);
  }

  long add(List<String> keys) {
    return many.applyAsLong(keys);
  }

  boolean contains(String key) {
    return hasOne.test(key);
  }

  long contains(List<String> keys) {
    return hasMany.applyAsLong(keys);
  }

  long roundTrips() {
    return trips.sum();
  }

  @Override
  public void close() {
    end.run();
  }

  /** Returns our filter, by Jedis. */
  static Peer jedis(URI server, String name, long keys, double fpp) {
    return ours(jedis(server), name, filter -> filter.expectedKeys(keys).fpp(fpp));
  }

  /** Returns our filter with the bits that it has in a file, by Jedis. */
  static Peer asInFile(URI server, String name, long keys, double fpp) {
    return ours(
        jedis(server),
        name,
        filter -> filter.layout(Layout.forFpp(fpp)).expectedKeys(keys).fpp(fpp));
  }

  private static RedisLink jedis(URI server) {
    return JedisLink.to(server, Duration.ofSeconds(20), CONNECTIONS);
  }

  /** Returns our filter, by Lettuce. */
  static Peer lettuce(URI server, String name, long keys, double fpp) {
    return ours(
        LettuceLink.to(server, Duration.ofSeconds(20)),
        name,
        filter -> filter.expectedKeys(keys).fpp(fpp));
  }

  private static Peer ours(
      RedisLink link, String name, UnaryOperator<RedisBloomFilterBuilder<String>> settings) {
    LongAdder sends = new LongAdder();
    RedisLink counting =
        new RedisLink() {
          @Override
          public List<Reply> send(List<Command> commands) {
            sends.increment();
            return link.send(commands);
          }

          @Override
          public void close() {
            link.close();
          }
        };
    RedisBloomFilter<String> filter =
        settings.apply(RedisBloomFilter.builder(counting, name, KeyHasher.text())).createOrOpen();
    return new Peer(
        filter::put,
        several -> count(filter.putAll(several)),
        filter::mightContain,
        several -> count(filter.mightContainAll(several)),
        sends,
        counting::close);
  }

  /** Returns no filter: each call is a PING by Jedis, the least that a round trip takes. */
  static Peer ping(URI server, String name, long keys, double fpp) {
    RedisLink link = jedis(server);
    List<Command> ping = List.of(Command.read("PING", new byte[0]));
    LongAdder trips = new LongAdder();
    Predicate<String> one =
        key -> {
          trips.increment();
          return link.send(ping).get(0) instanceof Reply.Bytes;
        };
    ToLongFunction<List<String>> many = several -> one.test(several.get(0)) ? 1 : 0;
    return new Peer(one, many, one, many, trips, link::close);
  }

  /** Returns Redisson's, which takes one script for each call. */
  static Peer redisson(URI server, String name, long keys, double fpp) {
    Config config = new Config();
    config.setCodec(StringCodec.INSTANCE);
    config
        .useSingleServer()
        .setAddress(server.toString())
        .setConnectionPoolSize(CONNECTIONS)
        .setConnectionMinimumIdleSize(CONNECTIONS);
    RedissonClient client = Redisson.create(config);
    RBloomFilter<String> filter = client.getBloomFilter(name);
    filter.tryInit(keys, fpp);
    LongAdder calls = new LongAdder();
    return new Peer(
        key -> {
          calls.increment();
          return filter.add(key);
        },
        several -> {
          calls.increment();
          return filter.add(several);
        },
        key -> {
          calls.increment();
          return filter.contains(key);
        },
        several -> {
          calls.increment();
          return filter.contains(several);
        },
        calls,
        client::shutdown);
  }

  private static long count(boolean[] answers) {
    long count = 0;
    for (boolean answer : answers) {
      count += answer ? 1 : 0;
    }
    return count;
  }
}
