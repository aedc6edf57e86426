package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.queue.Admission.Purpose;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
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
 * <p>What was seen is remembered in a filter: no URL comes twice, and about one in 1/fpp new ones
 * is taken for seen and never comes; {@link QueueStats#expectedWrongDrops} says how many that
 * should be so far.
 *
 * <p>URLs come in the order in which they were pushed. Where hosts are told apart, each host's do,
 * and hosts take turns.
 *
 * <p>It is in memory, or in a directory: then nothing that was accepted is lost when the process is
 * killed at whatever instant, and nothing is delivered twice but what was leased and not
 * acknowledged. A URL that {@code poll} returned counts as delivered.
 *
 * <p>Several queues, in processes of their own, can share the filter: see {@link
 * VisitQueueBuilder#sharedFilter}.
 *
 * <p>Safe for concurrent use: of any number of pushes of one key, one is accepted. What cannot be
 * written or read is an {@link UncheckedIOException}; where it leaves a doubt about what is on
 * disk, the queue throws {@link IllegalStateException} from then on and can be opened again.
 */
public final class VisitQueue implements AutoCloseable {

  /*
   * One lock for all: whatever is decided is written down and made before anybody else decides. The
   * keys are worked out before it is taken.
   */

  /** Longer than anybody waits, and short enough to be added to a time. */
  static final Duration FOREVER = Duration.ofDays(365 * 100);

  private final Rules rules;
  private final Parameters parameters;
  private final Contents contents;
  private final ChangeLog log;
  private final Clerk clerk;
  private final FullWarning warning;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Throwable broken;
  private boolean closed;

  VisitQueue(
      Rules rules,
      Parameters parameters,
      Contents contents,
      ChangeLog log,
      Leases leases,
      LongConsumer whenFull) {
    this.rules = rules;
    this.parameters = parameters;
    this.contents = contents;
    this.log = log;
    clerk = new Clerk(contents, log, new Admission(contents, parameters), leases);
    warning = new FullWarning(parameters.expectedKeys(), contents.seenKeys(), whenFull);
  }

  /** Takes in what was claimed when the process ended. */
  void settle() {
    locked(clerk::settle);
  }

  /** Starts the settings of a queue. */
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

  /** Returns whether there is a queue in a directory, in use or not. */
  public static boolean exists(Path directory) {
    return VisitQueueBuilder.hasQueue(directory);
  }

  /** Puts a URL in line unless its key was seen before. */
  public PushResult push(String url) {
    return push(url, Purpose.VISIT);
  }

  /**
   * Puts a URL in line even if its key was seen before: to visit it again. It may then be in line
   * twice. The most URLs of a host do not matter.
   */
  public PushResult pushAgain(String url) {
    return push(url, Purpose.AGAIN);
  }

  /**
   * Notes that a URL's key was seen, without a visit: where a redirect led, say. Answers as {@link
   * #push} would, and counts as no push.
   */
  public PushResult markSeen(String url) {
    return push(url, Purpose.MARK);
  }

  private PushResult push(String url, Purpose purpose) {
    Rules.Verdict verdict = rules.judge(requireNonNull(url, "url"));
    long hash = contents.seen().hashOf(verdict.key());
    long[] tooMany = {0};
    PushResult result =
        locked(
            () -> {
              PushResult answer = clerk.take(url, verdict, hash, purpose);
              long keys = contents.seenKeys();
              if (parameters.onFull() == OnFull.WARN && warning.isDue(keys)) {
                tooMany[0] = keys;
              }
              changed.signalAll();
              return answer;
            });
    if (tooMany[0] > 0) {
      warning.tell(tooMany[0]);
    }
    return result;
  }

  /** Returns whether the key of a URL was seen; false for what would be rejected as no URL. */
  public boolean mightHaveSeen(String url) {
    Rules.Verdict verdict = rules.judge(requireNonNull(url, "url"));
    long hash = contents.seen().hashOf(verdict.key());
    return locked(
        () ->
            !verdict.key().isEmpty()
                && contents.seen().ask(verdict.key(), hash) == Seen.Answer.SEEN);
  }

  /** Returns the next URL that is due and forgets it, or nothing if none is due now. */
  public Optional<String> poll() {
    return locked(clerk::deliver).map(Entry::url);
  }

  /**
   * Does what {@link #poll()} does, and waits for a URL to be due if none is.
   *
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  public Optional<String> poll(Duration timeout) throws InterruptedException {
    return await(timeout, clerk::deliver).map(Entry::url);
  }

  /**
   * Returns the next URL that is due, for a visit that ends with {@link Lease#ack} or comes back,
   * or nothing if none is due now.
   */
  public Optional<Lease> lease() {
    return locked(clerk::lease).map(entry -> new Lease(this, entry));
  }

  /**
   * Does what {@link #lease()} does, and waits for a URL to be due if none is.
   *
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  public Optional<Lease> lease(Duration timeout) throws InterruptedException {
    return await(timeout, clerk::lease).map(entry -> new Lease(this, entry));
  }

  boolean acknowledge(Entry entry) {
    return locked(
        () -> {
          changed.signalAll(); // its host may be due now
          return clerk.acknowledge(entry);
        });
  }

  boolean giveBack(Entry entry) {
    return locked(
        () -> {
          changed.signalAll();
          return clerk.giveBack(entry);
        });
  }

  /** Returns the URL that comes next, also if its host still has to wait, and leaves it there. */
  public Optional<String> peek() {
    return locked(() -> contents.waiting().first()).map(Entry::url);
  }

  /**
   * Lets no URL of a host come before {@code time} has passed: where a server said when to come
   * back. Does nothing where hosts are not told apart.
   *
   * @param url a URL of the host
   * @throws IllegalArgumentException if the URL has no host
   */
  public void pause(String url, Duration time) {
    String host =
        rules
            .key()
            .of(requireNonNull(url, "url"))
            .flatMap(HostName::of)
            .orElseThrow(() -> new IllegalArgumentException("url must have a host, got " + url));
    long nanos = nanos(time);
    locked(
        () -> {
          contents.waiting().pause(host, contents.now() + nanos);
          return host;
        });
  }

  /** Returns the account so far. Costs one pass over the filter's bits, for the fpp. */
  public QueueStats stats() {
    return locked(() -> contents.stats(parameters.expectedKeys()));
  }

  /**
   * Ends the queue; what is leased on disk waits again when it is opened the next time. Closing it
   * twice does nothing more. Threads that wait for a URL get an {@link IllegalStateException}.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        changed.signalAll();
        if (broken == null) {
          log.close();
        } else {
          log.abandon();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Lets go of the directory as the end of the process would. */
  void abandon() throws IOException {
    closed = true;
    log.abandon();
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
        changed.awaitNanos(Math.min(left, clerk.nanosUntilDue()));
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
      throw new UncheckedIOException(log.named(e));
    } catch (Clerk.BrokenException e) {
      broken = e;
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Something that may fail to read or write. */
  private interface Action<T> {
    T run() throws IOException;
  }
}
