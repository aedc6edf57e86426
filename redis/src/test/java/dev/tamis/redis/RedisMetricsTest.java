package dev.tamis.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class RedisMetricsTest {

  private static final Duration SHORT = Duration.ofSeconds(3);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final String name = TestServer.newName();

  private RedisBloomFilter<Long> create(RedisLink link) {
    return TestFilters.builder(link, name, 10_000, 0.001).create();
  }

  private double commands(String result) {
    return registry.get("tamis.redis.commands").tag("result", result).counter().count();
  }

  private long calls() {
    return registry.get("tamis.redis.calls").tag("name", "seen").timer().count();
  }

  private double retries() {
    return registry.get("tamis.redis.retries").counter().count();
  }

  private double failures(String kind) {
    return registry.get("tamis.redis.filter.failures").tag("kind", kind).counter().count();
  }

  private long timed(String operation) {
    return registry.get("tamis.redis.filter").tag("operation", operation).timer().count();
  }

  @ParameterizedTest
  @EnumSource
  void roundTripsResultsAndFailuresAreCounted(LinkKind kind) throws Exception {
    // loads the client's classes, which takes longer than the short timeout on a busy machine
    kind.to(TestServer.shared().uri(), Duration.ofSeconds(30)).close();
    try (TestServer server = TestServer.withOptions();
        TestProxy proxy = new TestProxy(server);
        RedisLink link = RedisMetrics.link(registry, "seen", kind.to(proxy.uri(), SHORT))) {
      RedisBloomFilter<Long> created = create(link);
      HashedMutableFilter<Long> filter = RedisMetrics.filter(registry, "seen", created);
      long callsBefore = calls();
      double repliesBefore = commands("replied");

      assertThat(filter.put(1L)).isTrue();
      assertThat(filter.putAll(List.of(1L, 2L, 3L))).containsExactly(false, true, true);
      assertThat(filter.mightContain(3L)).isTrue();
      assertThat(calls()).isEqualTo(callsBefore + 3);
      assertThat(commands("replied")).isEqualTo(repliesBefore + 1 + 3 + 2);
      assertThat(timed("put")).isEqualTo(2);
      assertThat(timed("query")).isEqualTo(1);
      assertThat(
              registry
                  .get("tamis.redis.calls")
                  .timer()
                  .totalTime(registry.get("tamis.redis.calls").timer().baseTimeUnit()))
          .isPositive();

      proxy.delayReplies(60_000);
      refuses(UncertainPutException.class, () -> filter.put(4L));
      assertThat(failures("uncertain")).isEqualTo(1);
      assertThat(commands("uncertain")).isEqualTo(1);
      assertThat(retries()).isZero();
      refuses(RedisUnavailableException.class, () -> filter.mightContain(4L));
      assertThat(retries()).isEqualTo(1);
      assertThat(failures("unavailable")).isEqualTo(1);
      proxy.delayReplies(0);
      awaitConnection(filter);

      server.command("ACL", "SETUSER", "default", "-bitfield");
      refuses(RedisRefusedException.class, () -> filter.put(5L));
      assertThat(failures("refused")).isEqualTo(1);
      assertThat(commands("refused")).isEqualTo(1);
      server.command("ACL", "SETUSER", "default", "+@all");
      server.command("FLUSHALL");
      refuses(FilterLostException.class, () -> filter.put(6L));
      assertThat(failures("lost")).isEqualTo(1);
      server.kill();
      double noReply = commands("unsent") + commands("uncertain");
      assertThat(
              link.send(List.of(Command.read("GET", CommandTokens.ONE, CommandTokens.ONE))).get(0))
          .isInstanceOf(Reply.Missing.class);
      assertThat(commands("unsent") + commands("uncertain")).isEqualTo(noReply + 1);
    }
  }

  /** A busy machine may take several timeouts to connect again. */
  private static void awaitConnection(HashedFilter<Long> filter) {
    while (true) {
      try {
        filter.mightContain(1L);
        return;
      } catch (RedisUnavailableException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void stagesAreMeasuredToo() {
    try (AsyncRedisLink link =
        RedisMetrics.asyncLink(
            registry, "seen", LettuceLink.to(TestServer.shared().uri(), Duration.ofSeconds(10)))) {
      AsyncRedisBloomFilter<Long> filter = AsyncRedisBloomFilter.over(create(link), link, 256);
      long before = calls();
      assertThat(filter.put(1L).toCompletableFuture().join()).isTrue();
      assertThat(filter.mightContain(1L).toCompletableFuture().join()).isTrue();
      assertThat(calls()).isEqualTo(before + 2);
      assertThat(commands("refused")).isZero();
    }
  }

  @Test
  void aWindowIsMeasuredAsAnyFilter() {
    try (RedisLink link = TestServer.shared().link()) {
      RedisWindowedBloomFilter<Long> window =
          TestFilters.window(link, name, Duration.ofHours(1), 1_000, 0.001).create();
      HashedMutableFilter<Long> filter = RedisMetrics.filter(registry, "recent", window);
      assertThat(filter.put(1L)).isTrue();
      assertThat(filter.acceptedKeys()).isEqualTo(window.acceptedKeys());
      assertThat(filter.traits()).isEqualTo(window.traits());
      assertThat(timed("put")).isEqualTo(1);
    }
  }

  @Test
  void nothingElseKnowsOfMicrometer() {
    noClasses()
        .that()
        .areNotAssignableTo(RedisMetrics.class)
        .and()
        .doNotBelongToAnyOf(RedisMetrics.class)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.micrometer..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(RedisMetrics.class)
        .check(
            new ClassFileImporter()
                .importUrl(
                    RedisBloomFilter.class.getProtectionDomain().getCodeSource().getLocation()));
  }
}
