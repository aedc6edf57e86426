package dev.tamis.examples.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RequestServerTest {

  private static final Duration WINDOW = Duration.ofMinutes(10);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, Integer> handled = new ConcurrentHashMap<>();
  private volatile Instant now = Instant.parse("2020-01-02T03:04:05Z");

  @Test
  void eachOfTheRequestsThatEightThreadsRepeatIsHandledOnce() throws Exception {
    int threads = 8;
    List<String> names = IntStream.range(0, 300).mapToObj(i -> "order-" + i).toList();
    ExecutorService clients = Executors.newFixedThreadPool(threads);
    try (RequestServer server = server(threads)) {
      List<Callable<List<Integer>>> tasks =
          IntStream.range(0, threads)
              .<Callable<List<Integer>>>mapToObj(i -> () -> sendAll(server, names, i))
              .toList();
      List<Integer> statuses =
          clients.invokeAll(tasks).stream().flatMap(RequestServerTest::get).toList();

      assertThat(Collections.frequency(statuses, 201)).isEqualTo(300);
      assertThat(Collections.frequency(statuses, 409)).isEqualTo(7 * 300);
      assertThat(handled).hasSize(300).containsOnlyKeys(names).containsValue(1);
      assertThat(handled.values()).containsOnly(1);
      RequestServer.Summary summary = server.summary();
      assertThat(summary.received()).isEqualTo(8 * 300);
      assertThat(summary.handled()).isEqualTo(300);
      assertThat(summary.repeated()).isEqualTo(7 * 300);
      assertThat(summary.wronglyRepeated()).isLessThan(0.001);
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void aRequestIsHandledAgainAfterTheWindow() throws Exception {
    try (RequestServer server = server(2)) {
      assertThat(send(server, "order-1")).isEqualTo(201);
      now = now.plus(WINDOW);
      assertThat(send(server, "order-1")).isEqualTo(409);
      now = now.plus(WINDOW.multipliedBy(2));
      assertThat(send(server, "order-1")).isEqualTo(201);
      assertThat(handled).containsExactly(Map.entry("order-1", 2));
    }
  }

  @Test
  void theSummaryAddsUp() throws Exception {
    try (RequestServer server = server(2)) {
      assertThat(send(server, "order-1")).isEqualTo(201);
      assertThat(send(server, "order-1")).isEqualTo(409);
      assertThat(send(server, "fails")).isEqualTo(500);
      assertThat(send(server, "fails")).isEqualTo(409);
      assertThat(send(server, " ")).isEqualTo(400);
      assertThat(send(server, "x".repeat(101))).isEqualTo(400);
      HttpRequest nameless = HttpRequest.newBuilder(server.uri()).build();
      assertThat(client.send(nameless, BodyHandlers.discarding()).statusCode()).isEqualTo(400);
      assertThat(server.summary())
          .usingRecursiveComparison()
          .ignoringFields("wronglyRepeated")
          .isEqualTo(new RequestServer.Summary(7, 1, 1, 2, 3, 0));
    }
  }

  @Test
  void theProgramPrintsWhatBecameOfTheRequests() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    HandleOnce.run(50, new PrintStream(printed, true, UTF_8));
    assertThat(printed.toString(UTF_8))
        .contains("received=400, handled=50, failed=0, repeated=350, rejected=0");
  }

  private RequestServer server(int threads) throws IOException {
    return new RequestServer(threads, WINDOW, 10_000, () -> now, this::handle);
  }

  private void handle(String name) {
    if (name.equals("fails")) {
      throw new IllegalStateException("as the test asks for");
    }
    handled.merge(name, 1, Integer::sum);
  }

  /** Sends all of them in an order of its own, so that threads meet in some and not in others. */
  private List<Integer> sendAll(RequestServer server, List<String> names, int seed)
      throws IOException, InterruptedException {
    List<String> shuffled = new ArrayList<>(names);
    Collections.shuffle(shuffled, new Random(seed / 2));
    List<Integer> statuses = new ArrayList<>();
    for (String name : shuffled) {
      statuses.add(send(server, name));
    }
    return statuses;
  }

  private int send(RequestServer server, String name) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri())
            .header("Idempotency-Key", name)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static Stream<Integer> get(Future<List<Integer>> statuses) {
    try {
      return statuses.get().stream();
    } catch (Exception e) {
      throw new AssertionError("a client failed", e);
    }
  }
}
