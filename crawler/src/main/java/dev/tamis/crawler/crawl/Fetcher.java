package dev.tamis.crawler.crawl;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.crawl.Fetched.Failure;
import dev.tamis.crawler.crawl.Fetched.Response;
import dev.tamis.tools.http.LimitedBody;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/** Sends requests, limited in time and in bytes of the response. Thread-safe. */
final class Fetcher {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client;
  private final String userAgent;
  private final Duration timeout;
  private final AtomicLong requests = new AtomicLong();

  /**
   * Creates a fetcher.
   *
   * @param timeout of a request, from resolving the host to the last byte
   */
  Fetcher(String userAgent, Duration timeout) {
    this.userAgent = userAgent;
    this.timeout = timeout;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // offering an upgrade confuses old servers
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT)
            .build();
  }

  /** Returns how many requests were made. */
  long requests() {
    return requests.get();
  }

  /**
   * Requests a URI, without following redirects.
   *
   * @param maxBytes how much of the body to read, given the head of the response
   */
  Fetched fetch(URI uri, ToIntFunction<ResponseInfo> maxBytes) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("User-Agent", userAgent)
            .header("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
            .header("Accept-Encoding", "gzip")
            .build();
    requests.incrementAndGet();
    CompletableFuture<HttpResponse<LimitedBody.Content>> answer =
        client.sendAsync(request, head -> new LimitedBody(maxBytes.applyAsInt(head)));
    try {
      HttpResponse<LimitedBody.Content> response =
          answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return new Response(response.statusCode(), response.headers(), response.body());
    } catch (TimeoutException e) {
      return new Failure(Outcome.TIMED_OUT, "no complete response in " + words(timeout));
    } catch (ExecutionException e) {
      return failure(requireNonNull(e.getCause()));
    } finally {
      answer.cancel(true); // closes only this connection
    }
  }

  private static Failure failure(Throwable thrown) {
    if (thrown instanceof HttpTimeoutException) {
      return new Failure(Outcome.TIMED_OUT, "no connection in time");
    }
    if (thrown instanceof ConnectException) {
      return new Failure(
          Outcome.UNREACHABLE,
          isUnresolved(thrown) ? "host cannot be resolved" : "no connection" + detail(thrown));
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    // also what the client throws on a malformed response: a server must not stop a crawl
    return new Failure(Outcome.UNREACHABLE, "connection failed" + detail(thrown));
  }

  private static boolean isUnresolved(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  private static String detail(Throwable thrown) {
    return thrown.getMessage() != null ? ": " + thrown.getMessage() : "";
  }

  private static String words(Duration time) {
    return time.toMillis() + " ms";
  }
}
