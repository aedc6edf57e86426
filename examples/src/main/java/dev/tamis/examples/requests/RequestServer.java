package dev.tamis.examples.requests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server that handles a request once, however often a client repeats it within a window of time.
 *
 * <p>The client names each request by an {@code Idempotency-Key} and sends it again under that name
 * if it heard nothing. All threads of the server put the names into one filter; the one whose put
 * returns true handles the request, and the others answer 409.
 *
 * <p>A name that was put stays, also if handling its request fails: a request is handled once at
 * most. The fpp is the share of requests that are refused though they are new, one in a million
 * here. Where neither may be, the filter only saves most of the lookups in a table.
 */
final class RequestServer implements AutoCloseable {

  private static final String NAME = "Idempotency-Key";
  private static final int MAX_NAME_LENGTH = 100;
  private static final double FPP = 1e-6;

  private static final int CREATED = 201;
  private static final int BAD_REQUEST = 400;
  private static final int CONFLICT = 409;
  private static final int FAILED = 500;

  private final WindowedBloomFilter<CharSequence> recent;
  private final Consumer<String> handler;
  private final HttpServer server;
  private final ExecutorService threads;
  private final LongAdder received = new LongAdder();
  private final LongAdder handled = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder rejected = new LongAdder();

  /**
   * Starts a server at a free port of this machine.
   *
   * @param window for how long a request may be repeated
   * @param expectedRequests how many requests are expected within the window
   * @param clock by which the window goes on
   * @param handler handles a request by its name; called by several threads
   */
  RequestServer(
      int threads,
      Duration window,
      long expectedRequests,
      InstantSource clock,
      Consumer<String> handler)
      throws IOException {
    // names are untrusted: with a secret key an attacker cannot choose ones that collide
    KeyHasher<CharSequence> hasher = KeyHasher.text().keyedBy(HashKey.random(new SecureRandom()));
    this.recent =
        WindowedBloomFilter.<CharSequence>builder(hasher)
            .window(window)
            .expectedKeys(expectedRequests)
            .clock(clock)
            .fpp(FPP)
            .build();
    this.handler = handler;
    this.threads = Executors.newFixedThreadPool(threads);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(this.threads);
    server.createContext("/requests", this::answer);
    server.start();
  }

  /** Returns where requests go. */
  URI uri() {
    InetSocketAddress address = server.getAddress();
    return URI.create("http://127.0.0.1:" + address.getPort() + "/requests");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status(exchange.getRequestHeaders().getFirst(NAME)), -1);
    }
  }

  private int status(@Nullable String name) {
    received.increment();
    if (name == null || name.isBlank() || name.length() > MAX_NAME_LENGTH) {
      rejected.increment();
      return BAD_REQUEST;
    }
    if (!recent.put(name)) {
      repeated.increment();
      return CONFLICT;
    }
    try {
      handler.accept(name);
    } catch (RuntimeException e) {
      failed.increment();
      return FAILED;
    }
    handled.increment();
    return CREATED;
  }

  /** Returns the outcomes of the requests so far. */
  Summary summary() {
    return new Summary(
        received.sum(),
        handled.sum(),
        failed.sum(),
        repeated.sum(),
        rejected.sum(),
        recent.expectedWrongDrops());
  }

  /** Waits for no request that is under way. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }

  /**
   * What became of the requests: received = handled + failed + repeated + rejected, once all are
   * answered.
   *
   * @param rejected those without a name, or with one that is too long
   * @param wronglyRepeated how many of the repeated are expected to have been new
   */
  record Summary(
      long received,
      long handled,
      long failed,
      long repeated,
      long rejected,
      double wronglyRepeated) {}
}
