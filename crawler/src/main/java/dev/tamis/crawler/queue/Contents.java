package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * What a queue holds: URLs that wait, URLs that are leased, keys that were seen, and counts. Every
 * change that must last goes through {@link #apply}, whether it happens or is replayed.
 */
final class Contents {

  private final Waiting waiting;
  private final MVMap<Long, Entry> leased;

  /** What was claimed and not settled, by its key: one at most. */
  private final MVMap<String, Entry> claimed;

  private final Seen seen;
  private final Counts counts = new Counts();
  private final LongSupplier nanoClock;
  private long startNanos;

  Contents(MVStore store, Parameters parameters, Seen seen, LongSupplier nanoClock) {
    this.seen = seen;
    this.nanoClock = nanoClock;
    startNanos = nanoClock.getAsLong();
    waiting =
        parameters.byHost()
            ? new HostTurns(store, parameters.perHostDelayNanos(), counts)
            : new Fifo(store);
    leased =
        store.openMap(
            "leased",
            new MVMap.Builder<Long, Entry>()
                .keyType(StoredType.NUMBER)
                .valueType(StoredType.ENTRY));
    claimed =
        store.openMap(
            "claimed",
            new MVMap.Builder<String, Entry>()
                .keyType(StoredType.TEXT)
                .valueType(StoredType.ENTRY));
  }

  Waiting waiting() {
    return waiting;
  }

  Seen seen() {
    return seen;
  }

  Counts counts() {
    return counts;
  }

  /** Returns the URL that was claimed and not settled. */
  Optional<Claim> claim() {
    return Optional.ofNullable(claimed.firstKey())
        .map(
            key -> {
              Entry entry = requireNonNull(claimed.get(key));
              return new Claim(entry.host(), entry.url(), key);
            });
  }

  /** Returns how many keys were seen. */
  long seenKeys() {
    return seen.keys(counts.seenKeys);
  }

  boolean isLeased(Entry entry) {
    return leased.containsKey(entry.sequence());
  }

  /** Returns the time of the queue, which stands still while the queue is closed. */
  long now() {
    return nanoClock.getAsLong() - startNanos;
  }

  /** Sets the time of the queue. */
  void setTime(long nowNanos) {
    startNanos = nanoClock.getAsLong() - nowNanos;
  }

  /**
   * Checks that what is here is what the counts say, as the store would not notice the loss of a
   * part.
   *
   * @throws MVStoreException if not
   */
  void check() {
    long here = waiting.size() + leased.sizeAsLong();
    if (here != counts.accepted - counts.delivered || !seen.has(counts.seenKeys)) {
      throw DataUtils.newMVStoreException(
          DataUtils.ERROR_FILE_CORRUPT,
          "{0} entries are here, but {1} were accepted and {2} delivered",
          here,
          counts.accepted,
          counts.delivered);
    }
  }

  /** Makes a change. */
  void apply(Change change) {
    long nowNanos = now();
    if (change instanceof Change.Accepted accepted) {
      see(accepted.key());
      accept(accepted.entry(), nowNanos);
    } else if (change instanceof Change.Marked marked) {
      see(marked.key());
    } else if (change instanceof Change.Delivered delivered) {
      takeOut(delivered.host(), delivered.sequence(), nowNanos);
      counts.delivered++;
    } else if (change instanceof Change.Returned returned) {
      Entry entry = takeOut(returned.host(), returned.sequence(), nowNanos);
      waiting.add(entry.again(returned.newSequence()), false, nowNanos);
      counts.lastSequence = returned.newSequence();
    } else if (change instanceof Change.Claimed newly) {
      claim(newly.claim());
    } else if (change instanceof Change.Settled settled) {
      settle(settled.outcome(), nowNanos);
    }
  }

  private void claim(Claim claim) {
    if (!claimed.isEmpty()) {
      throw new IllegalStateException(claimed.firstKey() + " is claimed and not settled");
    }
    claimed.put(claim.key(), new Entry(0, claim.host(), claim.url(), 0));
  }

  private void settle(Change.Outcome outcome, long nowNanos) {
    Claim claim = claim().orElseThrow(() -> new IllegalStateException("nothing is claimed"));
    claimed.remove(claim.key());
    if (outcome != Change.Outcome.DUPLICATE) {
      accept(new Entry(counts.lastSequence + 1, claim.host(), claim.url(), 0), nowNanos);
    }
    if (outcome == Change.Outcome.DOUBTFUL) {
      counts.doubtful++;
    }
  }

  private void accept(Entry entry, long nowNanos) {
    waiting.add(entry, true, nowNanos);
    counts.accepted++;
    counts.lastSequence = entry.sequence();
  }

  private void see(String key) {
    long hash = seen.hashOf(key);
    if (seen.ask(key, hash) != Seen.Answer.SEEN) {
      seen.add(key, hash);
      counts.seenKeys++;
    }
  }

  /** Takes an entry out of those that are leased or wait, and ends the visit. */
  private Entry takeOut(String host, long sequence, long nowNanos) {
    Entry entry =
        Optional.ofNullable(leased.remove(sequence))
            .or(() -> waiting.remove(host, sequence))
            .orElseThrow(() -> new IllegalStateException("entry " + sequence + " is not here"));
    waiting.end(host, nowNanos);
    return entry;
  }

  /** Moves an entry from those that wait to those that are leased. */
  void lease(Entry entry) {
    waiting.remove(entry.host(), entry.sequence());
    waiting.begin(entry.host());
    leased.put(entry.sequence(), entry);
  }

  /**
   * Puts what is leased back in its place, as nobody is left who could end the visits.
   *
   * @param crashed whether there may have been visits that nothing is known of
   */
  void takeLeasesBack(boolean crashed) {
    long nowNanos = now();
    if (crashed) {
      waiting.pauseAll(nowNanos);
    }
    while (!leased.isEmpty()) {
      Entry entry = requireNonNull(leased.remove(leased.firstKey()));
      waiting.add(entry, false, nowNanos);
      waiting.end(entry.host(), nowNanos);
    }
  }

  /** Returns the account. */
  QueueStats stats(long expectedKeys) {
    return new QueueStats(
        counts.accepted + counts.duplicates + counts.rejected + counts.full,
        counts.accepted,
        counts.duplicates,
        counts.rejected,
        counts.full,
        counts.delivered,
        leased.sizeAsLong(),
        waiting.size(),
        waiting.hosts(),
        seenKeys(),
        (double) seenKeys() / expectedKeys,
        seen.expectedFpp(),
        seen.expectedWrongDrops(),
        counts.rescued,
        counts.doubtful);
  }
}
