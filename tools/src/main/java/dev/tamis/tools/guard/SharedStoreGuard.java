package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedMutableFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter that processes share, before a store that they share, so that absent keys are not read.
 *
 * <pre>{@code
 * SharedStoreGuard<String, User> users =
 *     SharedStoreGuard.<String>builder(filterOnServer).build(table);
 * User user = users.get("ann"); // null, and no query to the database, if there is no Ann
 * }</pre>
 *
 * <p>For several writing processes; with one, use a {@link StoreGuard}, which queries its own
 * memory and no server. <b>All writes must go through such a guard</b>, in any of the processes.
 *
 * <p>A get that begins after a put has returned, in any process, never returns "absent". No error
 * of the filter makes a get fail or return a wrong "absent": while the filter is lost or
 * unreachable, all gets read the store, and from time to time one of them tries to reach the
 * filter. A put fails while the key cannot be put into the filter, since other processes would deny
 * the key.
 *
 * <p>A filter that was lost, or is new, is incomplete until {@link #rebuild} was called in one of
 * the processes; the others notice. A removed key stays in the filter until a rebuild.
 *
 * <p>Thread-safe.
 */
public final class SharedStoreGuard<K, V> implements Store<K, V>, Guard {

  /*
   * Put: the key goes into the filter, into the store, and into the filter once more. The first is
   * for gets by the filter that is in force. The second shows that the filter in force has the key
   * after the store has it.
   *
   * Rebuild: put an empty filter in force, open the source of keys, put in all its keys, and the
   * mark of completeness. So a complete filter F has the key of every put that has returned: if the
   * put's last step came after F was put in force, it was a put into F, or F is no longer in force
   * and throws; if it came before, the store had the key before the source was opened. Grace periods
   * of other processes play no part.
   */

  /** How long gets leave an unusable filter alone by default. */
  public static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  /** Keys of a rebuild that go to the filter at once. */
  private static final int BATCH = 1_000;

  private final Store<K, V> store;
  private final String name;
  private final GuardMeter meter;
  private final GuardNotice.Sender notices;
  private final SharedLink<K> link;
  private final AtomicBoolean rebuilding = new AtomicBoolean();

  private SharedStoreGuard(Builder<K> settings, Store<K, V> store) {
    this.store = store;
    this.name = settings.name;
    this.meter = new GuardMeter(settings.nanoClock);
    this.notices = new GuardNotice.Sender(settings.name, settings.listener);
    this.link = new SharedLink<>(settings.shared, meter, notices, settings.retryAfter.toNanos());
  }

  /** Starts a guard by a filter that others share. */
  public static <K> Builder<K> builder(SharedFilter<K> shared) {
    return new Builder<>(requireNonNull(shared, "shared"));
  }

  /**
   * Returns the value of {@code key}, or null if the store has none. Exceptions of the store
   * propagate. Costs one query of the filter's server.
   *
   * @throws NullPointerException if {@code key} is null
   */
  @Override
  public @Nullable V get(K key) {
    requireNonNull(key, "key");
    boolean[] answers = query(List.of(key));
    return answers == null || answers[0] ? meter.read(store, key, answers != null) : null;
  }

  /**
   * Returns the values of those of {@code keys} that have one, with one query of the filter and one
   * read of the store for all that are not certainly absent.
   *
   * @throws NullPointerException if a key is null
   */
  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    List<K> all = List.copyOf(keys);
    boolean[] answers = all.isEmpty() ? null : query(all);
    List<K> wanted = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (answers == null || answers[i]) {
        wanted.add(all.get(i));
      }
    }
    return wanted.isEmpty() ? Map.of() : meter.readAll(store, wanted, answers != null);
  }

  /** Queries the filter, and counts the keys that are absent; null if it does not answer. */
  private boolean @Nullable [] query(List<K> keys) {
    GuardFilter<K> answering = link.answering();
    if (answering == null) {
      return null;
    }
    HashedMutableFilter<K> filter = answering.filter();
    // outside: the hasher's exceptions are the caller's
    long[] hashes = keys.stream().mapToLong(filter::hashOf).toArray();
    boolean[] answers = new boolean[hashes.length];
    try {
      meter.askAll(filter, hashes, answers);
    } catch (RuntimeException e) {
      link.lose(filter, e);
      return null;
    }
    for (boolean maybe : answers) {
      if (!maybe) {
        meter.skip();
      }
    }
    return answers;
  }

  /**
   * Puts the key into the filter and then the value into the store. Exceptions of the store
   * propagate. Costs two puts into the filter.
   *
   * @throws SharedFilterException if the key cannot be put into the filter, so that others might
   *     deny it; the message says whether the store has the value. Put it again later
   */
  @Override
  public boolean put(K key, V value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    putIntoFilter(key, "nothing was written");
    boolean isNew = store.put(key, value);
    putIntoFilter(key, "the store has its value, but others may deny it until it is put again");
    return isNew;
  }

  /** Puts a key into the filter in force, which may be another one than was known before. */
  private void putIntoFilter(K key, String outcome) {
    for (boolean again = false; ; again = true) {
      HashedMutableFilter<K> filter;
      try {
        filter = link.forPut();
      } catch (RuntimeException e) {
        throw failedPut(outcome, e);
      }
      long hash = filter.hashOf(key); // outside: the hasher's exceptions are the caller's
      try {
        boolean unused = filter.putHash(hash);
        return;
      } catch (RuntimeException e) {
        link.lose(filter, e);
        if (again) {
          throw failedPut(outcome, e);
        }
      }
    }
  }

  private SharedFilterException failedPut(String outcome, RuntimeException cause) {
    return new SharedFilterException(
        "store guard \"" + name + "\" cannot put a key into its shared filter: " + outcome, cause);
  }

  /** Removes a key from the store; it stays in the filter. Exceptions of the store propagate. */
  @Override
  public boolean remove(K key) {
    return store.remove(requireNonNull(key, "key"));
  }

  @Override
  public void sync() {
    store.sync();
  }

  /** Returns the state, which is never {@link GuardState#STALE}. */
  @Override
  public GuardState state() {
    return link.state();
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Replaces the shared filter by an empty one, for all processes, and fills it with the keys of
   * {@code source} in the calling thread. Until that is done all gets of all processes read the
   * store. Puts continue everywhere.
   *
   * <p>Call it in one process: a second rebuild makes the first one fail.
   *
   * @throws IllegalStateException if this guard is rebuilding already
   * @throws RebuildFailedException if the keys cannot be read, the filter cannot be filled or was
   *     replaced, or the thread was interrupted; the shared filter is incomplete then
   */
  public RebuildSummary rebuild(KeySource<? extends K> source) {
    requireNonNull(source, "source");
    if (!rebuilding.compareAndSet(false, true)) {
      throw new IllegalStateException("a rebuild is running already: wait for it");
    }
    LongAdder keys = new LongAdder();
    try {
      long start = meter.nanos();
      GuardFilter<K> made = link.replace();
      try (Stream<? extends K> stream = requireNonNull(source.open(), "the source's stream")) {
        fill(made.filter(), stream.iterator(), keys);
      }
      link.markComplete(made);
      return new RebuildSummary(
          keys.sum(), meter.nanos() - start, made.filter().bitSize() / Byte.SIZE);
    } catch (Exception e) {
      throw notices.rebuildFailed(state(), "All gets read the store", keys.sum(), e);
    } finally {
      rebuilding.set(false);
    }
  }

  private void fill(HashedMutableFilter<K> filter, Iterator<? extends K> source, LongAdder keys)
      throws InterruptedException {
    long[] hashes = new long[BATCH];
    boolean[] unused = new boolean[BATCH];
    while (source.hasNext()) {
      int count = 0;
      while (count < BATCH && source.hasNext()) {
        hashes[count++] = filter.hashOf(requireNonNull(source.next(), "a key of the source"));
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      filter.putHashes(hashes, count, unused);
      keys.add(count);
    }
  }

  /** Switches this guard off: its gets read the store. Its puts still go into the filter. */
  public void disable() {
    link.setDisabled(true);
  }

  /** Switches this guard on again. */
  public void enable() {
    link.setDisabled(false);
  }

  /** Returns the counters of this process. */
  @Override
  public GetStats gets() {
    return meter.gets();
  }

  /** Returns how often a complete filter was lost, or could not be reached, by this process. */
  public long losses() {
    return link.losses();
  }

  /**
   * Returns the fpp measured since this process uses the filter; empty without a filter, or before
   * an absent key was queried. It rises as keys are removed: then call {@link #rebuild}.
   */
  @Override
  public OptionalDouble measuredFpp() {
    GuardFilter<K> filter = link.complete();
    return filter == null ? OptionalDouble.empty() : filter.since(gets()).measuredFpp();
  }

  /** Returns whether the filter saves this process more time than it costs. */
  public GuardVerdict verdict() {
    GuardFilter<K> filter = link.complete();
    GetStats current = filter == null ? GetStats.NONE : filter.since(gets());
    return GuardVerdict.of(current, meter.times());
  }

  /**
   * Settings of a guard; all have defaults. The filter's own are those of its {@link SharedFilter}.
   */
  public static final class Builder<K> {

    private final SharedFilter<K> shared;
    private String name = "store";
    private LongSupplier nanoClock = System::nanoTime;
    private Consumer<? super GuardNotice> listener = notice -> {};
    private Duration retryAfter = DEFAULT_RETRY_AFTER;

    private Builder(SharedFilter<K> shared) {
      this.shared = shared;
    }

    /** Sets the name in logs and metrics, "store" by default. */
    public Builder<K> name(String name) {
      this.name = requireNonNull(name, "name");
      return this;
    }

    /** Sets the clock that times filter and store, {@link System#nanoTime} by default. */
    public Builder<K> nanoClock(LongSupplier nanoClock) {
      this.nanoClock = requireNonNull(nanoClock, "nanoClock");
      return this;
    }

    /**
     * Sets how long gets leave a filter alone that is lost, unreachable or incomplete; more than
     * zero and at most a day, {@link #DEFAULT_RETRY_AFTER} by default. The get that tries again
     * waits for the answer.
     */
    public Builder<K> retryAfter(Duration pause) {
      if (pause.isNegative() || pause.isZero() || pause.compareTo(LONGEST_PAUSE) > 0) {
        throw new IllegalArgumentException(
            "retryAfter must be more than zero and at most a day, got " + pause);
      }
      this.retryAfter = pause;
      return this;
    }

    /** Sets a listener for everything that is logged, as {@link GuardBuilder#listener} does. */
    public Builder<K> listener(Consumer<? super GuardNotice> listener) {
      this.listener = requireNonNull(listener, "listener");
      return this;
    }

    /** Builds a guard before a store, and tries to reach the filter. */
    public <V> SharedStoreGuard<K, V> build(Store<K, V> store) {
      return new SharedStoreGuard<>(this, requireNonNull(store, "store"));
    }
  }
}
