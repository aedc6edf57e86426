package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A filter in memory before the reading side of a store, so that most absent keys are never read.
 *
 * <p>For stores that are read-only or written by other code; where all writes can go through the
 * guard, use a {@link StoreGuard}. Each write must be announced to the guard until it is committed:
 *
 * <pre>{@code
 * try (PutInProgress put = guard.putting(user.id())) {
 *   repository.save(user); // returns when committed
 * }
 * }</pre>
 *
 * <p>{@link #get} reads the store unless the state is {@link GuardState#READY} and the filter says
 * that the key is certainly absent. A filter comes from {@link #rebuild}, or from the file that
 * {@link #save} wrote. No error of the filter, its file or a rebuild ever makes a {@code get} fail
 * or return a wrong "absent".
 *
 * <p>Thread-safe.
 */
public sealed class ReadGuard<K, V> implements StoreReader<K, V>, Guard, AutoCloseable
    permits StoreGuard {

  private final String name;
  private final StoreReader<K, V> reader;
  private final GuardCore<K> core;

  ReadGuard(GuardBuilder<K> settings, StoreReader<K, V> reader, Runnable storeSync) {
    this.name = settings.name();
    this.reader = requireNonNull(reader, "reader");
    this.core = new GuardCore<>(settings, storeSync);
  }

  /**
   * Returns the value of {@code key}, or null if the store has none. Exceptions of the store
   * propagate.
   *
   * @throws NullPointerException if {@code key} is null
   */
  @Override
  public @Nullable V get(K key) {
    requireNonNull(key, "key");
    GuardFilter<K> filter = core.version().answering();
    return filter == null || core.mightContain(filter, key)
        ? core.meter().read(reader, key, filter != null)
        : null;
  }

  /**
   * Returns the values of those of {@code keys} that have one, with one read of the store for all
   * that are not certainly absent.
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
   * Announces a put of {@code key} into the store; from now on the guard reads the store for it.
   * Close the result when the put is committed or abandoned: a rebuild that starts meanwhile waits
   * for that before it reads the keys.
   *
   * @throws NullPointerException if {@code key} is null
   * @throws java.io.UncheckedIOException if the saved filter, out of date with this put, cannot be
   *     removed; do not make the put then
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

  @Override
  public GuardState state() {
    return core.version().state();
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Fills a new filter with the keys of {@code source} in the calling thread, and swaps it in when
   * it has all of them. Meanwhile gets use the filter and state from before, and puts go into both
   * filters.
   *
   * <p>Waits for puts in progress before it opens the source, so it must not be called from within
   * one. Fails once the calling thread is interrupted.
   *
   * @throws IllegalStateException if another rebuild is running, which continues
   * @throws RebuildFailedException if the keys cannot be read, there is no memory for a second
   *     filter, or the thread was interrupted. The filter and state from before stay in use, but a
   *     file that was saved earlier is gone
   */
  public RebuildSummary rebuild(KeySource<? extends K> source) {
    return core.rebuild(requireNonNull(source, "source"));
  }

  /** Switches the guard off: every get reads the store. Writes still go into the filter. */
  public void disable() {
    core.setDisabled(true);
  }

  /** Switches the guard on again, to the state it would be in if it had not been off. */
  public void enable() {
    core.setDisabled(false);
  }

  /**
   * Saves the filter to the guard's file, so that the next start needs no rebuild. The first write
   * after that removes the file again, so save at the end of a program, or for stores that rarely
   * change. A filter without writes since it was loaded or saved is not written again.
   *
   * <p>Waits for writes in progress, but does not block new ones.
   *
   * @return true if the file has every key of the store; false if there is no filter to save (the
   *     state is {@link GuardState#REBUILDING} or {@link GuardState#STALE}, or a rebuild is
   *     running) or something was written meanwhile
   * @throws IOException if the file cannot be written; there is no file then
   * @throws IllegalStateException if the guard was built without a file
   */
  public boolean save() throws IOException {
    return core.save();
  }

  /**
   * Saves the filter like {@link #save} if the guard has a file. The guard can still be used.
   *
   * @throws IOException if the file cannot be written; there is no file then
   */
  @Override
  public void close() throws IOException {
    if (core.hasFile()) {
      boolean unused = core.save(); // a false has been logged
    }
  }

  @Override
  public GetStats gets() {
    return core.meter().gets();
  }

  @Override
  public OptionalDouble measuredFpp() {
    GuardFilter<K> active = core.version().active();
    return active == null ? OptionalDouble.empty() : active.since(gets()).measuredFpp();
  }

  /** Returns all counters and the verdict. Costs one pass over the filter's bits. */
  public GuardStats stats() {
    return core.stats();
  }

  final GuardCore<K> core() {
    return core;
  }

  /** A put in progress; closed once it is committed or abandoned. */
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
