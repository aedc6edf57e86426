package dev.tamis.kit.queue;

import static java.util.Objects.requireNonNull;

import dev.tamis.MutableFilter;
import dev.tamis.kit.queue.PushResult.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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
 * <p>Safe for concurrent use: of any number of pushes of one key, one is accepted. What cannot be
 * written is an {@link UncheckedIOException}.
 */
public final class VisitQueue implements AutoCloseable {

  /*
   * One lock for all: whatever is decided is written down and made before anybody else decides. The
   * keys are worked out before it is taken. The time of the queue begins at zero with the queue.
   */

  private final VisitQueueBuilder.Settings settings;
  private final Contents contents;
  private final ChangeLog log;
  private final Leases leases;
  private final FullWarning warning;
  private final long startNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;

  VisitQueue(VisitQueueBuilder.Settings settings, Contents contents, ChangeLog log) {
    this.settings = settings;
    this.contents = contents;
    this.log = log;
    leases = new Leases(settings.leaseNanos());
    warning =
        new FullWarning(settings.expectedKeys(), contents.counts().seenKeys, settings.whenFull());
    startNanos = settings.nanoClock().getAsLong();
  }

  /** Starts a queue. */
  public static VisitQueueBuilder builder() {
    return new VisitQueueBuilder();
  }

  /** Puts a URL in line unless its key was seen before. */
  public PushResult push(String url) {
    return push(url, Push.NEW);
  }

  /**
   * Puts a URL in line even if its key was seen before: to visit it again. It may then be in line
   * twice. The most for each host does not hold.
   */
  public PushResult pushAgain(String url) {
    return push(url, Push.AGAIN);
  }

  /**
   * Notes that a URL's key was seen, without a visit: where a redirect led, say. Answers as {@link
   * #push} would, and counts as no push.
   */
  public PushResult markSeen(String url) {
    return push(url, Push.MARK);
  }

  private PushResult push(String url, Push how) {
    Rules.Verdict verdict = settings.rules().judge(requireNonNull(url, "url"));
    long hash = contents.seen().hashOf(verdict.key());
    long[] full = {0};
    PushResult result =
        locked(
            () -> {
              PushResult decided = decide(url, verdict, hash, how);
              if (decided.isAccepted()) {
                if (settings.onFull() == OnFull.WARN && warning.isDue(seenKeys())) {
                  full[0] = seenKeys();
                }
                changed.signal();
              }
              return decided;
            });
    if (full[0] > 0) {
      warning.tell(full[0]);
    }
    return result;
  }

  private long seenKeys() {
    return contents.counts().seenKeys;
  }

  private PushResult decide(String url, Rules.Verdict verdict, long hash, Push how)
      throws IOException {
    log.makeRoom();
    Counts counts = contents.counts();
    PushResult result = verdict.rejection().orElseGet(() -> admit(verdict, hash, how));
    if (result.isAccepted()) {
      if (how == Push.MARK) {
        make(new Change.Marked(verdict.key()));
      } else {
        Entry entry = new Entry(counts.lastSequence + 1, verdict.host(), url, 0);
        make(new Change.Accepted(entry, verdict.key()));
      }
    } else if (how != Push.MARK) {
      counts.count(result.status());
    }
    return result;
  }

  private PushResult admit(Rules.Verdict verdict, long hash, Push how) {
    Seen.Answer answer = contents.seen().ask(verdict.key(), hash);
    if (answer == Seen.Answer.SEEN) {
      return how == Push.AGAIN ? PushResult.ACCEPTED : PushResult.DUPLICATE;
    }
    OptionalLong most = settings.maxPerHost();
    if (how == Push.NEW
        && most.isPresent()
        && contents.waiting().accepted(verdict.host()) >= most.getAsLong()) {
      return PushResult.rejected(
          Reason.HOST_LIMIT,
          "is one too many of " + verdict.host() + ", at most " + most.getAsLong() + " may be");
    }
    if (settings.onFull() == OnFull.REFUSE && seenKeys() >= settings.expectedKeys()) {
      return PushResult.FULL;
    }
    if (answer == Seen.Answer.RESCUED) {
      contents.counts().rescued++;
    }
    return PushResult.ACCEPTED;
  }

  /** Returns whether the key of a URL was seen; false for what would be rejected as no URL. */
  public boolean mightHaveSeen(String url) {
    Optional<String> key = settings.rules().key().of(requireNonNull(url, "url"));
    if (key.isEmpty()) {
      return false;
    }
    long hash = contents.seen().hashOf(key.get());
    return locked(() -> contents.seen().ask(key.get(), hash) == Seen.Answer.SEEN);
  }

  /** Returns the next URL that is due and forgets it, or nothing if none is due now. */
  public Optional<String> poll() {
    return locked(this::takeDue);
  }

  /**
   * Does what {@link #poll()} does, and waits for a URL to be due if none is.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public Optional<String> poll(Duration timeout) throws InterruptedException {
    return await(timeout, this::takeDue);
  }

  private Optional<String> takeDue() throws IOException {
    log.makeRoom();
    Optional<Entry> entry = due();
    if (entry.isPresent()) {
      make(new Change.Delivered(entry.get().host(), entry.get().sequence()));
    }
    return entry.map(Entry::url);
  }

  /**
   * Returns the next URL that is due, for a visit that ends with {@link Lease#ack} or comes back,
   * or nothing if none is due now.
   */
  public Optional<Lease> lease() {
    return locked(this::leaseDue);
  }

  /**
   * Does what {@link #lease()} does, and waits for a URL to be due if none is.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public Optional<Lease> lease(Duration timeout) throws InterruptedException {
    return await(timeout, this::leaseDue);
  }

  private Optional<Lease> leaseDue() throws IOException {
    log.makeRoom();
    Optional<Entry> entry = due();
    entry.ifPresent(contents::lease);
    entry.ifPresent(leased -> leases.begin(leased, now()));
    return entry.map(leased -> new Lease(this, leased));
  }

  private Optional<Entry> due() throws IOException {
    returnOverdue();
    return contents.waiting().due(now());
  }

  private void returnOverdue() throws IOException {
    for (var first = leases.first();
        first.isPresent() && first.get().endNanos() <= now();
        first = leases.first()) {
      if (contents.isLeased(first.get().entry())) {
        takeBack(first.get().entry());
      }
      leases.removeFirst();
    }
  }

  boolean acknowledge(Entry entry) {
    return locked(
        () -> {
          returnOverdue();
          boolean held = contents.isLeased(entry);
          if (held) {
            make(new Change.Delivered(entry.host(), entry.sequence()));
            changed.signal();
          }
          return held;
        });
  }

  boolean giveBack(Entry entry) {
    return locked(
        () -> {
          returnOverdue();
          boolean held = contents.isLeased(entry);
          if (held) {
            takeBack(entry);
            changed.signal();
          }
          return held;
        });
  }

  private void takeBack(Entry entry) throws IOException {
    long place = contents.counts().lastSequence + 1;
    make(new Change.Returned(entry.host(), entry.sequence(), place));
  }

  /** Returns the URL that comes next, also if its host still has to wait, and leaves it there. */
  public Optional<String> peek() {
    return locked(() -> contents.waiting().first().map(Entry::url));
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
        settings
            .rules()
            .key()
            .of(requireNonNull(url, "url"))
            .flatMap(HostName::of)
            .orElseThrow(() -> new IllegalArgumentException("url must have a host, got " + url));
    long nanos = time.toNanos();
    locked(
        () -> {
          contents.waiting().pause(host, now() + nanos);
          return true;
        });
  }

  /** Returns the account so far. Costs one pass over the filter's bits, for the fpp. */
  public QueueStats stats() {
    return locked(
        () -> {
          MutableFilter<CharSequence> filter = contents.seen().filter();
          boolean confirmed = contents.seen().isConfirmed();
          Counts counts = contents.counts();
          return new QueueStats(
              counts.accepted + counts.duplicates + counts.rejected + counts.full,
              counts.accepted,
              counts.duplicates,
              counts.rejected,
              counts.full,
              counts.delivered,
              contents.leased(),
              contents.waiting().size(),
              contents.waiting().hosts(),
              counts.seenKeys,
              (double) counts.seenKeys / settings.expectedKeys(),
              confirmed ? 0 : filter.expectedFpp(),
              confirmed ? 0 : filter.expectedWrongDrops(),
              counts.rescued);
        });
  }

  /**
   * Ends the queue. Closing it again does nothing. Threads that wait for a URL get an exception.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        changed.signalAll();
        log.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Writes a change down, then makes it. */
  private void make(Change change) throws IOException {
    log.write(change);
    contents.apply(change, now());
  }

  private long now() {
    return settings.nanoClock().getAsLong() - startNanos;
  }

  private <T> Optional<T> await(Duration timeout, Action<Optional<T>> action)
      throws InterruptedException {
    long start = System.nanoTime();
    lock.lockInterruptibly();
    try {
      while (true) {
        Optional<T> found = run(action);
        long left = timeout.toNanos() - (System.nanoTime() - start);
        if (found.isPresent() || left <= 0) {
          return found;
        }
        changed.awaitNanos(Math.min(left, untilSomethingIsDue()));
      }
    } finally {
      lock.unlock();
    }
  }

  private long untilSomethingIsDue() {
    long now = now();
    long first = contents.waiting().firstDueNanos().orElse(Long.MAX_VALUE);
    long lease = leases.firstEndNanos().orElse(Long.MAX_VALUE);
    return Math.max(0, Math.min(first, lease) - now);
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
    try {
      return action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Something that may fail to write. */
  private interface Action<T> {
    T run() throws IOException;
  }

  /** What a push is for. */
  private enum Push {
    NEW,
    AGAIN,
    MARK
  }
}
