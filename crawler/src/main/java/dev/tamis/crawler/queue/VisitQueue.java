package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.queue.Admission.Candidate;
import dev.tamis.crawler.queue.Admission.Purpose;
import dev.tamis.crawler.queue.QueueState.LoggedState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A queue of URLs to visit that takes each once: what was pushed before is a duplicate, however
 * long ago it was delivered.
 *
 * <pre>{@code
 * VisitQueue queue = VisitQueue.builder().expectedKeys(1_000_000).fpp(1e-6).build();
 * queue.push("https://example.org/");
 * for (var url = queue.poll(); url.isPresent(); url = queue.poll()) {
 *   linksOf(url.get()).forEach(queue::push);
 * }
 * }</pre>
 *
 * <p>Seen keys are kept in a filter: no URL is delivered twice, and about one in 1/fpp new URLs is
 * taken for a seen one and dropped; {@link QueueStats#expectedWrongDrops} estimates how many so
 * far.
 *
 * <p>URLs are delivered first in, first out; where hosts are told apart, round robin over the hosts
 * and first in, first out for each host.
 *
 * <p>It is in memory, or in a directory behind a write-ahead log: then nothing that was accepted is
 * lost if the process is killed at any instant, and nothing is delivered twice except what was
 * leased and not acknowledged. A URL that {@code poll} returned counts as delivered.
 *
 * <p>Several queues, in processes of their own, can share the filter: see {@link
 * VisitQueueBuilder#sharedFilter}.
 *
 * <p>Thread-safe: of any number of pushes of one key, exactly one is accepted. Read and write
 * errors are {@link UncheckedIOException}s; after one that leaves memory and disk possibly
 * different, the queue throws {@link IllegalStateException} until it is opened again.
 */
public final class VisitQueue implements AutoCloseable {

  /*
   * One lock: each operation decides, logs and applies before the next one decides. URLs are parsed
   * and keys hashed before it is taken.
   */

  /** URLs pushed with one call to a shared filter, and while others wait. */
  private static final int MAX_BATCH = 256;

  /** Longer than any wait, and short enough to be added to a time without overflow. */
  static final Duration FOREVER = Duration.ofDays(365 * 100);

  private final Rules rules;
  private final Parameters parameters;
  private final QueueState state;
  private final Persistence persistence;
  private final Admission admission;
  private final LeaseManager leases;
  private final FullWarning warning;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Throwable broken;
  private boolean closed;

  VisitQueue(
      Rules rules,
      Parameters parameters,
      QueueState state,
      Persistence persistence,
      Duration leaseTimeout,
      LongConsumer whenFull) {
    this.rules = rules;
    this.parameters = parameters;
    this.state = state;
    this.persistence = persistence;
    LoggedState log = new LoggedState(state, persistence);
    admission = new Admission(log, parameters);
    leases = new LeaseManager(log, leaseTimeout.toNanos());
    warning = new FullWarning(parameters.expectedKeys(), state.seenKeys(), whenFull);
  }

  /** Settles the claim that was open when the process ended. */
  void settle() {
    locked(admission::settle);
  }

  /** Returns a builder with the default settings. */
  public static VisitQueueBuilder builder() {
    return new VisitQueueBuilder();
  }

  /**
   * Opens the queue in a directory as it was built.
   *
   * @throws IOException as {@link VisitQueueBuilder#open}, and if there is no queue
   */
  public static VisitQueue open(Path directory) throws IOException {
    return builder().openExisting(directory);
  }

  /**
   * Opens the queue in a directory to look at it, without writing anything there.
   *
   * @throws IOException as {@link VisitQueueBuilder#view}
   */
  public static QueueView view(Path directory) throws IOException {
    return builder().view(directory);
  }

  /** Returns whether there is a queue in a directory, in use or not. */
  public static boolean exists(Path directory) {
    return DirectoryLayout.hasQueue(directory);
  }

  /** Adds a URL unless its key was seen before. */
  public PushResult push(String url) {
    return push(url, Purpose.VISIT);
  }

  /**
   * Adds a URL even if its key was seen before, to visit it again; it may then be pending twice.
   * The limit of URLs per host does not apply.
   */
  public PushResult pushAgain(String url) {
    return push(url, Purpose.AGAIN);
  }

  /**
   * Marks a URL's key as seen without a visit: the target of a redirect, say. Returns the result of
   * a {@link #push} but is not counted as one.
   */
  public PushResult markSeen(String url) {
    return push(url, Purpose.MARK);
  }

  /**
   * Pushes several URLs in order, with one call to a shared filter for a few hundred of them.
   *
   * <p>If this throws, some of them may have been accepted; those whose outcome is unknown are
   * accepted by the next push, or when the queue is opened.
   *
   * @return the result of each push
   * @throws NullPointerException if one of them is null; none is pushed then
   */
  public List<PushResult> pushAll(Collection<String> urls) {
    List<Candidate> candidates = urls.stream().map(url -> candidate(url, Purpose.VISIT)).toList();
    List<PushResult> results = new ArrayList<>(candidates.size());
    for (int from = 0; from < candidates.size(); from += MAX_BATCH) {
      results.addAll(push(candidates.subList(from, Math.min(candidates.size(), from + MAX_BATCH))));
    }
    return results;
  }

  private PushResult push(String url, Purpose purpose) {
    return push(List.of(candidate(url, purpose))).get(0);
  }

  private Candidate candidate(String url, Purpose purpose) {
    Rules.Checked checked = rules.check(requireNonNull(url, "url"));
    return new Candidate(
        url,
        checked.key(),
        checked.host(),
        state.seen().hashOf(checked.key()),
        purpose,
        checked.rejection());
  }

  private List<PushResult> push(List<Candidate> candidates) {
    long[] keysToReport = {0};
    List<PushResult> results =
        locked(
            () -> {
              List<PushResult> pushed = admission.pushAll(candidates);
              long keys = state.seenKeys();
              if (parameters.onFull() == OnFull.WARN && warning.isDue(keys)) {
                keysToReport[0] = keys;
              }
              changed.signalAll();
              return pushed;
            });
    if (keysToReport[0] > 0) {
      warning.warn(keysToReport[0]);
    }
    return results;
  }

  /** Returns whether the key of a URL was seen; false for a URL that would be rejected. */
  public boolean mightHaveSeen(String url) {
    Rules.Checked checked = rules.check(requireNonNull(url, "url"));
    long hash = state.seen().hashOf(checked.key());
    return locked(
        () -> checked.rejection().isEmpty() && state.seen().contains(checked.key(), hash));
  }

  /** Removes and returns the next URL that is due, or empty if none is due now. */
  public Optional<String> poll() {
    return locked(leases::deliver).map(QueuedUrl::url);
  }

  /**
   * Like {@link #poll()}, but waits for a URL to be due.
   *
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  public Optional<String> poll(Duration timeout) throws InterruptedException {
    return await(timeout, leases::deliver).map(QueuedUrl::url);
  }

  /**
   * Leases the next URL that is due, or returns empty if none is due now. The URL is delivered
   * again unless the visit ends with {@link Lease#ack}.
   */
  public Optional<Lease> lease() {
    return locked(leases::lease).map(url -> new Lease(this, url));
  }

  /**
   * Like {@link #lease()}, but waits for a URL to be due.
   *
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  public Optional<Lease> lease(Duration timeout) throws InterruptedException {
    return await(timeout, leases::lease).map(url -> new Lease(this, url));
  }

  boolean acknowledge(QueuedUrl url) {
    return locked(
        () -> {
          changed.signalAll(); // its host may be due now
          return leases.acknowledge(url);
        });
  }

  boolean retry(QueuedUrl url) {
    return locked(
        () -> {
          changed.signalAll();
          return leases.retry(url);
        });
  }

  /** Returns the URL that comes next, even if its host still has to wait, and keeps it. */
  public Optional<String> peek() {
    return locked(() -> state.schedule().first()).map(QueuedUrl::url);
  }

  /**
   * Delivers no URL of a host before {@code time} has passed: for servers that say when to retry.
   * Has no effect where hosts are not told apart.
   *
   * @param url a URL of the host
   * @throws IllegalArgumentException if the URL has no host
   */
  public void pause(String url, Duration time) {
    String host =
        rules
            .key()
            .of(requireNonNull(url, "url"))
            .flatMap(ParsedUrl::host)
            .orElseThrow(() -> new IllegalArgumentException("url must have a host, got " + url));
    long nanos = nanos(time);
    locked(
        () -> {
          state.schedule().pause(host, state.now() + nanos);
          return host;
        });
  }

  /** Returns the counters so far. Costs one pass over the filter's bits, for the fpp. */
  public QueueStats stats() {
    return locked(() -> state.stats(parameters.expectedKeys()));
  }

  /**
   * Closes the queue; leased URLs are pending again when it is opened next. Idempotent. Threads
   * that wait for a URL get an {@link IllegalStateException}.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        changed.signalAll();
        if (broken == null) {
          persistence.close();
        } else {
          persistence.abandon();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Releases the directory as the end of the process would. */
  void abandon() throws IOException {
    closed = true;
    persistence.abandon();
  }

  private <T> Optional<T> await(Duration timeout, Action<Optional<T>> action)
      throws InterruptedException {
    long start = System.nanoTime();
    long limit = nanos(timeout);
    lock.lockInterruptibly();
    try {
      while (true) {
        Optional<T> found = run(action);
        long left = limit - (System.nanoTime() - start);
        if (found.isPresent() || left <= 0) {
          return found;
        }
        changed.awaitNanos(Math.min(left, leases.nanosUntilDue()));
      }
    } finally {
      lock.unlock();
    }
  }

  private static long nanos(Duration time) {
    return time.compareTo(FOREVER) < 0 ? time.toNanos() : FOREVER.toNanos();
  }

  private <T> T locked(Action<T> action) {
    lock.lock();
    try {
      return run(action);
    } finally {
      lock.unlock();
    }
  }

  private <T> T run(Action<T> action) {
    if (closed) {
      throw new IllegalStateException("the queue is closed");
    }
    if (broken != null) {
      throw new IllegalStateException(
          "the queue is broken by an earlier error: close it and open it again", broken);
    }
    try {
      return action.run();
    } catch (MVStoreException e) {
      broken = e;
      throw new UncheckedIOException(persistence.named(e));
    } catch (LoggedState.BrokenException e) {
      broken = e;
      if (e.getCause() instanceof MVStoreException
          || e.getCause() instanceof IllegalStateException) { // what is stored contradicts itself
        throw new UncheckedIOException(persistence.named((RuntimeException) e.getCause()));
      }
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Action<T> {
    T run() throws IOException;
  }

  /** Warns once for each doubling of the seen keys past the expected number. */
  private static final class FullWarning {

    private static final System.Logger LOG = System.getLogger(VisitQueue.class.getName());

    private final long expectedKeys;
    private final LongConsumer listener;
    private long nextKeys;

    private FullWarning(long expectedKeys, long seenKeys, LongConsumer listener) {
      this.expectedKeys = expectedKeys;
      this.listener = listener;
      nextKeys = expectedKeys;
      moveBeyond(seenKeys);
    }

    /** Returns whether a warning is due, true once for each; the caller holds the lock. */
    private boolean isDue(long seenKeys) {
      if (seenKeys <= nextKeys) {
        return false;
      }
      moveBeyond(seenKeys);
      return true;
    }

    private void moveBeyond(long seenKeys) {
      while (nextKeys < seenKeys) {
        nextKeys = nextKeys > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * nextKeys;
      }
    }

    private void warn(long seenKeys) {
      LOG.log(
          System.Logger.Level.WARNING,
          "visit queue: {0} keys seen, built for {1}: more and more new URLs are dropped as"
              + " duplicates; build it for more keys, or with OnFull.GROW",
          Long.toString(seenKeys),
          Long.toString(expectedKeys));
      listener.accept(seenKeys);
    }
  }
}
