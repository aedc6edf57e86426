package dev.tamis.crawler.crawl;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.queue.OnFull;
import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link Crawl}: {@link #userAgent}, a {@link #start} and where the pages are listed
 * are required. Each setter checks its own value at once.
 */
public final class CrawlBuilder {

  /** The time between two visits of a host unless told otherwise. */
  public static final Duration DEFAULT_DELAY = Duration.ofSeconds(1);

  /** How long a request may take unless told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** The most bytes of a page unless told otherwise. */
  public static final int DEFAULT_MAX_BYTES = 10 << 20;

  /** The most bytes that a page can be allowed to have: it is held in memory. */
  public static final int LARGEST_MAX_BYTES = 1 << 30;

  /** How many URLs are visited at a time unless told otherwise, each of another host. */
  public static final int DEFAULT_JOBS = 4;

  /** The most URLs that can be visited at a time: each has a thread. */
  public static final int LARGEST_JOBS = 256;

  /** How often a URL is tried when the server or the line fails. */
  public static final int MAX_ATTEMPTS = 4;

  /** Costs 43 bits a URL; in a crawl of a billion, less than one is lost. */
  private static final double FPP = 1e-9;

  private static final long EXPECTED_URLS = 100_000;

  /** A lease ends when the process does, and not before. */
  private static final Duration LEASE = Duration.ofDays(365);

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Pattern USER_AGENT = Pattern.compile("([A-Za-z_-]+)(?:[/ ][ -~]*)?");

  private final Set<String> starts = new LinkedHashSet<>();
  private @Nullable String userAgent;
  private @Nullable Path pageFile;
  private @Nullable OutputStream pageStream;
  private Reach reach = Reach.HOST;
  private Duration delay = DEFAULT_DELAY;
  private Duration timeout = DEFAULT_TIMEOUT;
  private int maxBytes = DEFAULT_MAX_BYTES;
  private int jobs = DEFAULT_JOBS;
  private long maxPages = Long.MAX_VALUE;
  private @Nullable Long maxPerHost;
  private Consumer<Visited> listener = page -> {};
  private LongSupplier nanoClock = System::nanoTime;
  private InstantSource clock = InstantSource.system();

  CrawlBuilder() {}

  /**
   * Sets who the crawler says it is: a name of letters, {@code _} and {@code -}, by which
   * robots.txt may address it, then perhaps a slash and a version, and where to complain, as in
   * {@code example/1.0 (+https://example.org/bot)}.
   */
  public CrawlBuilder userAgent(String userAgent) {
    if (!USER_AGENT.matcher(userAgent).matches()) {
      throw new IllegalArgumentException(
          "userAgent must be a name of letters, _ and -, then perhaps / and more ASCII, got '"
              + userAgent
              + "'");
    }
    this.userAgent = userAgent;
    return this;
  }

  /**
   * Adds a URL to begin at.
   *
   * @throws IllegalArgumentException if it is no absolute URL of HTTP or HTTPS
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

  /** Sets the file where the pages are listed, in columns with tabs between them. */
  public CrawlBuilder pages(Path file) {
    pageFile = requireNonNull(file, "file");
    pageStream = null;
    return this;
  }

  /**
   * Sets a stream where the pages are listed. It is not closed. A list in a stream has the rows of
   * one run; only one in a file can be continued.
   */
  public CrawlBuilder pages(OutputStream stream) {
    pageStream = requireNonNull(stream, "stream");
    pageFile = null;
    return this;
  }

  /** Sets which links are followed; without it, {@link Reach#HOST}. */
  public CrawlBuilder reach(Reach reach) {
    this.reach = requireNonNull(reach, "reach");
    return this;
  }

  /**
   * Sets the least time between the end of a visit and the beginning of the next one of the same
   * host, from zero to a day; {@link #DEFAULT_DELAY} without. robots.txt may ask for more.
   */
  public CrawlBuilder delay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("delay must be from zero to a day, got " + delay);
    }
    this.delay = delay;
    return this;
  }

  /**
   * Sets how long a request may take from the look-up of the host to the last byte, more than zero
   * and at most a day; {@link #DEFAULT_TIMEOUT} without.
   */
  public CrawlBuilder timeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeout must be more than zero and at most a day, got " + timeout);
    }
    this.timeout = timeout;
    return this;
  }

  /**
   * Sets the most bytes of a page, before and after it is decompressed, 1 to {@link
   * #LARGEST_MAX_BYTES}; {@link #DEFAULT_MAX_BYTES} without. A page that has more is given up.
   */
  public CrawlBuilder maxBytes(int maxBytes) {
    this.maxBytes = inRange("maxBytes", maxBytes, LARGEST_MAX_BYTES);
    return this;
  }

  /**
   * Sets how many URLs are visited at a time, 1 to {@link #LARGEST_JOBS}; {@link #DEFAULT_JOBS}
   * without. Of one host it is never more than one.
   */
  public CrawlBuilder jobs(int jobs) {
    this.jobs = inRange("jobs", jobs, LARGEST_JOBS);
    return this;
  }

  /** Sets the most URLs that are visited, over all runs of the crawl; at least 1, all without. */
  public CrawlBuilder maxPages(long maxPages) {
    this.maxPages = atLeastOne("maxPages", maxPages);
    return this;
  }

  /** Sets the most URLs of one host that are put in line; at least 1, all without. */
  public CrawlBuilder maxPerHost(long maxPerHost) {
    this.maxPerHost = atLeastOne("maxPerHost", maxPerHost);
    return this;
  }

  /** Sets who is told of each row once it is written, one at a time, in a thread of the crawl. */
  public CrawlBuilder listener(Consumer<Visited> listener) {
    this.listener = requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets what tells spans of time, in nanoseconds, but for {@link #timeout}; the system's without.
   */
  public CrawlBuilder nanoClock(LongSupplier nanoClock) {
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    return this;
  }

  /** Sets what tells the time of day, for dates that servers send; the system's without. */
  public CrawlBuilder clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /** Returns a crawl whose queue is in memory and ends with it. */
  public Crawl beginInMemory() throws IOException {
    checkComplete();
    return crawl(queue().build(), 0);
  }

  /**
   * Returns a crawl whose queue is in a directory.
   *
   * @param directory where the queue will be; missing or empty
   * @throws FileSystemException if a crawl was begun there, or the file of pages is there already
   */
  public Crawl begin(Path directory) throws IOException {
    checkComplete();
    if (pageFile != null && Files.isRegularFile(pageFile)) {
      throw new FileSystemException(
          pageFile.toString(),
          null,
          "is there already; resume the crawl that wrote it, or name another file");
    }
    VisitQueue queue = queue().open(directory);
    if (queue.stats().accepted() > 0) {
      queue.close();
      throw new FileSystemException(
          directory.toString(),
          null,
          "holds a crawl that was begun; resume it, or name another directory");
    }
    return crawl(queue, 0);
  }

  /**
   * Returns the crawl whose queue is in a directory, where it was left, or begins it if it was not
   * begun. Starts, reach and the file of pages must be as they were.
   *
   * @throws FileSystemException if the file does not list what the queue has visited
   */
  public Crawl resume(Path directory) throws IOException {
    checkComplete();
    VisitQueue queue = queue().open(directory);
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
    CrawlSettings settings =
        new CrawlSettings(
            agent(), maxPages, jobs, MAX_ATTEMPTS, maxBytes, delay, listener, nanoClock, clock);
    Crawl crawl =
        new Crawl(queue, pages, tally, new Fetcher(requireNonNull(userAgent), timeout), settings);
    try {
      starts.forEach(start -> crawl.push(Visit.start(start)));
    } catch (UncheckedIOException e) {
      crawl.close();
      throw requireNonNull(e.getCause());
    }
    return crawl;
  }

  private PageList pageList(long visitsDone, PageTally tally) throws IOException {
    if (pageFile == null) {
      return PageStream.begin(requireNonNull(pageStream));
    }
    return Files.exists(pageFile) && !Files.isRegularFile(pageFile)
        ? PageStream.begin(Files.newOutputStream(pageFile))
        : PageFile.resume(pageFile, visitsDone, tally);
  }

  private VisitQueueBuilder queue() {
    VisitQueueBuilder queue =
        VisitQueue.builder()
            .expectedKeys(EXPECTED_URLS)
            .fpp(FPP)
            .onFull(OnFull.GROW)
            .key(UrlKey.STRICT)
            .maxUrlBytes(Visit.MAX_BYTES)
            .scope(reach.from(List.copyOf(starts)))
            .perHostDelay(delay)
            .leaseTimeout(LEASE)
            .nanoClock(nanoClock);
    return maxPerHost != null ? queue.maxPerHost(maxPerHost) : queue;
  }

  private String agent() {
    Matcher matcher = USER_AGENT.matcher(requireNonNull(userAgent));
    return matcher.matches() ? matcher.group(1) : "";
  }

  private void checkComplete() {
    if (userAgent == null || starts.isEmpty() || (pageFile == null && pageStream == null)) {
      throw new IllegalStateException("call userAgent(name), start(url) and pages(file) first");
    }
  }

  private static int inRange(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(name + " must be 1 to " + max + ", got " + value);
    }
    return value;
  }

  private static long atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, got " + value);
    }
    return value;
  }
}
