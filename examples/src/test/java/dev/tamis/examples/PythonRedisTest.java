package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisBloomFilterBuilder;
import dev.tamis.redis.RedisWindowedBloomFilter;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.embedded.RedisServer;

/** The client in Python and the filter in Java agree about every key of one filter on a server. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is tried on Linux only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PythonRedisTest {

  private static final String OPEN =
      """
      import sys
      from tamis_redis import RedisFilter
      port, name, secret = sys.argv[1:4]
      seen = RedisFilter("127.0.0.1", port, name, secret_key=bytes.fromhex(secret) or None)
      """;

  private static final String QUERY =
      OPEN
          + """
          for line in sys.stdin.buffer:
              print(seen.might_contain(line[:-1]))
          """;

  private static final String PUT =
      OPEN
          + """
          for line in sys.stdin.buffer:
              print(seen.put(line[:-1].decode()))
          """;

  private static final String LOSE =
      """
      import sys
      from tamis_redis import FilterLost, RedisFilter
      seen = RedisFilter("127.0.0.1", sys.argv[1], sys.argv[2])
      seen.call("FLUSHALL")
      for use in (seen.put, seen.might_contain):
          try:
              use("key")
              print("wrong")
          except FilterLost:
              print("lost")
      """;

  private static final String SECRET = "000102030405060708090a0b0c0d0e0f";
  private static final int KEYS = 1_000;

  private final RedisServer server;
  private final int port;
  private Path scratch;
  private Python python;
  private JedisLink link;

  PythonRedisTest() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
  }

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    scratch = folder;
    python = new Python(folder);
    python.assumeInstalled();
    server.start();
    link = JedisLink.to(URI.create("redis://127.0.0.1:" + port), Duration.ofSeconds(5), 1);
  }

  @AfterAll
  void stop() throws IOException {
    if (link != null) {
      link.close();
      server.stop();
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void queriesAndPutsAsJavaDoesInEveryLayout(Layout layout) throws Exception {
    agree(layout.name(), "", KeyHasher.text(), builder -> builder.layout(layout));
  }

  @Test
  void findsTheShardOfAKey() throws Exception {
    agree("shards", "", KeyHasher.text(), builder -> builder.shardBytes(256));
  }

  @Test
  void hashesWithASecretKey() throws Exception {
    HashKey key = HashKey.of(HexFormat.of().parseHex(SECRET));
    agree("secret", SECRET, KeyHasher.text().keyedBy(key), builder -> builder);
  }

  /** Java puts every other key, Python queries all of them and puts them, Java finds them. */
  private void agree(
      String name,
      String secret,
      KeyHasher<CharSequence> hasher,
      UnaryOperator<RedisBloomFilterBuilder<String>> settings)
      throws Exception {
    RedisBloomFilter<String> filter =
        settings
            .apply(
                RedisBloomFilter.<String>builder(link, name, hasher)
                    .expectedKeys(KEYS)
                    .fpp(0.05))
            .create();
    List<String> keys = IntStream.range(0, 2 * KEYS).mapToObj(i -> "schl\u00fcssel " + i).toList();
    IntStream.range(0, KEYS).forEach(i -> filter.put(keys.get(2 * i)));
    List<Boolean> known = keys.stream().map(filter::mightContain).toList();
    assertThat(known).contains(false);
    assertThat(answers(QUERY, name, secret, keys)).isEqualTo(known);

    List<Boolean> isNew = answers(PUT, name, secret, keys);
    for (int i = 0; i < isNew.size(); i++) {
      assertThat(isNew.get(i) && known.get(i)).as(keys.get(i)).isFalse();
    }
    assertThat(keys).allMatch(filter::mightContain);
    assertThat(answers(PUT, name, secret, keys)).containsOnly(false);
    List<String> others = keys.stream().map(key -> "no " + key).toList();
    assertThat(answers(QUERY, name, secret, others))
        .isEqualTo(others.stream().map(filter::mightContain).toList());
  }

  private List<Boolean> answers(String program, String name, String secret, List<String> keys)
      throws Exception {
    Path lines = Files.writeString(scratch.resolve("keys"), String.join("\n", keys) + "\n", UTF_8);
    Python.Run run =
        python.run(List.of("-c", program, String.valueOf(port), name, secret), lines);
    assertThat(run.err()).isEmpty();
    return run.out().lines().map(Boolean::parseBoolean).toList();
  }

  @Test
  void aLostFilterIsAnError() throws Exception {
    RedisBloomFilter.<String>builder(link, "gone", KeyHasher.text())
        .expectedKeys(KEYS)
        .fpp(0.01)
        .create();
    Python.Run run = python.run(List.of("-c", LOSE, String.valueOf(port), "gone"), scratch);
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines()).containsExactly("lost", "lost");
  }

  @Test
  void whatIsNoFilterIsRefused() throws Exception {
    RedisWindowedBloomFilter.<String>builder(link, "recent", KeyHasher.text())
        .window(Duration.ofHours(1))
        .expectedKeys(KEYS)
        .fpp(0.01)
        .create();
    for (String name : List.of("nothing", "recent", "recent@window")) {
      Python.Run run =
          python.run(List.of("-c", OPEN, String.valueOf(port), name, ""), scratch);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.err()).contains("FormatError: no filter of version 2");
    }
  }
}
