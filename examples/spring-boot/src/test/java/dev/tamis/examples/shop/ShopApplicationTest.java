package dev.tamis.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import redis.embedded.RedisServer;

/** The whole service over HTTP, with a real server, which is stopped at the end. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class ShopApplicationTest {

  private static RedisServer redis;

  @LocalServerPort private int port;
  @Autowired private OrderRepository orders;
  @Autowired private ProductRepository products;

  private final HttpClient client = HttpClient.newHttpClient();

  @DynamicPropertySource
  static void startRedis(DynamicPropertyRegistry registry) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    redis = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    redis.start();
    registry.add("shop.timeout", () -> "30s"); // of a busy machine
    registry.add("shop.redis", () -> "redis://127.0.0.1:" + port);
  }

  @AfterAll
  static void stopRedis() throws IOException {
    redis.stop();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private CompletableFuture<HttpResponse<String>> order(String key, String product) {
    return client.sendAsync(
        request("/orders")
            .header("Idempotency-Key", key)
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(product))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  @Order(1)
  void aRequestThatIsRepeatedIsProcessedOnceAndNewOnesCostNoRead() {
    for (int i = 0; i < 200; i++) {
      assertThat(order("key " + i, "p1").join().statusCode()).isEqualTo(201);
    }
    assertThat(orders.reads()).isZero();
    for (int i = 0; i < 200; i++) {
      assertThat(order("key " + i, "p1").join().statusCode()).isEqualTo(200);
    }
    assertThat(orders.reads()).isEqualTo(200);
    assertThat(orders.count()).isEqualTo(200);

    List<CompletableFuture<HttpResponse<String>>> many = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      many.add(order("at once", "p2"));
    }
    assertThat(many.stream().filter(one -> one.join().statusCode() == 201)).hasSize(1);
  }

  @Test
  @Order(2)
  void productsThatDoNotExistAreHardlyEverRead() throws Exception {
    assertThat(get("/products/p7").body()).contains("Product 7");
    long before = products.reads();
    for (int i = 0; i < 1_000; i++) {
      assertThat(get("/products/none" + i).statusCode()).isEqualTo(404);
    }
    assertThat(products.reads() - before).isLessThan(50); // 1 % expected
  }

  @Test
  @Order(3)
  void healthAndMetricsAreThere() throws Exception {
    assertThat(get("/actuator/health").body())
        .contains("\"recentRequests\":{")
        .contains("\"persistence\":\"NONE\"")
        .contains("\"status\":\"UP\"");
    assertThat(get("/actuator/metrics/tamis.redis.calls?tag=name:shop").statusCode())
        .isEqualTo(200);
    assertThat(get("/actuator/metrics/tamis.redis.filter?tag=operation:put").body())
        .contains("\"statistic\":\"COUNT\"");
    assertThat(get("/actuator/metrics/tamis.guard.gets?tag=result:skipped").body())
        .contains("\"statistic\":\"COUNT\"");
  }

  @Test
  @Order(4)
  void withoutTheServerOrdersAreStillProcessedOnce() throws Exception {
    redis.stop();
    assertThat(order("late", "p3").join().statusCode()).isEqualTo(201);
    assertThat(order("late", "p3").join().statusCode()).isEqualTo(200);
    assertThat(order("key 1", "p1").join().statusCode()).isEqualTo(200);
    HttpResponse<String> health = get("/actuator/health");
    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(health.body()).contains("\"status\":\"DOWN\"");
    assertThat(get("/actuator/metrics/tamis.redis.filter.failures?tag=kind:unavailable").body())
        .contains("\"value\":");
  }
}
