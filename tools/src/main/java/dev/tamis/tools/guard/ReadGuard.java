package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A filter in memory before the reading side of a store, so that most absent keys are never read.
 *
 * <p>Choose it where somebody else writes to the store; where the guard can stand before the writes
 * too, choose a {@link StoreGuard}. It works for a store that never changes as it is. For one that
 * does, whoever writes must announce it to the guard first, and until the write is committed:
 *
 * <pre>{@code
 * try (PutInProgress put = guard.putting(user.id())) {
 *   repository.save(user); // returns when committed
 * }
 * }</pre>
 *
 * <p>{@link #get} asks the store unless the state is {@link GuardState#READY} and the filter says
 * that the key is certainly absent. A filter comes from {@link #rebuild}, or from the file that
 * {@link #save} wrote. No error of the filter, its file or a rebuild ever makes a {@code get} fail
 * or give a wrong "absent".
 *
 * <p>Any number of threads may use it at once, in every way.
 *
 * @param <K> the type of key
 * @param <V> the type of value
 */
public sealed class ReadGuard<K, V> implements StoreReader<K, V>, Guard, AutoCloseable
    permits StoreGuard {

  private final String name;
  private final StoreReader<K, V> reader;
  private final GuardCore<K> core;
  private final AtomicReference<@Nullable Rebuild<K>> running = new AtomicReference<>();

  ReadGuard(GuardBuilder<K> settings, StoreReader<K, V> reader, Runnable storeSync) {
    this.name = settings.name();
    this.reader = requireNonNull(reader, "reader");
    this.core = new GuardCore<>(settings, storeSync);
  }

  /**
   * Returns the value of {@code key}, or null if the store has none. What the store throws comes
   * out as it is.
   *
   * @throws NullPointerException if {@code key} is null
   */
  @Override
  public @Nullable V get(K key) {
    requireNonNull(key, "key");
    GuardFilter<K> filter = core.version().answering();
    if (filter == null) {
      return core.meter().read(reader, key, false);
    }
    if (!core.mightContain(filter, key)) {
      return null;
    }
    return core.meter().read(reader, key, true);
  }

  /**
   * Returns the values of those of {@code keys} that have one; asks the store once, for those of
   * them that are not certainly absent.
   *
   * @throws NullPointerException if a key is null
   */
  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    GuardFilter<K> filter = core.version().answering();
    List<K> wanted = new ArrayList<>();
    for (K key : keys) {
      requireNonNull(key, "key");
      if (filter == null || core.mightContain(filter, key)) {
        wanted.add(key);
      }
    }
    return wanted.isEmpty() ? Map.of() : core.meter().readAll(reader, wanted, filter != null);
  }

  /**
   * Says that somebody is about to put {@code key} into the store; from now on the guard asks the
   * store for it. To be closed when the put is committed, or was given up: a rebuild that starts
   * meanwhile waits for that before it reads the keys.
   *
   * @throws NullPointerException if {@code key} is null
   * @throws java.io.UncheckedIOException if the saved filter, out of date with this put, cannot be
   *     taken away; the put must not be made then
   */
  public PutInProgress putting(K key) {
    requireNonNull(key, "key");
    GuardVersion<K> version = core.beginWrite();
    PutInProgress put = new PutInProgress(() -> core.endWrite(version));
    boolean done = false;
    try {
      GuardCore.NewTo unused = core.putInto(version, key);
      done = true;
      return put;
    } finally {
      if (!done) {
        put.close();
      }
    }
  }

  /** Returns whether the guard answers from its filter. */
  @Override
  public GuardState state() {
    return core.version().state();
  }

  /** Returns the name it has in logs and metrics. */
  @Override
  public String name() {
    return name;
  }

  /**
   * Fills a new filter with the keys of {@code source} in the calling thread, and swaps it in when
   * it has all of them. Meanwhile everything goes on: gets go by the filter and state from before,
   * puts go into both filters.
   *
   * <p>Waits for puts that are under way before it opens the source, so it must not be called from
   * within one. Once the calling thread is interrupted, the rebuild fails.
   *
   * @return the summary of it
   * @throws IllegalStateException if another rebuild is running, which goes on
   * @throws RebuildFailedException if the keys cannot be read, there is no memory for a second
   *     filter, or the thread was interrupted. The filter and state from before are in use then,
   *     but a file that was saved earlier is gone
   */
  public RebuildSummary rebuild(KeySource<? extends K> source) {
    requireNonNull(source, "source");
    Rebuild<K> mine = new Rebuild<>(core);
    Rebuild<K> other = running.compareAndExchange(null, mine);
    if (other != null) {
      throw new IllegalStateException(
          "a rebuild is running already and has read " + other.keys() + " keys: wait for it");
    }
    try {
      return mine.run(source);
    } finally {
      running.set(null);
    }
  }

  /** Switches the guard off: every get asks the store. Writes still go into the filter. */
  public void disable() {
    core.setDisabled(true);
  }

  /** Switches the guard on again, to the state it would be in if it had not been off. */
  public void enable() {
    core.setDisabled(false);
  }

  /**
   * Saves the filter to the guard's file, so that the next start needs no rebuild. The first write
   * after that removes the file again: it is for the end of a program, or for stores that change
   * rarely. A filter that was loaded or saved and has had no write since is not written again.
   *
   * <p>Waits for writes that are under way, but keeps none from beginning.
   *
   * @return true if the file has every key of the store; false if there is no filter to save (the
   *     state is {@link GuardState#REBUILDING} or {@link GuardState#STALE}, or a rebuild is
   *     running) or something was written meanwhile
   * @throws IOException if the file cannot be written; there is none then
   * @throws IllegalStateException if the guard was built without a file
   */
  public boolean save() throws IOException {
    return core.save();
  }

  /**
   * Does what {@link #save} does, if there is a file. The guard can still be used.
   *
   * @throws IOException if the file cannot be written; there is none then
   */
  @Override
  public void close() throws IOException {
    if (core.hasFile()) {
      boolean unused = core.save(); // a false has been logged
    }
  }

  /** Returns the counters of all gets; costs next to nothing. */
  @Override
  public GetStats gets() {
    return core.meter().gets();
  }

  /**
   * Returns the measured fpp of the filter in use, to be held against the one expected; empty
   * without a filter, or before an absent key was queried. Costs next to nothing.
   */
  @Override
  public OptionalDouble measuredFpp() {
    GuardFilter<K> active = core.version().active();
    return active == null ? OptionalDouble.empty() : active.since(gets()).measuredFpp();
  }

  /** Returns all counters and the verdict. Costs one pass over the filter's bits. */
  public GuardStats stats() {
    return core.stats(running.get());
  }

  final GuardCore<K> core() {
    return core;
  }

  /** A put that is on its way to the store; closed once the store has it, or never will. */
  public static final class PutInProgress implements AutoCloseable {

    private final Runnable end;
    private boolean ended;

    PutInProgress(Runnable end) {
      this.end = end;
    }

    /** Ends the put. Any thread may, once; further calls do nothing. */
    @Override
    public synchronized void close() {
      if (!ended) {
        ended = true;
        end.run();
      }
    }
  }
}
