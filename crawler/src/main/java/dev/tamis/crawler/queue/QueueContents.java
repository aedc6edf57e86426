package dev.tamis.crawler.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.crawler.queue.log.WriteAheadLog;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/** What the files of a queue's directory hold: reads and replays them, and writes nothing. */
final class QueueContents {

  private static final System.Logger LOG = System.getLogger(VisitQueue.class.getName());

  private static final String RECORDS = "records";
  private static final String SEGMENT = "segment";
  private static final String ROUND = "round";
  private static final String TIME = "nanos";
  private static final String OPEN = "open";

  private final StoredMap<String, Long> marks;
  private final StoredMap<Long, Double> drops;
  private final Parameters parameters;
  private final QueueState state;
  private final WriteAheadLog.Replayed log;
  private final long snapshotRecords;

  private QueueContents(Path directory, QueueStore store, Settings settings) throws IOException {
    parameters = settings.parameters();
    marks = store.map("marks", StoredType.TEXT, StoredType.NUMBER);
    drops = store.map("drops", StoredType.NUMBER, StoredType.REAL);
    FilterSnapshots snapshots = new FilterSnapshots(directory);
    snapshotRecords = settings.shared() != null ? mark(RECORDS) : snapshots.newest();
    SeenKeys seen =
        settings.shared() != null
            ? SeenKeys.shared(settings.shared())
            : load(store, snapshots, settings);
    state = new QueueState(store, parameters, seen, settings.nanoClock());
    state.counts().load(marks);
    state.check();
    log = replay(directory);
    if (log.tornBytes() > 0) {
      state.counts().tornBytes += log.tornBytes();
      LOG.log(
          System.Logger.Level.WARNING,
          "visit queue {0}: {1} bytes at the end of the write-ahead log are no complete record: a"
              + " crash interrupted a write, or the file was cut short; the next push or poll moves"
              + " them to a file *.torn-*",
          directory,
          Long.toString(log.tornBytes()));
      settings.whenTorn().accept(log.tornBytes());
    }
  }

  /** Reads a directory whose store is open. */
  static QueueContents read(Path directory, QueueStore store, Settings settings)
      throws IOException {
    try {
      return new QueueContents(directory, store, settings);
    } catch (MVStoreException e) {
      throw QueueStore.damagedIn(directory, e);
    }
  }

  private SeenKeys load(QueueStore store, FilterSnapshots snapshots, Settings settings)
      throws IOException {
    HashedMutableFilter<CharSequence> filter =
        snapshots.load(snapshotRecords, parameters, settings.hasher());
    return parameters.confirmed()
        ? SeenKeys.confirmed(filter, store)
        : SeenKeys.of(filter, drops.get(snapshotRecords).orElse(0.0));
  }

  private WriteAheadLog.Replayed replay(Path directory) throws IOException {
    long stored = mark(RECORDS);
    boolean crashed = mark(OPEN) != 0;
    state.setTime(mark(TIME));
    state.returnLeases(crashed);
    return WriteAheadLog.replay(
        directory,
        new WriteAheadLog.Checkpoint(
            Math.min(stored, snapshotRecords),
            Math.max(stored, snapshotRecords),
            marks.get(SEGMENT).orElse(WriteAheadLog.Checkpoint.NO_SEGMENT)),
        new ChangeCodec(),
        (number, change) -> {
          if (number >= stored) {
            state.apply(change);
          } else {
            state.seen().addToFilter(change);
          }
        });
  }

  private long mark(String name) {
    return marks.get(name).orElse(0L);
  }

  Parameters parameters() {
    return parameters;
  }

  QueueState state() {
    return state;
  }

  WriteAheadLog.Replayed log() {
    return log;
  }

  long snapshotRecords() {
    return snapshotRecords;
  }

  /** Records whether the queue is open, so that the next opening can tell a crash. */
  void markOpen(boolean isOpen) {
    marks.put(OPEN, isOpen ? 1L : 0L);
  }

  /** Records how much of the log the store includes, and what is not in its other maps. */
  void mark(long records, long segment) {
    marks.put(RECORDS, records);
    marks.put(SEGMENT, segment);
    marks.put(TIME, state.now());
    state.counts().save(marks);
  }

  /** Changes the store, and nothing that counts. */
  void touch() {
    marks.put(ROUND, marks.get(ROUND).orElse(0L) + 1);
  }

  /** Records how many wrong drops are expected up to a snapshot. */
  void putDrops(long snapshot, double expectedDrops) {
    drops.put(snapshot, expectedDrops);
  }

  /** Forgets the wrong drops up to older snapshots. */
  void removeDropsBefore(long snapshot) {
    for (long older : drops.keys()) {
      if (older < snapshot) {
        drops.remove(older);
      }
    }
  }

  /**
   * What is needed to read a queue, apart from its files.
   *
   * @param hasher how keys are hashed, unless the filter is shared
   * @param shared the shared filter; null if the filter is stored in the directory
   * @param whenTorn receives the bytes of a torn tail
   */
  record Settings(
      Parameters parameters,
      KeyHasher<CharSequence> hasher,
      @Nullable HashedMutableFilter<? super String> shared,
      LongSupplier nanoClock,
      LongConsumer whenTorn) {}
}
