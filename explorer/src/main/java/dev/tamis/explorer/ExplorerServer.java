package dev.tamis.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows the explorer page, and one filter if wanted, to browsers on this machine until it is
 * closed.
 *
 * <p>It listens on the loopback address alone, at a free port, and its URL has a random token. It
 * serves two resources to GET and HEAD and nothing else, and only to requests whose {@code Host} is
 * its own address, so that no page of another site can reach it by a host name that leads here.
 *
 * <p>Safe for any number of threads.
 */
public final class ExplorerServer implements AutoCloseable {

  /** The bytes of a token; too many to guess. */
  private static final int TOKEN_BYTES = 16;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** More than several browsers have connections. */
  private static final int THREADS = 64;

  /** How long the rest of a request may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int CHECKS_PER_PATIENCE = 4;

  private static final String PAGE = "";
  private static final String FILTER = "filter";

  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;

  private final ExplorerPage page = ExplorerPage.load();
  private final @Nullable Path filter;
  private final String token;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();

  /** The threads that wait for the rest of a request, and since when. */
  private final Map<Thread, Long> waiting = new ConcurrentHashMap<>();

  private ExplorerServer(HttpServer server, String token, @Nullable Path filter) {
    this.server = server;
    this.token = token;
    this.filter = filter;
  }

  /** Starts to serve the page alone. */
  public static ExplorerServer start() throws IOException {
    return open(null, PATIENCE);
  }

  /**
   * Starts to serve the page and a filter, which the page opens.
   *
   * @param filter a file, read anew by each request
   */
  public static ExplorerServer start(Path filter) throws IOException {
    return open(filter, PATIENCE);
  }

  /** Starts to serve; a request whose rest takes longer than {@code patience} is not answered. */
  static ExplorerServer open(@Nullable Path filter, Duration patience) throws IOException {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0);
    ExplorerServer opened =
        new ExplorerServer(HttpServer.create(address, 0), HexFormat.of().formatHex(random), filter);
    opened.server.createContext("/", opened::answer);
    opened.server.setExecutor(task -> opened.threads.execute(() -> opened.run(task)));
    long nanos = patience.toNanos();
    ScheduledFuture<?> unused =
        opened.watch.scheduleWithFixedDelay(
            () -> opened.endStalled(nanos), 0, nanos / CHECKS_PER_PATIENCE, TimeUnit.NANOSECONDS);
    opened.server.start();
    return opened;
  }

  /** Reads a request and answers it. */
  private void run(Runnable exchange) {
    waiting.put(Thread.currentThread(), System.nanoTime());
    try {
      exchange.run();
    } finally {
      waiting.remove(Thread.currentThread());
    }
  }

  private void endStalled(long nanos) {
    for (Thread thread : waiting.keySet()) {
      waiting.computeIfPresent(
          thread,
          (stalled, since) -> {
            if (System.nanoTime() - since < nanos) {
              return since;
            }
            stalled.interrupt(); // closes the connection that it reads from
            return null;
          });
    }
  }

  /** Returns the URL of the page, with what it is to show. */
  public URI url() {
    Path name = filter == null ? null : filter.getFileName();
    String shown = name == null ? "" : "#open?served=" + URLEncoder.encode(name.toString(), UTF_8);
    return URI.create("http://" + host() + "/" + token + "/" + shown);
  }

  private String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    waiting.remove(Thread.currentThread());
    try (exchange) {
      Headers headers = exchange.getResponseHeaders();
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cache-Control", "no-store");
      headers.set("Cross-Origin-Resource-Policy", "same-origin");
      headers.set("Cross-Origin-Opener-Policy", "same-origin");
      headers.set("Content-Security-Policy", page.policy() + "; frame-ancestors 'none'");
      if (!List.of(host()).equals(exchange.getRequestHeaders().get("Host"))) {
        refuse(exchange, FORBIDDEN);
        return;
      }
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        headers.set("Allow", "GET, HEAD");
        refuse(exchange, METHOD_NOT_ALLOWED);
        return;
      }
      String path = exchange.getRequestURI().getRawPath();
      if (is(path, PAGE)) {
        byte[] html = page.html();
        headers.set("Content-Type", "text/html; charset=utf-8");
        send(exchange, html.length, out -> out.write(html));
      } else if (filter != null && is(path, FILTER)) {
        sendFilter(exchange, filter);
      } else {
        refuse(exchange, NOT_FOUND);
      }
    }
  }

  /** Returns whether a path is that of a resource, in a time that says nothing of the token. */
  private boolean is(@Nullable String path, String resource) {
    byte[] own = ("/" + token + "/" + resource).getBytes(UTF_8);
    return path != null && MessageDigest.isEqual(own, path.getBytes(UTF_8));
  }

  private static void sendFilter(HttpExchange exchange, Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      refuse(exchange, NOT_FOUND);
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
    try (InputStream in = Files.newInputStream(file)) {
      send(exchange, Files.size(file), in::transferTo);
    }
  }

  private static void send(HttpExchange exchange, long bytes, Body body) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD") || bytes == 0) {
      exchange.getResponseHeaders().set("Content-Length", String.valueOf(bytes));
      exchange.sendResponseHeaders(OK, -1);
      return;
    }
    exchange.sendResponseHeaders(OK, bytes);
    try (OutputStream out = exchange.getResponseBody()) {
      body.write(out);
    }
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
  }

  /** Stops to serve at once. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    watch.shutdownNow();
  }

  /** Writes the body of a response. */
  private interface Body {
    void write(OutputStream out) throws IOException;
  }
}
