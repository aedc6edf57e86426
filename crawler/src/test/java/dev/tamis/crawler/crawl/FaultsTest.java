package dev.tamis.crawler.crawl;

import static dev.tamis.crawler.crawl.Outcome.CLIENT_ERROR;
import static dev.tamis.crawler.crawl.Outcome.DISALLOWED;
import static dev.tamis.crawler.crawl.Outcome.FILE;
import static dev.tamis.crawler.crawl.Outcome.PAGE;
import static dev.tamis.crawler.crawl.Outcome.SERVER_ERROR;
import static dev.tamis.crawler.crawl.Outcome.TIMED_OUT;
import static dev.tamis.crawler.crawl.Outcome.TOO_LARGE;
import static dev.tamis.crawler.crawl.Outcome.UNREACHABLE;
import static dev.tamis.crawler.crawl.Outcome.UNREADABLE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that fail, lie, stall or never end. */
@Timeout(60)
class FaultsTest {

  private static final int MAX_BYTES = 5000;
  private static final Site.Handler WELL =
      exchange -> Site.send(exchange, 200, "text/html", "<a href=next>x</a>");

  @AutoClose private final Site site = new Site(Crawls::fastNanos);

  @Test
  void aServerThatFailedOnceIsAskedAgain() throws Exception {
    site.page("/", "/a").inTurn("/a", failing(500, null), WELL).page("/next");
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes())
        .containsEntry(site.url("/a"), PAGE)
        .containsEntry(site.url("/next"), PAGE);
    assertThat(site.asked()).containsExactly("/", "/a", "/a", "/next");
    assertThat(result.summary().retries()).isEqualTo(1);
  }

  @Test
  void aServerThatGoesOnFailingIsGivenUp() throws Exception {
    site.page("/", "/a", "/b").on("/a", failing(503, null)).page("/b");
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes())
        .containsEntry(site.url("/a"), SERVER_ERROR)
        .containsEntry(site.url("/b"), PAGE);
    assertThat(Collections.frequency(site.asked(), "/a")).isEqualTo(CrawlBuilder.MAX_ATTEMPTS);
    assertThat(result.summary().retries()).isEqualTo(CrawlBuilder.MAX_ATTEMPTS - 1);
    assertThat(result.page(site.url("/a")).status()).hasValue(503);
  }

  @Test
  void aServerIsLeftAloneAsLongAsItAsks() throws Exception {
    site.page("/", "/a").inTurn("/a", failing(429, "50"), failing(503, date()), WELL).page("/next");
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    Crawls.Result result =
        Crawls.of(site.url("/"), settings -> settings.clock(InstantSource.fixed(now)));
    assertThat(result.outcomes()).containsEntry(site.url("/a"), PAGE);
    long[] times =
        site.requests().stream()
            .filter(request -> request.path().equals("/a"))
            .mapToLong(Site.Request::nanos)
            .toArray();
    assertThat(times[1] - times[0]).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(50));
    assertThat(times[2] - times[1]).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(70));
  }

  @Test
  void aPageThatStaysAwayTimesOutAndSoDoesOneThatTrickles() throws Exception {
    site.page("/", "/slow", "/trickle", "/well").page("/well");
    site.on("/slow", exchange -> sleep());
    site.on(
        "/trickle",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          sleep();
        });
    Crawls.Result result =
        Crawls.of(site.url("/"), settings -> settings.timeout(Duration.ofMillis(200)));
    assertThat(result.outcomes())
        .containsEntry(site.url("/slow"), TIMED_OUT)
        .containsEntry(site.url("/trickle"), TIMED_OUT)
        .containsEntry(site.url("/well"), PAGE);
  }

  @Test
  void aPageIsReadUpToTheLimitAndNotBeyond() throws Exception {
    site.page("/", "/under", "/at", "/over", "/endless", "/packed", "/film", "/well").page("/well");
    for (int i = -1; i <= 1; i++) {
      String body = "x".repeat(MAX_BYTES + i);
      site.html(i < 0 ? "/under" : i == 0 ? "/at" : "/over", body);
    }
    site.on("/endless", exchange -> endless(exchange, "text/html"));
    site.on("/film", exchange -> endless(exchange, "video/mp4"));
    site.on("/packed", exchange -> gzip(exchange, " ".repeat(MAX_BYTES + 1).getBytes(UTF_8)));
    Crawls.Result result =
        Crawls.of(
            site.url("/"),
            settings ->
                settings.pageLimits(
                    new PageLimits(MAX_BYTES, Duration.ofMinutes(1), 100, 1 << 20)));
    assertThat(result.outcomes())
        .containsEntry(site.url("/under"), PAGE)
        .containsEntry(site.url("/at"), PAGE)
        .containsEntry(site.url("/over"), TOO_LARGE)
        .containsEntry(site.url("/endless"), TOO_LARGE)
        .containsEntry(site.url("/packed"), TOO_LARGE)
        .containsEntry(site.url("/film"), FILE)
        .containsEntry(site.url("/well"), PAGE);
    assertThat(result.page(site.url("/over")).bytes()).hasValue(MAX_BYTES + 1);
    assertThat(result.page(site.url("/film")).bytes()).isEmpty();
  }

  @Test
  void pagesAreReadInTheirEncodingOrSaidToBeUnreadable() throws Exception {
    site.page("/", "/gzip", "/broken", "/br").page("/caf%C3%A9");
    site.on("/gzip", exchange -> gzip(exchange, "<a href=café>x</a>".getBytes(UTF_8)));
    site.on("/broken", exchange -> encoded(exchange, "gzip", new byte[] {1, 2, 3}));
    site.on("/br", exchange -> encoded(exchange, "br", new byte[] {1, 2, 3}));
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes())
        .containsEntry(site.url("/gzip"), PAGE)
        .containsEntry(site.url("/caf%C3%A9"), PAGE)
        .containsEntry(site.url("/broken"), UNREADABLE)
        .containsEntry(site.url("/br"), UNREADABLE);
  }

  @Test
  void wrongAndMissingCharactersSetsDoNotLoseLinks() throws Exception {
    site.page("/", "/latin", "/unknown", "/meta").page("/caf%C3%A9").page("/a").page("/%C3%BC");
    byte[] latin = "<a href=café>x</a>".getBytes(ISO_8859_1);
    site.on("/latin", exchange -> Site.send(exchange, 200, "text/html; charset=latin1", latin));
    site.on(
        "/unknown",
        exchange -> Site.send(exchange, 200, "text/html;charset=no such", "<a href=a>"));
    byte[] meta = "<meta charset=ISO-8859-1><a href=ü>x</a>".getBytes(ISO_8859_1);
    site.on("/meta", exchange -> Site.send(exchange, 200, "text/html", meta));
    assertThat(Crawls.of(site.url("/")).outcomes())
        .containsEntry(site.url("/caf%C3%A9"), PAGE)
        .containsEntry(site.url("/a"), PAGE)
        .containsEntry(site.url("/%C3%BC"), PAGE);
  }

  @Test
  void rulesThatCannotBeHadForbidEverything() throws Exception {
    site.page("/", "/a").on("/robots.txt", failing(500, null));
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes()).containsExactly(entry("/", DISALLOWED));
    assertThat(result.page(site.url("/")).detail()).isEqualTo("robots.txt: status 500");
    assertThat(site.asked()).isEmpty();
    assertThat(site.requests()).hasSize(CrawlBuilder.MAX_ATTEMPTS);
  }

  @Test
  void rulesThatComeLaterAreObeyed() throws Exception {
    site.page("/", "/a", "/b").page("/a").page("/b");
    site.inTurn(
        "/robots.txt",
        failing(503, null),
        exchange -> Site.send(exchange, 200, "text/plain", "User-agent: tester\nDisallow: /b"));
    assertThat(Crawls.of(site.url("/")).outcomes())
        .containsEntry(site.url("/a"), PAGE)
        .containsEntry(site.url("/b"), DISALLOWED);
    assertThat(site.asked()).containsExactly("/", "/a");
  }

  @Test
  void noRulesAllowEverything() throws Exception {
    for (int status : new int[] {401, 403, 404, 410}) {
      try (Site open = new Site()) {
        open.page("/").status("/robots.txt", status);
        assertThat(Crawls.of(open.url("/")).outcomes()).containsValue(PAGE);
      }
    }
  }

  @Test
  void rulesMayBeElsewhereButNotEndlesslyFar() throws Exception {
    site.redirect("/robots.txt", 302, "/r/1").redirect("/r/1", 302, "/r/2");
    site.on(
        "/r/2", exchange -> Site.send(exchange, 200, "text/plain", "User-agent: *\nDisallow: /"));
    assertThat(Crawls.of(site.url("/")).outcomes()).containsExactly(entry("/", DISALLOWED));
    site.redirect("/r/1", 302, "/r/1").page("/");
    assertThat(Crawls.of(site.url("/")).outcomes()).containsExactly(entry("/", PAGE));
  }

  @Test
  void rulesAreReadUpToTheLimit() throws Exception {
    String start = "User-agent: *\nDisallow: /a\n#";
    String end = "\nDisallow: /b\n";
    String filler = "x".repeat(Robots.MAX_BYTES - start.length());
    site.page("/", "/a", "/b").page("/b");
    site.on(
        "/robots.txt", exchange -> Site.send(exchange, 200, "text/plain", start + filler + end));
    assertThat(Crawls.of(site.url("/")).outcomes())
        .containsEntry(site.url("/a"), DISALLOWED)
        .containsEntry(site.url("/b"), PAGE);
  }

  @Test
  void aHostThatIsNotThereIsSaidToBe() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Crawls.Result result = Crawls.of("http://127.0.0.1:" + port + "/");
    assertThat(result.outcomes()).containsValue(UNREACHABLE).hasSize(1);
    assertThat(result.pages().get(0).detail()).startsWith("robots.txt: no connection");
  }

  @Test
  void answersThatMakeNoSenseDoNotStopTheCrawl() throws Exception {
    String[] answers = {
      "nonsense\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n",
      "HTTP/1.1 999 \r\n\r\n",
      "",
    };
    for (String answer : answers) {
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        Thread thread = new Thread(() -> answerAll(server, answer));
        thread.setDaemon(true);
        thread.start();
        Crawls.Result result =
            Crawls.of(
                "http://127.0.0.1:" + server.getLocalPort() + "/",
                settings -> settings.timeout(Duration.ofSeconds(2)));
        assertThat(result.outcomes()).as(answer).hasSize(1);
        assertThat(result.summary().count(PAGE)).as(answer).isZero();
      }
    }
  }

  @Test
  void aClientErrorIsNotTriedAgain() throws Exception {
    site.page("/", "/gone").status("/gone", 410);
    assertThat(Crawls.of(site.url("/")).outcomes()).containsEntry(site.url("/gone"), CLIENT_ERROR);
    assertThat(site.asked()).containsExactly("/", "/gone");
  }

  /** Gives 404 for robots.txt, and {@code answer} for all else. */
  private static void answerAll(ServerSocket server, String answer) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        byte[] request = new byte[4096];
        int length = Math.max(0, socket.getInputStream().read(request));
        boolean robots = new String(request, 0, length, ISO_8859_1).startsWith("GET /robots.txt");
        String none = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write((robots ? none : answer).getBytes(ISO_8859_1));
      } catch (IOException e) {
        // the crawler went away, or the test did
      }
    }
  }

  private Map.Entry<String, Outcome> entry(String path, Outcome outcome) {
    return Map.entry(site.url(path), outcome);
  }

  private static Site.Handler failing(int status, @Nullable String after) {
    return exchange -> {
      if (after != null) {
        exchange.getResponseHeaders().set("Retry-After", after);
      }
      Site.send(exchange, status, "text/html", "no");
    };
  }

  private static String date() {
    return "Thu, 1 Jan 2026 00:01:10 GMT"; // 70 seconds after the fixed clock
  }

  private static void endless(HttpExchange exchange, String type) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, 0);
    byte[] block = new byte[8192];
    try (OutputStream out = exchange.getResponseBody()) {
      while (true) {
        out.write(block); // until the crawler goes away
      }
    }
  }

  private static void gzip(HttpExchange exchange, byte[] body) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(body);
    }
    encoded(exchange, "gzip", packed.toByteArray());
  }

  private static void encoded(HttpExchange exchange, String encoding, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Encoding", encoding);
    Site.send(exchange, 200, "text/html; charset=utf-8", body);
  }

  private static void sleep() {
    try {
      TimeUnit.SECONDS.sleep(30); // ends with the site
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
