package dev.tamis.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tamis.MutableFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisLink;
import dev.tamis.tools.guard.ReadGuard;
import dev.tamis.tools.guard.StoreGuard;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import redis.embedded.RedisServer;

/** The recipes of docs/cookbook.md, run. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is used on Linux only")
class CookbookTest {

  // region spring
  @Configuration(proxyBeanMethods = false)
  static class Filters {

    @Bean
    RedisLink filterServer(@Value("${filters.redis}") URI server) { // closed with the context
      return JedisLink.to(server, Duration.ofSeconds(1), 8);
    }

    @Bean
    RedisBloomFilter<String> registeredUsers(RedisLink filterServer) {
      return RedisBloomFilter.<String>builder(filterServer, "registered-users", KeyHasher.text())
          .expectedKeys(1_000_000)
          .fpp(0.001)
          .createOrOpen();
    }
  }

  // end spring

  @Test
  void springClosesTheLinkOfAFilter() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    RedisServer server =
        RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    server.start();
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      Map<String, Object> properties = Map.of("filters.redis", "redis://127.0.0.1:" + port);
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("test", properties));
      context.register(Filters.class);
      context.refresh();
      RedisBloomFilter<?> users = context.getBean(RedisBloomFilter.class);
      assertThat(users.name()).isEqualTo("registered-users");
      assertThat(users.putHash(1)).isTrue();
    } finally {
      server.stop();
    }
  }

  // region caffeine
  static final class Users {
    private final ReadGuard<String, String> guard;
    private final Cache<String, String> cache = Caffeine.newBuilder().maximumSize(10_000).build();

    Users(Function<String, @Nullable String> database, Stream<String> names) {
      guard =
          StoreGuard.<String>builder(KeyHasher.text())
              .expectedKeys(1_000_000)
              .fpp(0.01)
              .buildReading(database::apply);
      guard.rebuild(() -> names);
    }

    @Nullable String find(String name) {
      return cache.get(name, guard::get); // an absent name costs neither a read nor a cache entry
    }
  }

  // end caffeine

  @Test
  void absentNamesReachNeitherCacheNorDatabase() {
    List<String> reads = new ArrayList<>();
    Map<String, String> table = Map.of("ann", "Ann", "bob", "Bob");
    Users users =
        new Users(
            name -> {
              reads.add(name);
              return table.get(name);
            },
            table.keySet().stream());
    assertThat(users.find("ann")).isEqualTo("Ann");
    assertThat(users.find("ann")).isEqualTo("Ann");
    assertThat(users.find("nobody")).isNull();
    assertThat(reads).containsExactly("ann");
  }

  @Test
  void aRequestIsHandledOnce() {
    int handled = 0;
    List<String> requests = List.of("key 1", "key 2", "key 1", "key 1");
    // region requests
    WindowedBloomFilter<String> recent =
        WindowedBloomFilter.<String>builder(KeyHasher.text())
            .window(Duration.ofMinutes(10))
            .clock(InstantSource.system())
            .expectedKeys(1_000_000) // within ten minutes
            .fpp(1e-6)
            .build();
    for (String idempotencyKey : requests) {
      if (recent.put(idempotencyKey)) { // true in one thread of all
        handled++;
      }
    }
    // end requests
    assertThat(handled).isEqualTo(2);
  }

  // region kafka
  /** Handles each record at least once, and a repeated one as a rule not again. */
  static void poll(
      Consumer<String, String> consumer,
      MutableFilter<String> handled,
      java.util.function.Consumer<ConsumerRecord<String, String>> handler) {
    for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
      if (!handled.mightContain(record.key())) {
        handler.accept(record);
        handled.put(record.key()); // after the work: a crash before it repeats the record
      }
    }
    consumer.commitSync();
  }

  // end kafka

  @Test
  void aRepeatedRecordIsHandledOnce() {
    TopicPartition partition = new TopicPartition("orders", 0);
    MockConsumer<String, String> consumer = new MockConsumer<>("earliest");
    consumer.assign(List.of(partition));
    consumer.updateBeginningOffsets(new HashMap<>(Map.of(partition, 0L)));
    MutableFilter<String> handled =
        WindowedBloomFilter.<String>builder(KeyHasher.text()).window(1_000).fpp(1e-6).build();
    List<String> values = new ArrayList<>();
    String[] keys = {"a", "b", "a"};
    for (int offset = 0; offset < keys.length; offset++) {
      consumer.addRecord(
          new ConsumerRecord<>("orders", 0, offset, keys[offset], "order " + offset));
    }
    poll(consumer, handled, record -> values.add(record.value()));
    assertThat(values).containsExactly("order 0", "order 1");
  }
}
