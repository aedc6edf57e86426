package dev.tamis.crawler.crawl;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.VisitQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
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
 * <p>Polite: one request of a host at a time, a delay between two, robots.txt and what pages and
 * servers ask of crawlers are obeyed. Redirects are visits of their own, so each hop is asked for
 * once and only where it is allowed.
 *
 * <p>With a queue in a directory and a list in a file, the process may be killed at any instant and
 * the crawl {@linkplain CrawlBuilder#resume resumed}: no page is missing in the list and none is
 * there twice. What was under way then is asked for a second time.
 *
 * <p>{@link #run} is called once; {@link #stop} may be called from any thread.
 */
public final class Crawl implements AutoCloseable {

  /** How long a host is left alone after a first failure; twice as long after each further one. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final VisitQueue queue;
  private final PageList pages;
  private final PageTally tally;
  private final Fetcher fetcher;
  private final Visitor visitor;
  private final Turns turns;
  private final CrawlSettings settings;
  private final LinkTally links = new LinkTally();
  private final LongAdder retries = new LongAdder();
  private final ExecutorService threads;

  Crawl(
      VisitQueue queue, PageList pages, PageTally tally, Fetcher fetcher, CrawlSettings settings) {
    this.queue = queue;
    this.pages = pages;
    this.tally = tally;
    this.fetcher = fetcher;
    this.settings = settings;
    Robots robots = new Robots(fetcher, settings.agent(), settings.maxAttempts(), settings.clock());
    visitor = new Visitor(fetcher, robots, settings);
    turns = new Turns(queue, settings.maxPages(), queue.stats().delivered());
    threads =
        Executors.newFixedThreadPool(
            settings.jobs(),
            task -> {
              Thread thread = new Thread(task, "crawl");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts the settings of a crawl. */
  public static CrawlBuilder builder() {
    return new CrawlBuilder();
  }

  void push(Visit visit) {
    links.pushed(queue.push(visit.queued()));
  }

  /**
   * Visits until nothing is left, the most pages are visited, or {@link #stop} is called.
   *
   * @return the account
   * @throws IOException if the queue or the list cannot be written; what is in them stays good
   * @throws InterruptedException if the thread is interrupted; the crawl is stopped then
   * @throws IllegalStateException if it has run before, or is closed
   */
  public CrawlSummary run() throws IOException, InterruptedException {
    ExecutorCompletionService<Boolean> running = new ExecutorCompletionService<>(threads);
    List<Future<Boolean>> workers = new ArrayList<>();
    if (threads.isShutdown()) {
      throw new IllegalStateException("the crawl has run, was stopped or is closed");
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
    throw new IllegalStateException("a thread of the crawl failed: " + thrown, thrown);
  }

  /** Ends the crawl soon: what is under way is left to a later run. Waits for nothing. */
  public void stop() {
    turns.stop();
    threads.shutdownNow();
  }

  /** Visits until nothing is left, and returns whether it came so far. */
  private boolean work() throws IOException {
    try {
      for (Optional<Lease> lease = turns.next(); lease.isPresent(); lease = turns.next()) {
        turns.end(visit(lease.get()));
      }
    } catch (InterruptedException e) {
      return false; // by stop(): the visit was not ended, so a later run does it
    }
    return true;
  }

  /** Visits a URL and returns whether that is done for good. */
  private boolean visit(Lease lease) throws IOException, InterruptedException {
    Optional<Visit> visit = Visit.of(lease.url());
    if (visit.isEmpty()) {
      finish(lease, Visited.impossible(lease.url()));
      return true;
    }
    Visitor.Result result = visitor.visit(visit.get());
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
    links.invalid(result.invalidLinks());
    result.links().forEach(this::push);
    finish(lease, result.row());
    return true;
  }

  private synchronized void finish(Lease lease, Visited row) throws IOException {
    pages.add(row);
    if (!lease.ack()) {
      throw new IllegalStateException("the lease of " + row.url() + " ran out");
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
        stats.expectedWrongDrops());
  }

  /** Stops the crawl and closes its queue and its list. */
  @Override
  public void close() throws IOException {
    stop();
    try (pages) {
      queue.close();
    } catch (UncheckedIOException e) {
      throw requireNonNull(e.getCause());
    }
  }
}
