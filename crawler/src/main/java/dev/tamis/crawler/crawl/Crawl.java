package dev.tamis.crawler.crawl;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.PushResult;
import dev.tamis.crawler.queue.PushResult.Reason;
import dev.tamis.crawler.queue.PushResult.Rejection;
import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.VisitQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A crawl of a site: every page within reach of its starts is visited once and listed once.
 *
 * <pre>{@code
 * try (Crawl crawl =
 *     Crawl.builder()
 *         .userAgent("example/1.0 (+https://example.org/bot)")
 *         .start("https://example.org/")
 *         .pages(Path.of("pages.tsv"))
 *         .begin(Path.of("queue"))) {
 *   CrawlSummary summary = crawl.run();
 * }
 * }</pre>
 *
 * <p>Polite: one request to a host at a time, a delay between two, and robots.txt, robots tags and
 * {@code Retry-After} are obeyed. Each hop of a redirect is a visit of its own, so it is requested
 * once and only where that is allowed.
 *
 * <p>With a queue in a directory and a list in a file, the process may be killed at any instant and
 * the crawl {@linkplain CrawlBuilder#resume resumed}: each page is listed exactly once. Visits in
 * progress when it was killed are repeated.
 *
 * <p>{@link #run} is called once; {@link #stop} may be called from any thread.
 */
public final class Crawl implements AutoCloseable {

  /** Backoff of a host after the first failure; doubled after each further one. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final VisitQueue queue;
  private final PageList pages;
  private final PageTally tally;
  private final Fetcher fetcher;
  private final Worker worker;
  private final Dispatcher dispatcher;
  private final Settings settings;
  private final LinkTally links = new LinkTally();
  private final LongAdder retries = new LongAdder();
  private final ExecutorService threads;

  Crawl(VisitQueue queue, PageList pages, PageTally tally, Fetcher fetcher, Settings settings) {
    this.queue = queue;
    this.pages = pages;
    this.tally = tally;
    this.fetcher = fetcher;
    this.settings = settings;
    Robots robots = new Robots(fetcher, settings.agent(), settings.maxAttempts(), settings.clock());
    worker = new Worker(fetcher, robots, settings);
    dispatcher = new Dispatcher(queue, settings.maxPages(), queue.stats().delivered());
    threads =
        Executors.newFixedThreadPool(
            settings.jobs(),
            task -> {
              Thread thread = new Thread(task, "crawl");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Returns a builder with the default settings. */
  public static CrawlBuilder builder() {
    return new CrawlBuilder();
  }

  void push(List<Task> visits) {
    queue.pushAll(visits.stream().map(Task::queued).toList()).forEach(links::pushed);
  }

  /**
   * Visits until no URL is pending, the page limit is reached, or {@link #stop} is called.
   *
   * @return the summary
   * @throws IOException if the queue or the list cannot be written; both stay valid
   * @throws InterruptedException if the thread is interrupted; the crawl is stopped then
   * @throws IllegalStateException if it has run before, or is closed
   */
  public CrawlSummary run() throws IOException, InterruptedException {
    ExecutorCompletionService<Boolean> running = new ExecutorCompletionService<>(threads);
    List<Future<Boolean>> workers = new ArrayList<>();
    if (threads.isShutdown()) {
      throw new IllegalStateException("the crawl has run, was stopped or is closed; build another");
    }
    for (int i = 0; i < settings.jobs(); i++) {
      workers.add(running.submit(this::work));
    }
    try {
      for (int i = 0; i < workers.size(); i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      throw rethrown(requireNonNull(e.getCause()));
    } finally {
      stop();
      threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
    return summary();
  }

  private static IOException rethrown(Throwable thrown) {
    if (thrown instanceof IOException e) {
      return e;
    }
    if (thrown instanceof UncheckedIOException e) {
      return requireNonNull(e.getCause());
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException("crawl: a worker failed: " + thrown, thrown);
  }

  /** Interrupts the crawl without waiting; visits in progress are left to a later run. */
  public void stop() {
    dispatcher.stop();
    threads.shutdownNow();
  }

  /** Visits until no URL is pending; returns false if interrupted before. */
  private boolean work() throws IOException {
    try {
      for (Optional<Lease> lease = dispatcher.next();
          lease.isPresent();
          lease = dispatcher.next()) {
        dispatcher.end(visit(lease.get()));
      }
    } catch (InterruptedException e) {
      return false; // by stop(): the visit has not ended, so a later run repeats it
    }
    return true;
  }

  /** Visits a URL; returns false if it is to be visited again. */
  private boolean visit(Lease lease) throws IOException, InterruptedException {
    Optional<Task> visit = Task.of(lease.url());
    if (visit.isEmpty()) {
      finish(lease, PageResult.impossible(lease.url()));
      return true;
    }
    Worker.Result result = worker.visit(visit.get());
    if (result.hostDelay().compareTo(settings.delay()) > 0) {
      queue.pause(lease.url(), result.hostDelay());
    }
    result.again().after().ifPresent(after -> queue.pause(lease.url(), after));
    if (result.again().wanted() && lease.attempt() < settings.maxAttempts()) {
      queue.pause(lease.url(), FIRST_PAUSE.multipliedBy(1L << (lease.attempt() - 1)));
      lease.retry();
      retries.increment();
      return false;
    }
    links.notPushed(result.invalidLinks(), result.row().linksOverLimit());
    push(result.links());
    finish(lease, result.row());
    return true;
  }

  private synchronized void finish(Lease lease, PageResult row) throws IOException {
    pages.add(row);
    if (!lease.ack()) {
      throw new IllegalStateException("the lease of " + row.url() + " expired");
    }
    tally.add(row.outcome());
    settings.listener().accept(row);
  }

  private synchronized CrawlSummary summary() {
    QueueStats stats = queue.stats();
    return new CrawlSummary(
        tally.total(),
        tally.counts(),
        links.counts(),
        fetcher.requests(),
        retries.sum(),
        stats.pending() + stats.inFlight(),
        stats.expectedWrongDrops(),
        stats.overfull());
  }

  /** Stops the crawl and closes its queue and its list. */
  @Override
  public void close() throws IOException {
    stop();
    try (pages;
        fetcher) {
      queue.close();
    } catch (UncheckedIOException e) {
      throw requireNonNull(e.getCause());
    }
  }

  /** Counts links by what became of them. Thread-safe. */
  private static final class LinkTally {
    private long accepted;
    private long known;
    private long outOfScope;
    private long overHostLimit;
    private long overPageLimit;
    private long full;
    private long invalid;

    private synchronized void notPushed(long newInvalid, long newOverPageLimit) {
      invalid += newInvalid;
      overPageLimit += newOverPageLimit;
    }

    private synchronized void pushed(PushResult result) {
      switch (result.status()) {
        case ACCEPTED -> accepted++;
        case DUPLICATE -> known++;
        case REJECTED -> rejected(result.rejection().map(Rejection::reason).orElseThrow());
        case FULL -> full++;
      }
    }

    private void rejected(Reason reason) {
      switch (reason) {
        case OUT_OF_SCOPE -> outOfScope++;
        case HOST_LIMIT -> overHostLimit++;
        case UNPARSABLE, TOO_LONG -> invalid++;
      }
    }

    private synchronized LinkCounts counts() {
      long found = accepted + known + outOfScope + overHostLimit + overPageLimit + full + invalid;
      return new LinkCounts(
          found, accepted, known, outOfScope, overHostLimit, overPageLimit, full, invalid);
    }
  }

  record Settings(
      String agent,
      long maxPages,
      int jobs,
      int maxAttempts,
      PageLimits page,
      Duration delay,
      Consumer<PageResult> listener,
      LongSupplier nanoClock,
      InstantSource clock) {}

  /** Dispatches visits to the workers of a crawl, up to the page limit, until none is left. */
  private static final class Dispatcher {

    /** The most a visit starts late after its host is due. */
    private static final long POLL_MILLIS = 10;

    private final VisitQueue queue;
    private final long maxPages;
    private long done;
    private long inProgress;
    private boolean stopped;

    /** Starts after {@code done} visits of earlier runs. */
    Dispatcher(VisitQueue queue, long maxPages, long done) {
      this.queue = queue;
      this.maxPages = maxPages;
      this.done = done;
    }

    /** Waits for a visit to be due and leases it, or returns empty if there are no more. */
    synchronized Optional<Lease> next() throws InterruptedException {
      while (!stopped) {
        if (done + inProgress < maxPages) {
          Optional<Lease> lease = queue.lease();
          if (lease.isPresent()) {
            inProgress++;
            return lease;
          }
        }
        // a visit in progress may find links, or be retried
        if (inProgress == 0 && (done >= maxPages || queue.peek().isEmpty())) {
          return Optional.empty();
        }
        wait(POLL_MILLIS);
      }
      return Optional.empty();
    }

    /** Ends a visit; {@code completed} is false if its URL is visited again. */
    synchronized void end(boolean completed) {
      inProgress--;
      done += completed ? 1 : 0;
      notifyAll();
    }

    synchronized void stop() {
      stopped = true;
      notifyAll();
    }
  }
}
