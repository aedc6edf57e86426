package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import okhttp3.Dns;

/** Runs crawls in memory, in haste. */
final class Crawls {

  /** A second of a crawl in a millisecond of a test. */
  static final int HASTE = 1000;

  private Crawls() {}

  /** A clock that runs faster than ours. */
  static long fastNanos() {
    return System.nanoTime() * HASTE;
  }

  static CrawlBuilder builder() {
    return Crawl.builder()
        .userAgent("tester/1.0")
        .delay(Duration.ZERO)
        .nanoClock(Crawls::fastNanos);
  }

  /** Returns a worker that only interprets responses. */
  static Worker worker(PageLimits limits) {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    Crawl.Settings settings =
        new Crawl.Settings("a", 10, 1, 3, limits, Duration.ZERO, row -> {}, () -> 0, clock);
    AddressPolicy policy = new AddressPolicy(List.of(), false);
    Fetcher fetcher = new Fetcher("a", Duration.ofSeconds(1), policy, Dns.SYSTEM);
    return new Worker(fetcher, new Robots(fetcher, "a", 3, clock), settings);
  }

  static Result of(String start) throws Exception {
    return of(start, settings -> settings);
  }

  /** Runs a crawl to its end. */
  static Result of(String start, UnaryOperator<CrawlBuilder> settings) throws Exception {
    List<PageResult> pages = Collections.synchronizedList(new ArrayList<>());
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    CrawlBuilder builder = builder().start(start).pages(list).listener(pages::add);
    try (Crawl crawl = settings.apply(builder).beginInMemory()) {
      return new Result(crawl.run(), pages, list.toString(UTF_8));
    }
  }

  /** What a crawl came to. */
  record Result(CrawlSummary summary, List<PageResult> pages, String list) {

    /** Returns the outcome of each URL, which must have been listed once. */
    Map<String, Outcome> outcomes() {
      Map<String, Outcome> outcomes = new TreeMap<>();
      for (PageResult page : pages) {
        if (outcomes.put(page.url(), page.outcome()) != null) {
          throw new AssertionError(page.url() + " is listed twice");
        }
      }
      return outcomes;
    }

    PageResult page(String url) {
      return pages.stream().filter(page -> page.url().equals(url)).findFirst().orElseThrow();
    }
  }
}
