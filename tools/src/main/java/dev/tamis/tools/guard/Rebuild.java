package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One rebuild of a guard's filter, from its first key to the swap.
 *
 * @param <K> the type of key
 */
final class Rebuild<K> {

  private final GuardCore<K> core;
  private final LongAdder keys = new LongAdder();
  private volatile @Nullable GuardFilter<K> next;

  Rebuild(GuardCore<K> core) {
    this.core = core;
  }

  /** Returns how many keys were read so far. */
  long keys() {
    return keys.sum();
  }

  /** Returns the memory of the filter being built. */
  long memoryBytes() {
    GuardFilter<K> making = next;
    return making == null ? 0 : making.filter().bitSize() / Byte.SIZE;
  }

  RebuildSummary run(KeySource<? extends K> source) {
    long start = core.meter().nanos();
    try {
      GuardFilter<K> filled = fill(source);
      long nanos = core.meter().nanos() - start;
      RebuildSummary summary = new RebuildSummary(keys(), nanos, memoryBytes());
      core.notices()
          .send(
              GuardNotice.Kind.REBUILT,
              core.version().state(),
              "its filter was rebuilt from " + summary.keys() + " keys and has taken over");
      core.checkStale(filled);
      core.checkOverFull(filled);
      return summary;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted after " + keys() + " keys", e);
    } catch (Exception e) {
      throw failed("after " + keys() + " keys: " + e, e);
    }
  }

  private RebuildFailedException failed(String reason, Exception cause) {
    core.notices()
        .send(
            GuardNotice.Kind.REBUILD_FAILED,
            core.version().state(),
            "a rebuild failed " + reason + ". The filter from before, if any, is in use",
            cause);
    return new RebuildFailedException("the rebuild failed " + reason, cause);
  }

  private GuardFilter<K> fill(KeySource<? extends K> source) throws Exception {
    GuardFilter<K> active = core.version().active();
    GuardFilter<K> made = core.plan().create(active == null ? 0 : active.mostKeys());
    next = made;
    try {
      core.startNext(made);
      Thread caller = Thread.currentThread();
      try (Stream<? extends K> stream = requireNonNull(source.open(), "the source's stream")) {
        stream.forEach(
            key -> {
              boolean unused = made.filter().put(requireNonNull(key, "a key of the source"));
              keys.increment();
              if (caller.isInterrupted()) {
                throw new Interrupted();
              }
            });
      } catch (Interrupted e) {
        throw new InterruptedException();
      }
      core.swapIn(made);
      return made;
    } finally {
      core.dropNext(made); // does nothing once it is active
    }
  }

  /** Takes an interrupt through a stream. */
  private static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
