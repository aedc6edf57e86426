package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A web site on loopback, made of what a test puts there. */
final class Site implements AutoCloseable {

  static {
    // the head and the body of an answer are two packets, and the second would wait for 40 ms
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final LongSupplier nanoClock;
  private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /** Opens a site that notes the times of requests by this clock. */
  Site(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  Site() {
    this(System::nanoTime);
  }

  /** Returns the URL of a path on this site. */
  String url(String path) {
    return urlOn("127.0.0.1", path);
  }

  /** Returns the URL of a path under another name of this host. */
  String urlOn(String host, String path) {
    return "http://" + host + ":" + server.getAddress().getPort() + path;
  }

  Site on(String path, Handler handler) {
    handlers.put(path, handler);
    return this;
  }

  /** Puts a page of HTML with links there. */
  Site page(String path, String... links) {
    return html(path, "<html><body>" + anchors(links) + "</body></html>");
  }

  Site html(String path, String html) {
    return on(path, exchange -> send(exchange, 200, "text/html; charset=utf-8", html));
  }

  Site redirect(String path, int status, String target) {
    return on(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Location", target);
          exchange.sendResponseHeaders(status, -1);
        });
  }

  Site status(String path, int status) {
    return on(path, exchange -> send(exchange, status, "text/html", "status " + status));
  }

  /** Answers in turn, and from then on as the last one. */
  Site inTurn(String path, Handler... turns) {
    AtomicInteger count = new AtomicInteger();
    return on(
        path,
        exchange -> turns[Math.min(count.getAndIncrement(), turns.length - 1)].handle(exchange));
  }

  static String anchors(String... links) {
    StringBuilder html = new StringBuilder();
    for (String link : links) {
      html.append("<a href=\"").append(link).append("\">link</a>\n");
    }
    return html.toString();
  }

  static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
    send(exchange, status, type, text.getBytes(UTF_8));
  }

  static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    requests.add(
        new Request(
            path,
            nanoClock.getAsLong(),
            String.valueOf(exchange.getRequestHeaders().getFirst("User-Agent"))));
    try (exchange) {
      Handler handler = handlers.get(path);
      if (handler == null) {
        send(exchange, 404, "text/html", "nothing here");
      } else {
        handler.handle(exchange);
      }
    }
  }

  /** Returns the requested paths with repeats, without robots.txt. */
  List<String> asked() {
    return requests.stream()
        .map(Request::path)
        .filter(path -> !path.equals("/robots.txt"))
        .toList();
  }

  List<Request> requests() {
    return new ArrayList<>(requests);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Answers a request. */
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  /** A request: its path, time and user agent. */
  record Request(String path, long nanos, String userAgent) {}
}
