package dev.tamis.crawler.crawl;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;
import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.crawl.FetchResult.Failure;
import dev.tamis.crawler.crawl.FetchResult.Head;
import dev.tamis.crawler.crawl.FetchResult.Response;
import dev.tamis.crawler.crawl.PageElements.UnreadablePageException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/** Visits a URL: checks robots.txt, fetches the page, parses its links. */
final class Worker {

  /** Redirects in a row that are followed. */
  static final int MAX_REDIRECTS = 10;

  /** Limit of the crawl delay in robots.txt. */
  static final Duration MAX_CRAWL_DELAY = Duration.ofMinutes(5);

  /** Limit of the time that a server may ask to wait. */
  static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

  /** Limit of the times that a host may ask to wait in all; what it asks for later is ignored. */
  static final Duration MAX_TOTAL_RETRY_AFTER = Duration.ofDays(1);

  /** How much of an unused body is read so that the connection can be reused. */
  private static final int MAX_UNREAD_BYTES = 64 << 10;

  /** Status codes worth a retry. */
  private static final Set<Integer> TRANSIENT = Set.of(408, 429, 500, 502, 503, 504);

  /** What pages that are parsed at once may take of the heap: half of it. */
  private static final int PARSING_KIB =
      (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 2 / 1024);

  /** Bytes of heap for a byte of a page, at most: an attribute or text is copied as it grows. */
  private static final long PARSING_FACTOR = 8;

  private static final double NANOS_PER_MILLI = 1e6;

  private final Fetcher fetcher;
  private final Robots robots;
  private final String agent;
  private final PageLimits limits;
  private final LongSupplier nanoClock;
  private final InstantSource clock;
  private final Map<String, Duration> waits = new ConcurrentHashMap<>();
  private final Semaphore parsing = new Semaphore(PARSING_KIB, /* fair= */ true);

  Worker(Fetcher fetcher, Robots robots, Crawl.Settings settings) {
    this.fetcher = fetcher;
    this.robots = robots;
    this.agent = settings.agent();
    this.limits = settings.page();
    this.nanoClock = settings.nanoClock();
    this.clock = settings.clock();
  }

  /** Visits a URL; whatever goes wrong is its outcome, and does not end the crawl. */
  Result visit(Task visit) throws InterruptedException {
    long start = nanoClock.getAsLong();
    try {
      return visit(visit, start);
    } catch (RuntimeException | Error e) {
      return new Row(visit, start).ends(Outcome.UNREADABLE, "failed: " + e).result();
    }
  }

  private Result visit(Task visit, long start) throws InterruptedException {
    URI uri = URI.create(visit.address());
    RobotsFile file = robots.of(uri);
    if (file instanceof RobotsFile.Unknown unknown) {
      Row row = new Row(visit, start).ends(unknown.outcome(), unknown.reason());
      return unknown.isFinal() ? row.result() : row.again(Optional.empty());
    }
    RobotsFile.Rules rules = (RobotsFile.Rules) file;
    Duration delay =
        rules.crawlDelay().compareTo(MAX_CRAWL_DELAY) > 0 ? MAX_CRAWL_DELAY : rules.crawlDelay();
    Result result =
        rules.allow(visit.address())
            ? judge(visit, fetcher.fetch(uri, this::wanted), start)
            : new Row(visit, start).ends(Outcome.DISALLOWED, "robots.txt").result();
    return result.withHostDelay(delay);
  }

  private int wanted(Head head) {
    boolean page = head.status() / 100 == 2 && Links.areIn(head.contentType());
    return page ? limits.maxBytes() : MAX_UNREAD_BYTES;
  }

  /** Interprets a response; {@code start} is when the visit began, by the clock of the settings. */
  Result judge(Task visit, FetchResult fetched, long start) throws InterruptedException {
    if (fetched instanceof Failure failure) {
      Row row = new Row(visit, start).ends(failure.outcome(), failure.reason());
      return failure.isTransient() ? row.again(Optional.empty()) : row.result();
    }
    Response response = (Response) fetched;
    Row row = new Row(visit, start).answered(response);
    int status = response.head().status();
    if (response.location().isPresent()) {
      return redirect(visit, response.location().get(), row);
    }
    if (TRANSIENT.contains(status)) {
      Optional<String> after = response.head().first("Retry-After");
      return row.ends(error(status), "")
          .again(
              after
                  .flatMap(value -> retryAfter(value.strip(), clock.instant()))
                  .filter(wait -> isGranted(visit, wait)));
    }
    if (status / 100 != 2) {
      return row.ends(error(status), "").result();
    }
    return Links.areIn(response.head().contentType())
        ? page(visit, response, row)
        : row.ends(Outcome.FILE, "").result();
  }

  /** Parses a Retry-After header, seconds or a date, to a time from zero to the maximum. */
  static Optional<Duration> retryAfter(String value, Instant now) {
    try {
      Duration time =
          value.matches("[0-9]+")
              ? Duration.ofSeconds(value.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(value))
              : Duration.between(now, Instant.from(RFC_1123_DATE_TIME.parse(value)));
      return Optional.of(
          time.isNegative()
              ? Duration.ZERO
              : time.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : time);
    } catch (DateTimeException e) {
      return Optional.empty(); // malformed
    }
  }

  private boolean isGranted(Task visit, Duration wait) {
    String host = URI.create(visit.address()).getHost();
    return waits.merge(host, wait, Duration::plus).compareTo(MAX_TOTAL_RETRY_AFTER) <= 0;
  }

  private static Outcome error(int status) {
    return status / 100 == 4 ? Outcome.CLIENT_ERROR : Outcome.SERVER_ERROR;
  }

  private static Result redirect(Task visit, String location, Row row) {
    Optional<String> target = Address.of(location, visit.address());
    if (target.isEmpty()) {
      return row.ends(Outcome.REDIRECT, "not a URL: " + location).result();
    }
    if (visit.redirects() >= MAX_REDIRECTS) {
      String words = "limit of " + MAX_REDIRECTS + " redirects in a row reached: ";
      return row.ends(Outcome.REDIRECT, words + target.get()).result();
    }
    return row.ends(Outcome.REDIRECT, target.get())
        .result(List.of(visit.redirect(target.get())), 0, 0);
  }

  private Result page(Task visit, Response response, Row row) throws InterruptedException {
    String tooLarge = "larger than " + limits.maxBytes() + " bytes";
    if (!response.isWhole()) {
      return row.ends(Outcome.TOO_LARGE, tooLarge).result();
    }
    Optional<byte[]> body = response.decoded(limits.maxBytes());
    if (body.isEmpty()) {
      return row.ends(Outcome.UNREADABLE, "content encoding not supported or damaged").result();
    }
    if (body.get().length > limits.maxBytes()) {
      return row.ends(Outcome.TOO_LARGE, tooLarge).result();
    }
    RobotsTag tag = RobotsTag.ofHeader(response.head().all("X-Robots-Tag"), agent);
    Links links;
    int memory = (int) Math.min(PARSING_KIB, 1 + body.get().length * PARSING_FACTOR / 1024);
    parsing.acquire(memory);
    try {
      links =
          Links.of(
              body.get(), response.head().contentType(), response.charset(), visit, agent, limits);
    } catch (UnreadablePageException e) {
      return row.ends(Outcome.UNREADABLE, requireNonNull(e.getMessage())).result();
    } finally {
      parsing.release(memory);
    }
    row.ends(Outcome.PAGE, tag.and(links.tag()).noindex() ? "noindex" : "");
    return tag.nofollow()
        ? row.result()
        : row.result(
            links.addresses().stream().map(visit::link).toList(),
            links.invalid(),
            links.overLimit());
  }

  private final class Row {
    private final Task visit;
    private final long startNanos;
    private OptionalInt status = OptionalInt.empty();
    private String contentType = "";
    private OptionalLong bytes = OptionalLong.empty();
    private Outcome outcome = Outcome.UNREACHABLE;
    private String detail = "";

    Row(Task visit, long startNanos) {
      this.visit = visit;
      this.startNanos = startNanos;
    }

    Row answered(Response response) {
      status = OptionalInt.of(response.head().status());
      contentType = response.head().contentType();
      bytes = response.bytes();
      return this;
    }

    Row ends(Outcome newOutcome, String newDetail) {
      outcome = newOutcome;
      detail = newDetail;
      return this;
    }

    Result result() {
      return result(List.of(), 0, 0);
    }

    Result result(List<Task> links, long invalid, long overLimit) {
      PageResult row = written(links.size(), overLimit);
      return new Result(row, links, invalid, Again.NO, Duration.ZERO);
    }

    /** Returns a result to be retried, after this time if the server said. */
    Result again(Optional<Duration> after) {
      return new Result(written(0, 0), List.of(), 0, new Again(true, after), Duration.ZERO);
    }

    private PageResult written(int links, long overLimit) {
      long millis = Math.round((nanoClock.getAsLong() - startNanos) / NANOS_PER_MILLI);
      return new PageResult(
          visit.address(),
          outcome,
          status,
          contentType,
          bytes,
          outcome == Outcome.PAGE ? links : 0,
          overLimit,
          visit.depth(),
          millis,
          visit.referrer(),
          detail);
    }
  }

  /** Whether to retry, as the failure may be transient, and when, if the server said. */
  record Again(boolean wanted, Optional<Duration> after) {
    static final Again NO = new Again(false, Optional.empty());
  }

  /**
   * Result of a visit.
   *
   * @param row the row to list, unless the visit is retried
   * @param links distinct links to visit
   * @param invalidLinks links that cannot be requested
   * @param again whether to retry
   * @param hostDelay the crawl delay of the host; zero if it has none
   */
  record Result(
      PageResult row, List<Task> links, long invalidLinks, Again again, Duration hostDelay) {

    Result withHostDelay(Duration delay) {
      return new Result(row, links, invalidLinks, again, delay);
    }
  }
}
