package dev.tamis.tools.digest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DigestFetcherTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String BUILDING = "This cache is currently building its digest.\n";

  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> paths = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer server;
  private String address;
  private byte[] digest;
  private List<Answer> answers = List.of();

  /** What the server says; the last answer is given again and again. */
  @FunctionalInterface
  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    digest = Files.readAllBytes(Digests.golden());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          paths.add(exchange.getRequestURI().toString());
          answers.get(Math.min(paths.size(), answers.size()) - 1).to(exchange);
        });
    server.start();
    address = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
  }

  private static Answer answer(int status, String type, byte[] body, String... header) {
    return exchange -> {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", type);
      for (int i = 0; i < header.length; i += 2) {
        headers.set(header[i], header[i + 1]);
      }
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    };
  }

  private Answer digest() {
    return answer(200, "application/cache-digest", digest);
  }

  private static Answer building(String... header) {
    return answer(404, "text/plain", BUILDING.getBytes(US_ASCII), header);
  }

  private DigestFetcherBuilder builder() {
    return DigestFetcher.builder()
        .delay(Duration.ofSeconds(3))
        .clock(InstantSource.fixed(NOW))
        .pause(pauses::add);
  }

  @Test
  void aCacheThatIsBuildingItsDigestIsAskedAgain() throws Exception {
    answers = List.of(building(), building(), digest());
    FetchedDigest fetched = builder().build().fetch(address);
    assertThat(Digests.bytes(fetched.digest())).isEqualTo(digest);
    assertThat(fetched.attempts()).isEqualTo(3);
    assertThat(fetched.contentType()).isEqualTo(FetchedDigest.CONTENT_TYPE);
    assertThat(fetched.uri()).hasToString(address + DigestFetcher.PATH);
    assertThat(pauses).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));
    assertThat(paths).containsOnly(DigestFetcher.PATH).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aCacheThatNeverGetsReadyIsAnErrorAndNoEmptyDigest(int attempts) {
    answers = List.of(building());
    assertThatThrownBy(() -> builder().attempts(attempts).build().fetch(address))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            address
                + DigestFetcher.PATH
                + ": no digest after asking "
                + attempts
                + " times, the last answer was 404 '"
                + BUILDING.strip()
                + "'; wait longer, ")
        .hasMessageContaining("cache_dir");
    assertThat(paths).hasSize(attempts);
    assertThat(pauses).hasSize(attempts - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 429, 502, 503, 504})
  void aServerThatIsBusyIsAskedAgain(int status) throws Exception {
    Answer busy = answer(status, "text/html", new byte[0]);
    Answer notYet = answer(200, "text/plain", BUILDING.getBytes(US_ASCII));
    answers = List.of(busy, notYet, digest());
    assertThat(builder().build().fetch(address).attempts()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "10, PT10S",
    "2, PT3S",
    "86400, PT1H",
    "soon, PT3S",
    "'Thu, 01 Jan 2026 00:01:00 GMT', PT1M",
  })
  void aServerSaysWhenToComeBack(String value, Duration wait) throws Exception {
    answers = List.of(building("Retry-After", value), digest());
    builder().build().fetch(address);
    assertThat(pauses).containsExactly(wait);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 301, 401, 403, 410, 500})
  void everyOtherStatusIsAnErrorAtOnce(int status) {
    answers = List.of(answer(status, "text/html", new byte[0], "Location", "/elsewhere"));
    assertThatThrownBy(() -> builder().build().fetch(address))
        .hasMessageStartingWith(
            address
                + DigestFetcher.PATH
                + ": expected a digest, got status "
                + status
                + " to /elsewhere ''; see that ");
    assertThat(paths).hasSize(1);
  }

  @Test
  void aPageThatIsNoDigestIsAnErrorWithItsType() {
    byte[] page = "<!doctype html><title>Welcome</title>".repeat(10).getBytes(US_ASCII);
    answers = List.of(answer(200, "Text/HTML; charset=utf-8", page));
    assertThatThrownBy(() -> builder().build().fetch(address))
        .hasMessage(
            address
                + DigestFetcher.PATH
                + ": answered with text/html, which is not a valid cache digest: required version"
                + " at byte 2: expected 0 to 5, got 25711");
  }

  @Test
  void aDigestUnderAnotherNameIsTakenAndTheNameKept() throws Exception {
    answers = List.of(answer(200, "application/octet-stream", digest));
    FetchedDigest fetched = builder().build().fetch(address + "/copies/a?b=c");
    assertThat(fetched.contentType()).isEqualTo("application/octet-stream");
    assertThat(paths).containsExactly("/copies/a?b=c");
  }

  @Test
  void aDigestThatIsTooLargeIsRefused() throws Exception {
    answers = List.of(digest());
    assertThat(builder().maxBytes(220).build().fetch(address).digest().setBits()).isEqualTo(953);
    assertThatThrownBy(() -> builder().maxBytes(219).build().fetch(address))
        .hasMessageContaining(
            address
                + DigestFetcher.PATH
                + ": expected a digest of at most 219 bytes, got more; raise the limit");
  }

  @Test
  void aBodyThatEndsEarlyIsAnError() {
    answers =
        List.of(
            exchange -> {
              exchange.sendResponseHeaders(200, digest.length);
              exchange.getResponseBody().write(digest, 0, digest.length - 1);
              exchange.getResponseBody().flush();
              exchange.close();
            });
    assertThatThrownBy(() -> builder().build().fetch(address))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(address + DigestFetcher.PATH + ": no answer: ");
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUp() {
    answers = List.of(exchange -> awaitTheEnd());
    assertThatThrownBy(() -> builder().timeout(Duration.ofMillis(50)).build().fetch(address))
        .hasMessage(address + DigestFetcher.PATH + ": no answer, or not all of it, in 50 ms");
  }

  private void awaitTheEnd() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    String nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = "http://127.0.0.1:" + socket.getLocalPort();
    }
    assertThatThrownBy(() -> builder().build().fetch(nobody))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(nobody + DigestFetcher.PATH + ": no answer: ");
  }

  @ParameterizedTest
  @CsvSource({
    "http://proxy.example:3128, http://proxy.example:3128/squid-internal-periodic/store_digest",
    "http://proxy.example:3128/, http://proxy.example:3128/squid-internal-periodic/store_digest",
    "HTTPS://proxy.example, HTTPS://proxy.example/squid-internal-periodic/store_digest",
    "' http://[::1]:3128 ', http://[::1]:3128/squid-internal-periodic/store_digest",
    "http://h/a.digest, http://h/a.digest",
    "http://h?x, http://h?x",
  })
  void aBareAddressGetsThePathOfSquid(String given, String uri) {
    assertThat(DigestFetcher.uriOf(given)).hasToString(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "proxy:3128", "proxy.example", "ftp://h/", "http://", "http://u@h", "a b"})
  void whatIsNoAddressIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DigestFetcher.uriOf(text))
        .withMessage(
            "expected the address of a cache, such as http://proxy.example:3128, got '"
                + text
                + "'");
  }

  @Test
  void settingsHaveLimits() {
    DigestFetcherBuilder builder = DigestFetcher.builder();
    builder.attempts(1).attempts(1_000_000).delay(Duration.ZERO).delay(Duration.ofDays(1));
    builder.timeout(Duration.ofNanos(1)).timeout(Duration.ofDays(1));
    builder.maxBytes(1).maxBytes(DigestFetcherBuilder.LARGEST_MAX_BYTES);
    assertThat(DigestFetcherBuilder.LARGEST_MAX_BYTES)
        .isEqualTo(new DigestSize((int) DigestSize.MAX_BITS, 1).maskBytes());
    assertThatIllegalArgumentException().isThrownBy(() -> builder.attempts(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.attempts(1_000_001));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.delay(Duration.ofNanos(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.delay(Duration.ofDays(1).plusNanos(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.timeout(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.timeout(Duration.ofDays(1).plusNanos(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.maxBytes(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxBytes(DigestFetcherBuilder.LARGEST_MAX_BYTES + 1));
  }
}
