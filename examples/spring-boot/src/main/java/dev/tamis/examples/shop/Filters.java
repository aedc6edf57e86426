package dev.tamis.examples.shop;

import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.LettuceLink;
import dev.tamis.redis.RedisLink;
import dev.tamis.redis.RedisMetrics;
import dev.tamis.redis.RedisWindowedBloomFilter;
import dev.tamis.tools.guard.ReadGuard;
import dev.tamis.tools.guard.StoreGuard;
import dev.tamis.tools.guard.StoreGuardMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The filters of the shop, their metrics and their health. */
@Configuration(proxyBeanMethods = false)
class Filters {

  /** The link to the server, with metrics; Spring closes it. */
  @Bean
  RedisLink link(
      MeterRegistry registry,
      @Value("${shop.redis}") URI server,
      @Value("${shop.timeout}") Duration timeout) {
    return RedisMetrics.link(registry, "shop", LettuceLink.to(server, timeout));
  }

  /** The requests of the last ten minutes, of all instances. */
  @Bean
  RedisWindowedBloomFilter<String> recentRequests(RedisLink link) {
    return RedisWindowedBloomFilter.<String>builder(link, "shop-requests", KeyHasher.text())
        .window(Duration.ofMinutes(10))
        .expectedKeys(1_000_000)
        .fpp(1e-6)
        .createOrOpen();
  }

  /** The same, with metrics. */
  @Bean
  HashedMutableFilter<String> measuredRequests(
      MeterRegistry registry, RedisWindowedBloomFilter<String> recentRequests) {
    return RedisMetrics.filter(registry, "shop-requests", recentRequests);
  }

  /** Says at /actuator/health whether the requests can be recognised. */
  @Bean
  HealthIndicator recentRequestsHealthIndicator(RedisWindowedBloomFilter<String> recentRequests) {
    return () -> {
      var found = recentRequests.health();
      Health.Builder health =
          switch (found.status()) {
            case READY -> Health.up();
            case LOST, REFUSED -> Health.outOfService();
            case UNAVAILABLE -> Health.down();
          };
      return health
          .withDetail("detail", found.detail())
          .withDetail("roundTripMicros", found.roundTrip().toNanos() / 1_000)
          .withDetail("persistence", found.persistence())
          .build();
    };
  }

  /** Keeps most requests for products that do not exist away from the repository. */
  @Bean
  ReadGuard<String, Product> products(ProductRepository repository) {
    ReadGuard<String, Product> guard =
        StoreGuard.<String>builder(KeyHasher.text())
            .name("products")
            .expectedKeys(100_000)
            .fpp(0.01)
            .buildReading(repository::find);
    guard.rebuild(repository::ids);
    return guard;
  }

  /** Binds the figures of the guard to the registry. */
  @Bean
  StoreGuardMetrics productsMetrics(ReadGuard<String, Product> products) {
    return new StoreGuardMetrics(products);
  }
}
