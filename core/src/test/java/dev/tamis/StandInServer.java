package dev.tamis;

import dev.tamis.hash.BoundHasher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What stands in tests for a server with a filter on it, which may be lost or out of reach.
 *
 * @param <T> the type of key
 */
public final class StandInServer<T> {

  /** Thrown for a filter that is no longer the one in force. */
  public static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Thrown where a test wants the server out of reach. */
  public static final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Supplier<? extends HashedMutableFilter<T>> maker;
  private @Nullable HashedMutableFilter<T> inForce;

  /** Questions and puts that arrived. */
  public final AtomicInteger calls = new AtomicInteger();

  /** Runs before each call takes effect. */
  public volatile Runnable before = StandInServer::nothing;

  /** Runs after each call has taken effect, before the caller learns of it. */
  public volatile Runnable after = StandInServer::nothing;

  /** Makes a server whose filters come from {@code maker}; they must be thread-safe. */
  public StandInServer(Supplier<? extends HashedMutableFilter<T>> maker) {
    this.maker = maker;
  }

  /** Returns a handle of the filter in force, which is created if missing. */
  public synchronized HashedMutableFilter<T> open() {
    before.run();
    if (inForce == null) {
      inForce = maker.get();
    }
    return new Handle(inForce);
  }

  /** Replaces the filter in force by a new one. */
  public synchronized HashedMutableFilter<T> replace() {
    before.run();
    inForce = maker.get();
    return new Handle(inForce);
  }

  /** Loses everything. */
  public synchronized void flush() {
    inForce = null;
  }

  /** Lets no call through. */
  public void cutOff() {
    before = StandInServer::fail;
  }

  /** Lets calls through, but not their answers. */
  public void cutOffAnswers() {
    after = StandInServer::fail;
  }

  /** Ends both. */
  public void connect() {
    before = StandInServer::nothing;
    after = StandInServer::nothing;
  }

  private static void nothing() {}

  private static void fail() {
    throw new Unreachable();
  }

  private synchronized <R> R call(HashedMutableFilter<T> filter, Supplier<R> action) {
    before.run();
    calls.incrementAndGet();
    if (filter != inForce) {
      throw new Lost();
    }
    R result = action.get();
    after.run();
    return result;
  }

  private final class Handle implements HashedMutableFilter<T>, DropAware {

    private final HashedMutableFilter<T> filter;

    private Handle(HashedMutableFilter<T> filter) {
      this.filter = filter;
    }

    private void run(Runnable action) {
      boolean unused =
          call(
              filter,
              () -> {
                action.run();
                return true;
              });
    }

    @Override
    public boolean putHash(long hash) {
      return call(filter, () -> filter.putHash(hash));
    }

    @Override
    public void putHashes(long[] hashes, int count, boolean[] isNew) {
      run(() -> filter.putHashes(hashes, count, isNew));
    }

    @Override
    public boolean mightContainHash(long hash) {
      return call(filter, () -> filter.mightContainHash(hash));
    }

    @Override
    public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
      run(() -> filter.mightContainHashes(hashes, count, answers));
    }

    @Override
    public long acceptedKeys() {
      return filter.acceptedKeys();
    }

    @Override
    public double expectedWrongDrops() {
      return ((DropAware) filter).expectedWrongDrops();
    }

    @Override
    public BoundHasher<T> hasher() {
      return filter.hasher();
    }

    @Override
    public double expectedFpp() {
      return call(filter, filter::expectedFpp);
    }

    @Override
    public Estimate approximateElementCount(Confidence confidence) {
      return call(filter, () -> filter.approximateElementCount(confidence));
    }

    @Override
    public long bitSize() {
      return filter.bitSize();
    }

    @Override
    public Traits traits() {
      return filter.traits();
    }
  }
}
