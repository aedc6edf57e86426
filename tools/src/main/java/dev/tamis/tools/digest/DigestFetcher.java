package dev.tamis.tools.digest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tamis.format.FormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Gets the digest of a running cache.
 *
 * <p>A Squid that has just started answers 404 until its digest is built. That, and the answers of
 * a busy server (429, 502, 503, 504), are retried after a delay; they never count as an empty
 * digest. Any other answer that is not a digest is an error at once. Redirects are not followed: a
 * digest belongs to the cache that was asked.
 *
 * <p>Safe for concurrent use.
 */
public final class DigestFetcher {

  /** Where Squid has its digest. */
  public static final String PATH = "/squid-internal-periodic/store_digest";

  private static final String BEING_BUILT = "building its digest";
  private static final Set<Integer> NOT_READY = Set.of(404, 429, 502, 503, 504);
  private static final int OK = 200;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

  /** Enough to recognise a message. */
  private static final int MAX_MESSAGE_BYTES = 200;

  private final DigestFetcherBuilder settings;
  private final HttpClient client;

  DigestFetcher(DigestFetcherBuilder settings) {
    this.settings = settings;
    Duration timeout = settings.timeout;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT)
            .build();
  }

  /** Starts one with the defaults. */
  public static DigestFetcherBuilder builder() {
    return new DigestFetcherBuilder();
  }

  /**
   * Returns where the digest of a cache is.
   *
   * @param address of the cache, such as {@code http://proxy.example:3128}, or of the digest
   *     itself, which is any address with a path
   * @throws IllegalArgumentException if that is malformed
   */
  public static URI uriOf(String address) {
    URI uri;
    try {
      uri = new URI(address.strip());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(wrong(address), e);
    }
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    boolean https = "https".equalsIgnoreCase(uri.getScheme());
    if ((!http && !https) || uri.getHost() == null || uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(wrong(address));
    }
    boolean bare = uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
    return bare && uri.getRawQuery() == null ? uri.resolve(PATH) : uri;
  }

  private static String wrong(String address) {
    return "expected the address of a cache, such as http://proxy.example:3128, got '"
        + address
        + "'";
  }

  /**
   * Gets the digest.
   *
   * @param address as {@link #uriOf} takes it
   * @throws IOException naming the address, if the server does not answer, answers something else,
   *     or is still not ready when asked for the last time
   */
  public FetchedDigest fetch(String address) throws IOException, InterruptedException {
    URI uri = uriOf(address);
    for (int attempt = 1; ; attempt++) {
      HttpResponse<LimitedBody.Content> response = ask(uri);
      if (!isNotReady(response)) {
        return digest(uri, response, attempt);
      }
      if (attempt == settings.attempts) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s: no digest after asking %d times, the last answer was %d '%s'; wait longer,"
                    + " and see that it is a Squid with digest_generation on and a cache_dir,"
                    + " without which a digest is never finished",
                uri,
                attempt,
                response.statusCode(),
                message(response)));
      }
      settings.pause.of(delay(response));
    }
  }

  private HttpResponse<LimitedBody.Content> ask(URI uri) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Accept", FetchedDigest.CONTENT_TYPE).build();
    int maxBytes = Math.toIntExact(settings.maxBytes + CacheDigest.DigestHeader.BYTES);
    CompletableFuture<HttpResponse<LimitedBody.Content>> answer =
        client.sendAsync(
            request, head -> new LimitedBody(head.statusCode() == OK ? maxBytes : 1 << 10));
    try {
      return answer.get(settings.timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          uri + ": no answer, or not all of it, in " + settings.timeout.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause());
      if (cause instanceof Error error) {
        throw error;
      }
      String words = cause instanceof ConnectException ? "connection refused" : cause.toString();
      String detail = cause.getMessage() != null ? cause.getMessage() : words;
      throw new IOException(uri + ": no answer: " + detail, cause);
    } finally {
      answer.cancel(true); // ends the connection of what is under way, and nothing else
    }
  }

  private static boolean isNotReady(HttpResponse<LimitedBody.Content> response) {
    return NOT_READY.contains(response.statusCode())
        || (response.statusCode() == OK && message(response).contains(BEING_BUILT));
  }

  private Duration delay(HttpResponse<?> response) {
    Duration asked =
        response
            .headers()
            .firstValue("Retry-After")
            .flatMap(value -> retryAfter(value, settings.clock.instant()))
            .orElse(Duration.ZERO);
    return asked.compareTo(settings.delay) > 0 ? asked : settings.delay;
  }

  /** Returns the time of a {@code Retry-After}, at most {@link #MAX_RETRY_AFTER}; empty if bad. */
  static Optional<Duration> retryAfter(String value, Instant now) {
    String text = value.strip();
    try {
      Duration time =
          text.matches("[0-9]+")
              ? Duration.ofSeconds(text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text))
              : Duration.between(
                  now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return Optional.of(
          time.isNegative()
              ? Duration.ZERO
              : time.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : time);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private FetchedDigest digest(URI uri, HttpResponse<LimitedBody.Content> response, int attempts)
      throws IOException {
    if (response.statusCode() != OK) {
      String where = response.headers().firstValue("Location").map(to -> " to " + to).orElse("");
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: expected a digest, got status %d%s '%s'; see that the address is that of the"
                  + " cache, and that its http_access allows this host",
              uri,
              response.statusCode(),
              where,
              message(response)));
    }
    String type = response.headers().firstValue("Content-Type").orElse("").split(";", 2)[0].strip();
    if (!response.body().whole()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: expected a digest of at most %d bytes, got more; raise the limit if the cache is"
                  + " so large",
              uri,
              settings.maxBytes));
    }
    try {
      CacheDigest digest =
          CacheDigest.readFrom(
              new ByteArrayInputStream(response.body().bytes()), settings.maxBytes);
      return new FetchedDigest(uri, digest, type, attempts);
    } catch (FormatException e) {
      throw new IOException(
          uri
              + ": answered with "
              + (type.isEmpty() ? "no type" : type.toLowerCase(Locale.ROOT))
              + ", which is "
              + e.getMessage(),
          e);
    }
  }

  /** Returns the beginning of a body as one line of text. */
  private static String message(HttpResponse<LimitedBody.Content> response) {
    byte[] bytes = response.body().bytes();
    String text = new String(bytes, 0, Math.min(bytes.length, MAX_MESSAGE_BYTES), ISO_8859_1);
    return text.replaceAll("[^ -~]+", " ").strip();
  }

  /** Takes a body up to a limit, and ends the connection at the first byte past it. */
  private static final class LimitedBody implements BodySubscriber<LimitedBody.Content> {

    private final int maxBytes;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final CompletableFuture<Content> content = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    /** Takes at most {@code maxBytes} bytes, at least 0. */
    LimitedBody(int maxBytes) {
      this.maxBytes = maxBytes;
    }

    @Override
    public CompletionStage<Content> getBody() {
      return content;
    }

    @Override
    public void onSubscribe(Subscription newSubscription) {
      subscription = newSubscription;
      newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      if (content.isDone()) {
        return; // what was under way when the limit was passed
      }
      for (ByteBuffer buffer : buffers) {
        int room = Math.min(buffer.remaining(), maxBytes - taken.size());
        byte[] bytes = new byte[room];
        buffer.get(bytes);
        taken.write(bytes, 0, room);
        if (buffer.hasRemaining()) {
          if (subscription != null) {
            subscription.cancel();
          }
          content.complete(new Content(taken.toByteArray(), false));
          return;
        }
      }
    }

    @Override
    public void onError(Throwable thrown) {
      content.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      content.complete(new Content(taken.toByteArray(), true));
    }

    /**
     * What was taken.
     *
     * @param bytes the first bytes of the body, at most the limit
     * @param whole whether that is all
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Content(byte[] bytes, boolean whole) {}
  }
}
