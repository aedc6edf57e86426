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
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import okhttp3.Dns;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that fail, lie, stall or never end. */
@Timeout(60)
class FaultsTest {

  private static final int MAX_BYTES = 5000;
  private static final PageLimits SMALL =
      new PageLimits(MAX_BYTES, Duration.ofMinutes(1), 100, 1 << 20);
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
  void aServerIsLeftAloneForAsLongAsItDemands() throws Exception {
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
    byte[] packed = packed(" ".repeat(MAX_BYTES + 1));
    site.on("/packed", exchange -> encoded(exchange, "gzip", packed));
    Crawls.Result result = Crawls.of(site.url("/"), settings -> settings.pageLimits(SMALL));
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
    byte[] page = packed("<a href=café>x</a>");
    byte[] wrongSum = page.clone();
    wrongSum[page.length - 5] ^= 1;
    // flags, then an extra field of one byte, a name, a comment and a checksum
    byte[] header = {
      31, -117, 8, 2 + 4 + 8 + 16, 0, 0, 0, 0, 0, 0, 1, 0, 'x', 'n', 0, 'c', 0, 7, 7
    };
    byte[][] empty = Collections.nCopies(20_000, packed("")).toArray(byte[][]::new);
    Map<String, byte[]> pages =
        Map.of(
            "/gzip", page,
            "/header", joined(header, Arrays.copyOfRange(page, 10, page.length)),
            "/padded", joined(page, new byte[100]),
            "/members", joined(joined(empty), page));
    Map<String, byte[]> damaged =
        Map.of(
            "/nothing",
            new byte[0],
            "/broken",
            new byte[] {1, 2, 3},
            "/cut",
            Arrays.copyOf(page, page.length - 1),
            "/cut-inside",
            Arrays.copyOf(page, 15),
            "/cut-header",
            Arrays.copyOf(header, 14),
            "/wrong-sum",
            wrongSum);
    pages.forEach((path, body) -> site.on(path, exchange -> encoded(exchange, "gzip", body)));
    damaged.forEach((path, body) -> site.on(path, exchange -> encoded(exchange, "gzip", body)));
    site.on("/br", exchange -> encoded(exchange, "br", page)).page("/caf%C3%A9");
    String[] paths =
        Stream.of(pages, damaged).flatMap(map -> map.keySet().stream()).toArray(String[]::new);
    site.html("/", "<a href=br>" + Site.anchors(paths));
    Map<String, Outcome> outcomes = Crawls.of(site.url("/")).outcomes();
    assertThat(outcomes)
        .containsEntry(site.url("/caf%C3%A9"), PAGE)
        .containsEntry(site.url("/br"), UNREADABLE);
    assertThat(pages.keySet()).allMatch(path -> outcomes.get(site.url(path)) == PAGE);
    assertThat(damaged.keySet()).allMatch(path -> outcomes.get(site.url(path)) == UNREADABLE);
  }

  @Test
  void whateverIsThrownForAPageIsItsOutcome() throws Exception {
    site.page("/", "/a", "/b");
    InstantSource failing =
        () -> {
          if (!site.asked().isEmpty()) {
            throw new OutOfMemoryError("test");
          }
          return Instant.EPOCH;
        };
    Crawls.Result result = Crawls.of(site.url("/"), settings -> settings.clock(failing));
    assertThat(result.outcomes())
        .containsEntry(site.url("/"), PAGE)
        .containsEntry(site.url("/a"), UNREADABLE)
        .containsEntry(site.url("/b"), UNREADABLE);
    assertThat(result.page(site.url("/a")).detail())
        .isEqualTo("failed: java.lang.OutOfMemoryError: test");
    Dns overflowing =
        host -> {
          throw new StackOverflowError();
        };
    result = Crawls.of("http://other.test/", settings -> settings.dns(overflowing));
    assertThat(result.page("http://other.test/").detail())
        .isEqualTo("robots.txt: connection failed: StackOverflowError");
  }

  @Test
  void aHostIsWaitedForADayInAll() throws Exception {
    Headers headers = Headers.of("Retry-After", "3600");
    FetchResult busy =
        new FetchResult.Response(new FetchResult.Head(503, headers), new byte[0], true);
    Worker worker = Crawls.worker(SMALL);
    Duration waited = Duration.ZERO;
    for (int i = 0; i < 30; i++) {
      Worker.Again again = worker.judge(Task.start("http://h/" + i), busy, 0).again();
      assertThat(again.wanted()).isTrue();
      assertThat(again.after().isPresent()).isEqualTo(i < 24);
      waited = waited.plus(again.after().orElse(Duration.ZERO));
    }
    assertThat(waited).isEqualTo(Worker.MAX_TOTAL_RETRY_AFTER);
    assertThat(worker.judge(Task.start("http://other/"), busy, 0).again().after()).isPresent();
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
  void rulesAreRememberedInLimitedMemory() throws Exception {
    String lines =
        IntStream.range(0, 30_000).mapToObj(i -> "Disallow:/" + i + "\n").collect(joining());
    site.on(
        "/robots.txt",
        exchange -> Site.send(exchange, 200, "text/plain", "User-agent:*\n" + lines));
    AddressPolicy all = new AddressPolicy(List.of(), true);
    Dns dns = host -> List.of(InetAddress.getLoopbackAddress());
    try (Fetcher fetcher = new Fetcher("a", Duration.ofMinutes(1), all, dns)) {
      Robots robots = new Robots(fetcher, "a", 1, InstantSource.system());
      for (int visited = 0; visited < 2; visited++) {
        for (int host = 0; host < 15; host++) {
          robots.of(URI.create(site.urlOn("h" + host + ".test", "/")));
        }
        robots.of(URI.create(site.urlOn("h14.test", "/")));
      }
      assertThat(fetcher.requests()).isEqualTo(30);
    }
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
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: " + "x".repeat(1 << 20) + "\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n1;"
          + "x".repeat(2 << 20)
          + "\r\nx\r\n0\r\n\r\n",
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
                settings -> settings.timeout(Duration.ofSeconds(2)).pageLimits(SMALL));
        String start = answer.substring(0, Math.min(answer.length(), 100));
        assertThat(result.outcomes()).as(start).hasSize(1);
        assertThat(result.summary().count(PAGE)).as(start).isZero();
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

  private static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(UTF_8));
    }
    return packed.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    List.of(parts).forEach(joined::writeBytes);
    return joined.toByteArray();
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
