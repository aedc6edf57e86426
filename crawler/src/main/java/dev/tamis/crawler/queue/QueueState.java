package dev.tamis.crawler.queue;

import dev.tamis.DropAware;
import dev.tamis.crawler.queue.SeenKeys.Lookup;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVStoreException;

/**
 * The state of a queue: URLs pending and leased, the open claims, keys seen, and counts.
 *
 * <p>Every change that must survive a crash goes through {@link #apply}, live and in replay alike.
 */
final class QueueState {

  private final Schedule schedule;
  private final StoredMap<Long, QueuedUrl> leased;

  private final StoredMap<String, QueuedUrl> claimed;

  private final SeenKeys seen;
  private final Counts counts = new Counts();
  private final LongSupplier nanoClock;
  private long startNanos;

  QueueState(QueueStore store, Parameters parameters, SeenKeys seen, LongSupplier nanoClock) {
    this.seen = seen;
    this.nanoClock = nanoClock;
    startNanos = nanoClock.getAsLong();
    schedule =
        parameters.byHost()
            ? new HostSchedule(store, parameters.perHostDelayNanos(), counts)
            : new Schedule.Fifo(store);
    leased = store.map("leased", StoredType.NUMBER, StoredType.QUEUED_URL);
    claimed = store.map("claimed", StoredType.TEXT, StoredType.QUEUED_URL);
  }

  Schedule schedule() {
    return schedule;
  }

  SeenKeys seen() {
    return seen;
  }

  Counts counts() {
    return counts;
  }

  List<String> claims() {
    return List.copyOf(claimed.keys());
  }

  long seenKeys() {
    return seen.keys(counts.seenKeys);
  }

  boolean isLeased(QueuedUrl url) {
    return leased.containsKey(url.sequence());
  }

  /** Returns the time of the queue, which stands still while the queue is closed. */
  long now() {
    return nanoClock.getAsLong() - startNanos;
  }

  void setTime(long nowNanos) {
    startNanos = nanoClock.getAsLong() - nowNanos;
  }

  /**
   * Compares the maps with the counts, as the store would not notice the loss of a page.
   *
   * @throws MVStoreException if they differ
   */
  void check() {
    long here = schedule.size() + leased.size();
    if (here != counts.accepted - counts.delivered || !seen.hasKeys(counts.seenKeys)) {
      throw QueueStore.damage(
          String.format(
              Locale.ROOT,
              "found %d URLs, but %d were accepted and %d delivered",
              here,
              counts.accepted,
              counts.delivered));
    }
  }

  /** Applies a change that has been logged. */
  void apply(Change change) {
    long nowNanos = now();
    if (change instanceof Change.Accepted accepted) {
      see(accepted.key(), accepted.lookup());
      accept(accepted.url(), nowNanos);
    } else if (change instanceof Change.Marked marked) {
      see(marked.key(), marked.lookup());
    } else if (change instanceof Change.Delivered delivered) {
      endVisit(delivered.host(), delivered.sequence(), nowNanos);
      counts.delivered++;
    } else if (change instanceof Change.Returned returned) {
      QueuedUrl url = endVisit(returned.host(), returned.sequence(), nowNanos);
      schedule.add(url.again(returned.newSequence()), false, nowNanos);
      counts.lastSequence = returned.newSequence();
    } else if (change instanceof Change.Claimed claim) {
      claim(claim);
    } else if (change instanceof Change.Settled settled) {
      settle(settled, nowNanos);
    }
  }

  private void claim(Change.Claimed claim) {
    if (claimed.containsKey(claim.key())) {
      throw new IllegalStateException("the claim of " + claim.key() + " is still open");
    }
    claimed.put(claim.key(), new QueuedUrl(0, claim.host(), claim.url(), 0));
  }

  private void settle(Change.Settled settled, long nowNanos) {
    QueuedUrl claim =
        claimed
            .remove(settled.key())
            .orElseThrow(() -> new IllegalStateException("no open claim of " + settled.key()));
    if (settled.outcome() != Change.Outcome.DUPLICATE) {
      accept(new QueuedUrl(counts.lastSequence + 1, claim.host(), claim.url(), 0), nowNanos);
    }
    if (settled.outcome() == Change.Outcome.DOUBTFUL) {
      counts.doubtful++;
    }
  }

  private void accept(QueuedUrl url, long nowNanos) {
    schedule.add(url, true, nowNanos);
    counts.accepted++;
    counts.lastSequence = url.sequence();
  }

  /** Adds a key to those seen; looks it up first in replay, where the lookup was not logged. */
  private void see(String key, Optional<Lookup> logged) {
    Lookup lookup = logged.orElseGet(() -> seen.lookUp(key, seen.hashOf(key)));
    if (seen.add(key, lookup)) {
      counts.seenKeys++;
    }
  }

  /** Removes a URL, leased or pending, and ends the visit of its host. */
  private QueuedUrl endVisit(String host, long sequence, long nowNanos) {
    QueuedUrl url =
        leased
            .remove(sequence)
            .or(() -> schedule.remove(host, sequence))
            .orElseThrow(() -> new IllegalStateException("URL " + sequence + " is not queued"));
    schedule.end(host, nowNanos);
    return url;
  }

  /** Moves a URL from pending to leased. */
  void lease(QueuedUrl url) {
    schedule.remove(url.host(), url.sequence());
    schedule.begin(url.host());
    leased.put(url.sequence(), url);
  }

  /**
   * Returns all leased URLs to their positions, as the process that held the leases is gone; after
   * a crash there may also have been visits that left no trace.
   */
  void returnLeases(boolean crashed) {
    long nowNanos = now();
    if (crashed) {
      schedule.pauseAll(nowNanos);
    }
    for (Optional<Long> next = leased.firstKey(); next.isPresent(); next = leased.firstKey()) {
      QueuedUrl url =
          leased
              .remove(next.get())
              .orElseThrow(() -> QueueStore.damage("a leased URL is not where it is listed"));
      schedule.add(url, false, nowNanos);
      schedule.end(url.host(), nowNanos);
    }
  }

  QueueStats stats(long expectedKeys) {
    double fpp = seen.expectedFpp();
    OptionalDouble drops = seen.expectedWrongDrops();
    return new QueueStats(
        counts.accepted + counts.duplicates + counts.rejected + counts.full,
        counts.accepted,
        counts.duplicates,
        counts.rejected,
        counts.full,
        counts.delivered,
        leased.size(),
        schedule.size(),
        schedule.hosts(),
        seenKeys(),
        (double) seenKeys() / expectedKeys,
        fpp,
        seen.isOverfull(fpp),
        // too full for the keys it took to tell: all duplicates may be wrong
        drops.isPresent() && fpp > DropAware.UNKNOWN_FROM_FPP
            ? OptionalDouble.of((double) counts.duplicates)
            : drops,
        counts.rescued,
        counts.doubtful,
        counts.tornBytes);
  }

  /** Counters that cannot be recomputed from the maps of a queue. */
  static final class Counts {
    long accepted;
    long duplicates;
    long rejected;
    long full;
    long delivered;
    long seenKeys;
    long rescued;
    long doubtful;
    long tornBytes;
    long lastSequence;
    long lastOrder;

    /** Counts a push that was not accepted. */
    void count(PushResult.Status status) {
      switch (status) {
        case DUPLICATE -> duplicates++;
        case REJECTED -> rejected++;
        case FULL -> full++;
        case ACCEPTED -> throw new IllegalArgumentException("counted when it is applied");
      }
    }

    void save(StoredMap<String, Long> marks) {
      each(
          (name, count) -> {
            marks.put(name, count);
            return count;
          });
    }

    /**
     * Loads what {@link #save} stored; what is missing is zero.
     *
     * @throws org.h2.mvstore.MVStoreException if one is negative
     */
    void load(StoredMap<String, Long> marks) {
      each((name, count) -> count(marks, name));
    }

    /** Replaces each counter by what a function of its name and value returns. */
    private void each(BiFunction<String, Long, Long> next) {
      accepted = next.apply("accepted", accepted);
      duplicates = next.apply("duplicates", duplicates);
      rejected = next.apply("rejected", rejected);
      full = next.apply("full", full);
      delivered = next.apply("delivered", delivered);
      seenKeys = next.apply("seenKeys", seenKeys);
      rescued = next.apply("rescued", rescued);
      doubtful = next.apply("doubtful", doubtful);
      tornBytes = next.apply("tornBytes", tornBytes);
      lastSequence = next.apply("lastSequence", lastSequence);
      lastOrder = next.apply("lastOrder", lastOrder);
    }

    private static long count(StoredMap<String, Long> marks, String name) {
      long count = marks.get(name).orElse(0L);
      if (count < 0) {
        throw QueueStore.damage(name + " is " + count);
      }
      return count;
    }
  }

  /**
   * The state of a queue behind its write-ahead log: what is committed here survives a crash.
   *
   * @param state what the changes are applied to
   * @param persistence where they are logged first
   */
  record LoggedState(QueueState state, Persistence persistence) {

    /**
     * Appends a change to the log, then applies it.
     *
     * @throws IOException if it could not be logged; nothing has changed then
     * @throws BrokenException if it was logged and could not be applied
     */
    void commit(Change change) throws IOException {
      persistence.append(change);
      try {
        state.apply(change);
      } catch (RuntimeException | Error e) {
        throw new BrokenException(e);
      }
    }

    /** Thrown when memory and disk differ. */
    static final class BrokenException extends RuntimeException {
      private static final long serialVersionUID = 1;

      private BrokenException(Throwable cause) {
        super("the queue is broken: close it and open it again", cause);
      }
    }
  }
}
