package dev.tamis.crawler.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.crawler.queue.log.DirectoryLock;
import dev.tamis.crawler.queue.log.StoreFile;
import dev.tamis.crawler.queue.log.WriteAheadLog;
import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.RandomAccessStore;
import org.jspecify.annotations.Nullable;

/** A queue's directory: write-ahead log, store and filter snapshots, with checkpoint and replay. */
final class QueueDirectory implements Persistence {

  /*
   * Each change is appended to the write-ahead log. A checkpoint commits the store, which holds
   * everything but the filter, with the number of log records it includes; saves a snapshot of the
   * filter under that number, less often if the filter is large; then deletes the segments that both
   * include. Opening the directory after a crash replays the records since.
   */

  private static final String STORE = "urls.mv";
  private static final System.Logger LOG = System.getLogger(VisitQueue.class.getName());

  private static final String RECORDS = "records";
  private static final String SEGMENT = "segment";
  private static final String ROUND = "round";
  private static final String TIME = "nanos";
  private static final String OPEN = "open";

  /** Size of the active segment at which a checkpoint is due. */
  static final long CHECKPOINT_BYTES = 4 << 20;

  /** Heap used by uncommitted pages of the store at which a checkpoint is due. */
  private static final int UNSAVED_BYTES = 16 << 20;

  /** Page cache of the store, in megabytes. */
  private static final int CACHE_MEGABYTES = 16;

  /** A store filled less than this is compacted: chunks at its end move into free space. */
  private static final int MIN_FILL_PERCENT = 50;

  private static final int TARGET_FILL_PERCENT = 70;
  private static final int MOVED_BYTES = 16 << 20;
  private static final int MAX_ROUNDS = 4;

  private final Path directory;
  private final DirectoryLock lock;
  private final MVStore store;
  private final MVMap<String, Long> marks;
  private final MVMap<Long, Double> drops;
  private final FilterSnapshots snapshots;
  private final QueueState state;
  private final WriteAheadLog<Change> log;
  private final Options options;
  private long snapshotRecords;
  private long logBytesSinceSnapshot;

  private QueueDirectory(
      Path directory, DirectoryLock lock, MVStore store, Parameters parameters, Options options)
      throws IOException {
    this.directory = directory;
    this.lock = lock;
    this.store = store;
    this.options = options;
    marks =
        store.openMap(
            "marks",
            new MVMap.Builder<String, Long>()
                .keyType(StoredType.TEXT)
                .valueType(StoredType.NUMBER));
    drops =
        store.openMap(
            "drops",
            new MVMap.Builder<Long, Double>()
                .keyType(StoredType.NUMBER)
                .valueType(StoredType.REAL));
    snapshots = new FilterSnapshots(directory);
    snapshotRecords = options.shared() != null ? mark(RECORDS) : snapshots.newest();
    SeenKeys seen = options.shared() != null ? SeenKeys.shared(options.shared()) : load(parameters);
    state = new QueueState(store, parameters, seen, options.nanoClock());
    state.counts().load(marks);
    state.check();
    log = replay();
    if (log.tornBytes() > 0) {
      state.counts().tornBytes += log.tornBytes();
      LOG.log(
          System.Logger.Level.WARNING,
          "visit queue {0}: {1} bytes at the end of the write-ahead log were no complete record and"
              + " are kept in a file *.torn-*: a crash interrupted a write, or the file was cut"
              + " short",
          directory,
          Long.toString(log.tornBytes()));
      options.whenTorn().accept(log.tornBytes());
    }
    logBytesSinceSnapshot = log.totalBytes();
    marks.put(OPEN, 1L);
    commit(); // includes what was replayed
  }

  /** Opens the files of a directory that is locked and has parameters. */
  static QueueDirectory open(
      Path directory, DirectoryLock lock, Parameters parameters, Options options)
      throws IOException {
    MVStore store = openStore(directory);
    try {
      return new QueueDirectory(directory, lock, store, parameters, options);
    } catch (MVStoreException e) {
      store.closeImmediately();
      throw damaged(directory, e);
    } catch (IOException | RuntimeException e) {
      store.closeImmediately();
      throw e;
    }
  }

  private SeenKeys load(Parameters parameters) throws IOException {
    HashedMutableFilter<CharSequence> filter = snapshots.load(snapshotRecords, parameters);
    double earlierDrops = drops.getOrDefault(snapshotRecords, 0.0);
    return parameters.confirmed()
        ? SeenKeys.confirmed(filter, store)
        : SeenKeys.of(filter, earlierDrops);
  }

  private static MVStore openStore(Path directory) throws IOException {
    try {
      MVStore store =
          new MVStore.Builder()
              .fileName(StoreFile.name(directory.resolve(STORE)))
              .autoCommitDisabled()
              .autoCommitBufferSize(0)
              .cacheSize(CACHE_MEGABYTES)
              .open();
      store.setRetentionTime(0); // free space is reused at once: the log has what came since
      store.setVersionsToKeep(0);
      return store;
    } catch (RuntimeException e) { // MVStore throws all kinds of them on a damaged file
      throw damaged(directory, e);
    }
  }

  private static FileSystemException damaged(Path directory, RuntimeException e) {
    String reason = "cannot be read or written: " + e.getMessage();
    return FileErrors.named(directory.resolve(STORE).toString(), reason, e);
  }

  private WriteAheadLog<Change> replay() throws IOException {
    long stored = mark(RECORDS);
    boolean crashed = mark(OPEN) != 0;
    state.setTime(mark(TIME));
    state.returnLeases(crashed);
    return WriteAheadLog.open(
        directory,
        options.sync(),
        new WriteAheadLog.Checkpoint(
            Math.min(stored, snapshotRecords),
            Math.max(stored, snapshotRecords),
            marks.getOrDefault(SEGMENT, WriteAheadLog.Checkpoint.NO_SEGMENT)),
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
    return marks.getOrDefault(name, 0L);
  }

  QueueState state() {
    return state;
  }

  @Override
  public void append(Change change) throws IOException {
    long before = log.activeBytes();
    log.append(change);
    logBytesSinceSnapshot += log.activeBytes() - before;
  }

  @Override
  public void checkpointIfDue() throws IOException {
    if (log.activeBytes() >= options.checkpointBytes()
        || store.getUnsavedMemory() >= UNSAVED_BYTES) {
      checkpoint();
    }
  }

  /**
   * Makes what was applied durable in the store, and in a snapshot of the filter if that is due.
   */
  private void checkpoint() throws IOException {
    HashedMutableFilter<?> filter = state.seen().filter();
    boolean shared = state.seen().isShared();
    boolean snapshotIsDue =
        !shared
            && logBytesSinceSnapshot
                >= Math.max(options.checkpointBytes(), filter.bitSize() / Byte.SIZE);
    long records = log.next();
    if (snapshotIsDue) {
      drops.put(records, state.seen().expectedWrongDrops().orElse(0));
    }
    log.rotate();
    commit();
    store.sync(); // before segments are deleted and free space is reused
    if (snapshotIsDue) {
      snapshots.save(records, (Storable) filter); // fixed or growing: both can be written
      for (long older : drops.keyList()) {
        if (older < records) {
          drops.remove(older);
        }
      }
      snapshotRecords = records;
      logBytesSinceSnapshot = 0;
    } else if (shared) {
      snapshotRecords = records; // it is stored elsewhere
    }
    log.deleteBefore(snapshotRecords);
    compact();
  }

  private void commit() {
    marks.put(RECORDS, log.next());
    marks.put(SEGMENT, log.activeSegment());
    marks.put(TIME, state.now());
    state.counts().save(marks);
    store.commit();
  }

  /** Shrinks the store's file if much of it is free. */
  private void compact() {
    if (store.getFileStore() instanceof RandomAccessStore file) {
      for (long round = 0; round < MAX_ROUNDS; round++) {
        marks.put(ROUND, round); // space is free only after a later commit
        store.commit();
        if (file.getFillRate() >= MIN_FILL_PERCENT) {
          return;
        }
        file.compactMoveChunks(TARGET_FILL_PERCENT, MOVED_BYTES, store);
      }
    }
  }

  @Override
  public IOException named(MVStoreException e) {
    return damaged(directory, e);
  }

  @Override
  public void abandon() throws IOException {
    try (lock;
        log) {
      store.closeImmediately();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      marks.put(OPEN, 0L);
      commit();
      compact();
      store.close();
    } catch (MVStoreException e) {
      throw damaged(directory, e);
    } finally {
      abandon();
    }
  }

  /**
   * Settings that are not stored.
   *
   * @param sync whether each change is forced to the disk
   * @param nanoClock the clock
   * @param checkpointBytes size of the active segment at which a checkpoint is due
   * @param shared the shared filter; null if the filter is stored in the directory
   * @param whenTorn receives the bytes of a torn tail
   */
  record Options(
      boolean sync,
      LongSupplier nanoClock,
      long checkpointBytes,
      @Nullable HashedMutableFilter<? super String> shared,
      LongConsumer whenTorn) {}
}
