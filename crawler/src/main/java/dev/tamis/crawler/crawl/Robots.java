package dev.tamis.crawler.crawl;

import dev.tamis.crawler.crawl.FetchResult.Failure;
import dev.tamis.crawler.crawl.FetchResult.Response;
import dev.tamis.crawler.queue.ParsedUrl;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Cache of the robots.txt files of hosts, fetched once a day each, after RFC 9309. Thread-safe. */
final class Robots {

  /** RFC 9309: crawlers parse at least this much; the rest is ignored. */
  static final int MAX_BYTES = 500 << 10;

  /** RFC 9309: crawlers follow at least this many redirects. */
  static final int MAX_REDIRECTS = 5;

  /** RFC 9309: cached rules are not used longer. */
  static final Duration MAX_AGE = Duration.ofDays(1);

  /** More hosts than a crawl visits in a day; the least recently used are evicted. */
  private static final int MAX_HOSTS = 10_000;

  /** Memory of the rules of all hosts; those of one may take 5 MB. */
  private static final long MAX_CACHED_BYTES = 32 << 20;

  private static final int TOO_MANY_REQUESTS = 429;

  private final Fetcher fetcher;
  private final String agent;
  private final int maxAttempts;
  private final InstantSource clock;
  private final Map<String, Known> hosts = new LinkedHashMap<>(16, 0.75f, true);
  private long cachedBytes;

  /** Creates an empty cache; {@code agent} is the product name that rules match. */
  Robots(Fetcher fetcher, String agent, int maxAttempts, InstantSource clock) {
    this.fetcher = fetcher;
    this.agent = agent;
    this.maxAttempts = maxAttempts;
    this.clock = clock;
  }

  /** Returns the rules for a URI, fetched from its host unless cached. */
  RobotsFile of(URI uri) throws InterruptedException {
    String host = uri.getScheme() + "://" + uri.getRawAuthority();
    Known known = known(host);
    if (known != null && isSettled(known.file())) {
      return known.file();
    }
    int failures = known != null && known.file() instanceof RobotsFile.Unknown u ? u.failures() : 0;
    RobotsFile file = fetch(URI.create(host + "/robots.txt"), failures);
    remember(host, new Known(file, clock.instant().plus(MAX_AGE)));
    return file;
  }

  private void remember(String host, Known known) {
    synchronized (hosts) {
      cachedBytes += bytes(known) - bytes(hosts.put(host, known));
      Iterator<Known> eldest = hosts.values().iterator();
      while (hosts.size() > MAX_HOSTS || cachedBytes > MAX_CACHED_BYTES) {
        cachedBytes -= bytes(eldest.next());
        eldest.remove();
      }
    }
  }

  private static long bytes(@Nullable Known known) {
    return known != null && known.file() instanceof RobotsFile.Rules rules ? rules.bytes() : 0;
  }

  private @Nullable Known known(String host) {
    synchronized (hosts) {
      Known known = hosts.get(host);
      return known != null && clock.instant().isBefore(known.end()) ? known : null;
    }
  }

  private static boolean isSettled(RobotsFile file) {
    return !(file instanceof RobotsFile.Unknown unknown) || unknown.isFinal();
  }

  private RobotsFile fetch(URI start, int failures) throws InterruptedException {
    URI uri = start;
    for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      FetchResult fetched = fetcher.fetch(uri, head -> MAX_BYTES);
      if (fetched instanceof Failure failure) {
        int before = failure.isTransient() ? failures : maxAttempts;
        return unknown(failure.outcome(), failure.reason(), before);
      }
      Response response = (Response) fetched;
      Optional<String> target = target(response, uri);
      if (target.isEmpty()) {
        return judge(response, start, failures);
      }
      if (!isSameHost(target.get(), start)) {
        String reason = "redirect to another host or port is not followed: " + target.get();
        return unknown(Outcome.DISALLOWED, reason, maxAttempts);
      }
      uri = URI.create(target.get());
    }
    return RobotsFile.Rules.ALLOW_ALL;
  }

  private static Optional<String> target(Response response, URI uri) {
    return response.location().flatMap(location -> Address.of(location, uri.toString()));
  }

  /** What a host says about itself must not make the crawler request something elsewhere. */
  private static boolean isSameHost(String target, URI start) {
    return Reach.HostPort.of(ParsedUrl.of(target))
        .equals(Reach.HostPort.of(ParsedUrl.of(start.toString())));
  }

  private RobotsFile judge(Response response, URI uri, int failures) {
    int status = response.head().status();
    if (status >= 500 || status == TOO_MANY_REQUESTS) {
      return unknown(Outcome.DISALLOWED, "status " + status, failures);
    }
    if (status < 200 || status >= 300) {
      return RobotsFile.Rules.ALLOW_ALL;
    }
    Optional<byte[]> content = response.decoded(MAX_BYTES);
    if (content.isEmpty()) {
      return unknown(Outcome.DISALLOWED, "content encoding not supported or damaged", failures);
    }
    return RobotsFile.Rules.parse(uri, content.get(), agent);
  }

  private RobotsFile unknown(Outcome outcome, String reason, int failuresBefore) {
    int failures = failuresBefore + 1;
    return new RobotsFile.Unknown(
        outcome, "robots.txt: " + reason, failures, failures >= maxAttempts);
  }

  private record Known(RobotsFile file, Instant end) {}
}
