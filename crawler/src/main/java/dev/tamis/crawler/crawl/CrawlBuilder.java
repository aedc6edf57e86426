package dev.tamis.crawler.crawl;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import dev.tamis.sizing.Checks;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link Crawl}: {@link #userAgent}, a {@link #start} and where the pages are listed
 * are required. Each setter checks its own value at once.
 */
public final class CrawlBuilder {

  /** The default delay between two visits of a host. */
  public static final Duration DEFAULT_DELAY = Duration.ofSeconds(1);

  /** The default timeout of a request. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** The default number of concurrent visits, each of another host. */
  public static final int DEFAULT_JOBS = 4;

  /** The highest number of concurrent visits: each has a thread. */
  public static final int LARGEST_JOBS = 256;

  /** How often a URL is requested if the server or the connection fails. */
  public static final int MAX_ATTEMPTS = 4;

  /** The default fpp: costs 43 bits per URL; a crawl of a billion URLs loses less than one. */
  public static final double DEFAULT_FPP = 1e-9;

  private static final long EXPECTED_URLS = 100_000;

  /** Leases end with the process, not before. */
  private static final Duration LEASE = Duration.ofDays(365);

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Pattern USER_AGENT = Pattern.compile("([A-Za-z_-]+)(?:[/ ][ -~]*)?");

  private final VisitQueueBuilder queue = VisitQueue.builder().defaults(EXPECTED_URLS, DEFAULT_FPP);
  private final Set<String> starts = new LinkedHashSet<>();
  private @Nullable String userAgent;
  private @Nullable Path pageFile;
  private @Nullable OutputStream pageStream;
  private Reach reach = Reach.HOST;
  private UrlKey key = UrlKey.STRICT;
  private Duration delay = DEFAULT_DELAY;
  private Duration timeout = DEFAULT_TIMEOUT;
  private PageLimits pageLimits = PageLimits.DEFAULT;
  private boolean allowPrivate;
  private Dns dns = Dns.SYSTEM;
  private int jobs = DEFAULT_JOBS;
  private long maxPages = Long.MAX_VALUE;
  private Consumer<PageResult> listener = page -> {};
  private LongSupplier nanoClock = System::nanoTime;
  private InstantSource clock = InstantSource.system();

  CrawlBuilder() {}

  /**
   * Sets the user agent: a product name of letters, {@code _} and {@code -}, which robots.txt
   * matches, then optionally a version and a contact, as in {@code example/1.0
   * (+https://example.org/bot)}.
   */
  public CrawlBuilder userAgent(String userAgent) {
    if (!USER_AGENT.matcher(userAgent).matches()) {
      throw new IllegalArgumentException(
          "userAgent must be a name of letters, _ and -, optionally followed by / or a space"
              + " and ASCII, got '"
              + userAgent
              + "'");
    }
    this.userAgent = userAgent;
    return this;
  }

  /**
   * Adds a start URL.
   *
   * @throws IllegalArgumentException if it is not an absolute HTTP or HTTPS URL
   */
  public CrawlBuilder start(String url) {
    starts.add(
        Address.of(url)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "start must be a URL such as https://example.org/docs/, got '"
                            + url
                            + "'")));
    return this;
  }

  /** Sets the file that lists the pages, in tab-separated columns. */
  public CrawlBuilder pages(Path file) {
    pageFile = requireNonNull(file, "file");
    pageStream = null;
    return this;
  }

  /**
   * Sets a stream that lists the pages, which is not closed. A stream gets the rows of one run;
   * only a file can be resumed.
   */
  public CrawlBuilder pages(OutputStream stream) {
    pageStream = requireNonNull(stream, "stream");
    pageFile = null;
    return this;
  }

  /** Sets which links are followed; by default {@link Reach#HOST}. */
  public CrawlBuilder reach(Reach reach) {
    this.reach = requireNonNull(reach, "reach");
    return this;
  }

  /**
   * Sets which URLs are the same page; by default {@link UrlKey#STRICT}. What is requested is the
   * URL that was found first, not its key.
   */
  public CrawlBuilder key(UrlKey key) {
    this.key = requireNonNull(key, "key");
    return this;
  }

  /**
   * Sets what applies to the queue: how many URLs it is built for, its fpp, what happens when it is
   * full, the limit per host, exact confirmation, or a shared filter. By default the queue grows,
   * with an fpp of {@link #DEFAULT_FPP}.
   *
   * <p>The crawl itself sets key, scope, delay, timeout of leases, longest URL and clock. Crawls
   * that share a filter should have the same {@link #key}; each URL is visited by one of them, and
   * a host by several if they find URLs of it.
   */
  public CrawlBuilder queue(Consumer<VisitQueueBuilder> settings) {
    settings.accept(queue);
    return this;
  }

  /**
   * Sets the minimum time between the end of a visit and the start of the next one of the same
   * host, from zero to a day; by default {@link #DEFAULT_DELAY}. robots.txt may require more.
   */
  public CrawlBuilder delay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("delay must be from zero to a day, got " + delay);
    }
    this.delay = delay;
    return this;
  }

  /**
   * Sets the timeout of a request, from resolving the host to the last byte, above zero and at most
   * a day; by default {@link #DEFAULT_TIMEOUT}.
   */
  public CrawlBuilder timeout(Duration timeout) {
    this.timeout = aboveZero("timeout", timeout);
    return this;
  }

  /** Sets the limits of a page; by default {@link PageLimits#DEFAULT}. */
  public CrawlBuilder pageLimits(PageLimits limits) {
    this.pageLimits = requireNonNull(limits, "limits");
    return this;
  }

  /**
   * Permits addresses that are not public: loopback, private, link-local and so on. By default only
   * those spelled out by a start are, as in {@code http://127.0.0.1/} or {@code http://localhost/};
   * other visits are {@link Outcome#REFUSED}.
   */
  public CrawlBuilder allowPrivate() {
    this.allowPrivate = true;
    return this;
  }

  /** Sets how hosts are resolved; by default as the system does. */
  CrawlBuilder dns(Dns dns) {
    this.dns = dns;
    return this;
  }

  /**
   * Sets the number of concurrent visits, 1 to {@link #LARGEST_JOBS}; by default {@link
   * #DEFAULT_JOBS}. A host never has more than one.
   */
  public CrawlBuilder jobs(int jobs) {
    this.jobs = (int) Checks.range("jobs", jobs, 1, LARGEST_JOBS);
    return this;
  }

  /** Limits the URLs visited over all runs of the crawl; at least 1, by default unlimited. */
  public CrawlBuilder maxPages(long maxPages) {
    this.maxPages = Checks.atLeast("maxPages", maxPages, 1);
    return this;
  }

  /** Sets a listener called with each row after it is written, serially, in a worker thread. */
  public CrawlBuilder listener(Consumer<PageResult> listener) {
    this.listener = requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets the clock for durations other than {@link #timeout}, in nanoseconds; by default the
   * system's.
   */
  public CrawlBuilder nanoClock(LongSupplier nanoClock) {
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    return this;
  }

  /** Sets the wall clock, for dates that servers send; by default the system's. */
  public CrawlBuilder clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /** Returns a crawl whose queue is in memory. */
  public Crawl beginInMemory() throws IOException {
    return crawl(ready().build(), 0);
  }

  /**
   * Returns a crawl whose queue is in a directory.
   *
   * @param directory the queue's directory; missing or empty
   * @throws FileSystemException if it has a crawl already, or the file of pages exists
   */
  public Crawl begin(Path directory) throws IOException {
    VisitQueueBuilder settings = ready();
    if (pageFile != null && Files.isRegularFile(pageFile)) {
      throw new FileSystemException(
          pageFile.toString(),
          null,
          "already exists; resume the crawl that wrote it, or use another file");
    }
    VisitQueue queue = settings.open(directory);
    if (queue.stats().accepted() > 0) {
      queue.close();
      throw new FileSystemException(
          directory.toString(), null, "already has a crawl; resume it, or use another directory");
    }
    return crawl(queue, 0);
  }

  /**
   * Resumes the crawl whose queue is in a directory, or begins it if there is none. Starts, reach,
   * key and the file of pages must be the same as before; what else belongs to the queue need not
   * be set again.
   *
   * @throws FileSystemException if the file does not match the visits of the queue
   */
  public Crawl resume(Path directory) throws IOException {
    VisitQueue queue = ready().open(directory);
    return crawl(queue, queue.stats().delivered());
  }

  private Crawl crawl(VisitQueue queue, long visitsDone) throws IOException {
    PageTally tally = new PageTally();
    PageList pages;
    try {
      pages = pageList(visitsDone, tally);
    } catch (IOException | RuntimeException e) {
      queue.close();
      throw e;
    }
    Crawl.Settings settings =
        new Crawl.Settings(
            agent(), maxPages, jobs, MAX_ATTEMPTS, pageLimits, delay, listener, nanoClock, clock);
    AddressPolicy policy = new AddressPolicy(starts, allowPrivate);
    Fetcher fetcher = new Fetcher(requireNonNull(userAgent), timeout, policy, dns);
    Crawl crawl = new Crawl(queue, pages, tally, fetcher, settings);
    try {
      crawl.push(starts.stream().map(Task::start).toList());
    } catch (UncheckedIOException e) {
      crawl.close();
      throw requireNonNull(e.getCause());
    } catch (RuntimeException e) { // of a shared filter
      crawl.close();
      throw e;
    }
    return crawl;
  }

  private PageList pageList(long visitsDone, PageTally tally) throws IOException {
    if (pageFile == null) {
      return PageList.to(requireNonNull(pageStream));
    }
    return Files.exists(pageFile) && !Files.isRegularFile(pageFile)
        ? PageList.to(Files.newOutputStream(pageFile))
        : PageFile.resume(pageFile, visitsDone, tally);
  }

  private VisitQueueBuilder ready() {
    if (userAgent == null || starts.isEmpty() || (pageFile == null && pageStream == null)) {
      throw new IllegalStateException("call userAgent(name), start(url) and pages(file) first");
    }
    return queue
        .key(key)
        .scope(reach.from(starts.stream().flatMap(start -> key.of(start).stream()).toList()))
        .perHostDelay(delay)
        .maxUrlBytes(Task.MAX_BYTES)
        .leaseTimeout(LEASE)
        .nanoClock(nanoClock);
  }

  private String agent() {
    Matcher matcher = USER_AGENT.matcher(requireNonNull(userAgent));
    return matcher.matches() ? matcher.group(1) : "";
  }

  static Duration aboveZero(String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + " must be above zero and at most a day, got " + value);
    }
    return value;
  }
}
