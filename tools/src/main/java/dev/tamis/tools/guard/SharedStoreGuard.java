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
 * <p>Choose it where several processes write. Where one does, choose a {@link StoreGuard}, which
 * asks its own memory and no server. <b>All writes must go through such a guard</b>, in whichever
 * process.
 *
 * <p>A get that begins after a put has returned, in whatever process, never gets "absent". No error
 * of the filter makes a get fail or give a wrong "absent": where the filter is lost or cannot be
 * reached, all gets go to the store, and from time to time one of them tries to reach it. A put is
 * different: others would deny its key, so it fails while the key cannot be put into the filter.
 *
 * <p>A filter that was lost, or is new, is incomplete until {@link #rebuild} was called in one of
 * the processes; the others find out by themselves. A removed key stays in the filter until a
 * rebuild.
 *
 * <p>Any number of threads may use it at once, in every way.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
public final class SharedStoreGuard<K, V> implements Store<K, V>, Guard {

  /*
   * Put: the key goes into the filter, into the store, and into the filter once more. The first is
   * for those who ask the filter that is in force. The second shows that the filter in force has the
   * key after the store has it.
   *
   * Rebuild: an empty filter is put in force, then the source of keys is opened, all its keys are put
   * in, and the mark of completeness. So a complete filter F has the key of every put that has
   * returned: if the put's last step came after F was put in force, it was a put into F, or F is no
   * longer in force and throws; if it came before, the store had the key before the source was
   * opened. GracePeriod of other processes need not be waited for, nor known.
   */

  /** How long gets leave a filter alone that could not be used, unless told otherwise. */
  public static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  /** Keys of a rebuild that go to the filter at once. */
  private static final int BATCH = 1_000;

  private final Store<K, V> store;
  private final String name;
  private final GuardMeter meter;
  private final Notices notices;
  private final SharedLink<K> link;
  private final AtomicBoolean rebuilding = new AtomicBoolean();

  private SharedStoreGuard(Builder<K> settings, Store<K, V> store) {
    this.store = store;
    this.name = settings.name;
    this.meter = new GuardMeter(settings.nanoClock);
    this.notices = new Notices(settings.name, settings.listener);
    this.link = new SharedLink<>(settings.shared, meter, notices, settings.retryAfter.toNanos());
  }

  /** Starts a guard by a filter that others share. */
  public static <K> Builder<K> builder(SharedFilter<K> shared) {
    return new Builder<>(requireNonNull(shared, "shared"));
  }

  /**
   * Returns the value of {@code key}, or null if the store has none. What the store throws comes
   * out as it is. Costs one query of the filter's server.
   *
   * @throws NullPointerException if {@code key} is null
   */
  @Override
  public @Nullable V get(K key) {
    requireNonNull(key, "key");
    GuardFilter<K> filter = link.answering();
    if (filter == null) {
      return meter.read(store, key, false);
    }
    long hash = filter.filter().hashOf(key); // outside: what a hasher throws is the caller's
    boolean[] answer = new boolean[1];
    if (!ask(filter, new long[] {hash}, answer)) {
      return meter.read(store, key, false);
    }
    if (!answer[0]) {
      meter.skip();
      return null;
    }
    return meter.read(store, key, true);
  }

  /**
   * Returns the values of those of {@code keys} that have one. Asks the filter once, then the store
   * once for those that are not certainly absent.
   *
   * @throws NullPointerException if a key is null
   */
  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    List<K> all = new ArrayList<>(keys.size());
    keys.forEach(key -> all.add(requireNonNull(key, "key")));
    GuardFilter<K> filter = link.answering();
    if (filter != null && !all.isEmpty()) {
      long[] hashes = all.stream().mapToLong(filter.filter()::hashOf).toArray();
      boolean[] answers = new boolean[hashes.length];
      if (ask(filter, hashes, answers)) {
        List<K> wanted = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
          if (answers[i]) {
            wanted.add(all.get(i));
          } else {
            meter.skip();
          }
        }
        return wanted.isEmpty() ? Map.of() : meter.readAll(store, wanted, true);
      }
    }
    return all.isEmpty() ? Map.of() : meter.readAll(store, all, false);
  }

  /** Asks a filter; returns false if it does not answer. */
  private boolean ask(GuardFilter<K> filter, long[] hashes, boolean[] answers) {
    try {
      meter.askAll(filter.filter(), hashes, answers);
      return true;
    } catch (RuntimeException e) {
      link.lose(filter, e);
      return false;
    }
  }

  /**
   * Puts a value into the store, after its key into the filter. What the store throws comes out as
   * it is. Costs two puts into the filter.
   *
   * @throws SharedFilterException if the key cannot be put into the filter, so that others might
   *     deny it; the message says whether the store has the value. To be put again later
   */
  @Override
  public boolean put(K key, V value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    tell(key, "nothing was written");
    boolean isNew = store.put(key, value);
    tell(key, "the store has its value, but others may deny it until it is put again");
    return isNew;
  }

  /** Puts a key into the filter in force, which may be another one than was known so far. */
  private void tell(K key, String otherwise) {
    for (boolean again = false; ; again = true) {
      GuardFilter<K> filter = forPut(otherwise);
      long hash = filter.filter().hashOf(key); // outside: what a hasher throws is the caller's
      try {
        boolean unused = filter.filter().putHash(hash);
        return;
      } catch (RuntimeException e) {
        link.lose(filter, e);
        if (again) {
          throw untold(otherwise, e);
        }
      }
    }
  }

  private GuardFilter<K> forPut(String otherwise) {
    try {
      return link.forPut();
    } catch (RuntimeException e) {
      throw untold(otherwise, e);
    }
  }

  private SharedFilterException untold(String otherwise, RuntimeException cause) {
    return new SharedFilterException(
        "store guard \"" + name + "\" cannot tell its shared filter of a key: " + otherwise, cause);
  }

  /**
   * Removes a key from the store; it stays in the filter. What the store throws comes out as it is.
   */
  @Override
  public boolean remove(K key) {
    return store.remove(requireNonNull(key, "key"));
  }

  @Override
  public void sync() {
    store.sync();
  }

  /** Returns {@link GuardState#READY}, {@link GuardState#REBUILDING} or the state of being off. */
  @Override
  public GuardState state() {
    return link.state();
  }

  /** Returns the name it has in logs and metrics. */
  @Override
  public String name() {
    return name;
  }

  /**
   * Puts an empty filter in the place of the shared one, for all processes, and fills it with the
   * keys of {@code source} in the calling thread. Until that is done all gets of all processes go
   * to the store. Puts go on everywhere.
   *
   * <p>To be called in one process: a second rebuild puts an end to the first.
   *
   * @return the summary of it
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
      Completeness.mark(made.filter());
      link.become(made, GuardNotice.Kind.REBUILT, "has taken over");
      return new RebuildSummary(
          keys.sum(), meter.nanos() - start, made.filter().bitSize() / Byte.SIZE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted after " + keys + " keys", e);
    } catch (Exception e) {
      throw failed("after " + keys + " keys: " + e, e);
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

  private RebuildFailedException failed(String reason, Exception cause) {
    notices.send(
        GuardNotice.Kind.REBUILD_FAILED,
        state(),
        "a rebuild of the shared filter failed " + reason + ". The store is asked for everything",
        cause);
    return new RebuildFailedException("the rebuild failed " + reason, cause);
  }

  /** Switches this guard off: its gets ask the store. Its puts still go into the filter. */
  public void disable() {
    link.setDisabled(true);
  }

  /** Switches this guard on again. */
  public void enable() {
    link.setDisabled(false);
  }

  /** Returns the counters of the gets of this process. */
  @Override
  public GetStats gets() {
    return meter.gets();
  }

  /** Returns how often a complete filter was lost, or could not be reached, by this process. */
  public long losses() {
    return link.losses();
  }

  /**
   * Returns the measured fpp since this process uses the filter; empty without a filter, or before
   * an absent key was queried. It rises as keys are removed: then a rebuild is due.
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
   * Settings of a guard; all have defaults. What a filter has to be is settled where it is made.
   *
   * @param <K> the type of key
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

    /** Sets the name in logs and metrics, "store" without. */
    public Builder<K> name(String name) {
      this.name = requireNonNull(name, "name");
      return this;
    }

    /** Sets the clock that times filter and store, {@link System#nanoTime} without. */
    public Builder<K> nanoClock(LongSupplier nanoClock) {
      this.nanoClock = requireNonNull(nanoClock, "nanoClock");
      return this;
    }

    /**
     * Sets how long gets leave a filter alone that was lost, could not be reached or was not
     * complete; more than zero, {@link #DEFAULT_RETRY_AFTER} without. The get that tries again
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
