package dev.tamis.crawler.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.crawler.queue.log.DirectoryLock;
import dev.tamis.crawler.queue.log.WriteAheadLog;
import java.io.IOException;
import java.nio.file.Path;
import org.h2.mvstore.MVStoreException;

/** A queue's directory: write-ahead log, store and filter snapshots, with checkpoint and replay. */
final class QueueDirectory implements Persistence {

  /*
   * Each change is appended to the write-ahead log. A checkpoint commits the store, which holds
   * everything but the filter, with the number of log records it includes; saves a snapshot of the
   * filter under that number, less often if the filter is large; then deletes the segments that both
   * include. Opening the directory after a crash replays the records since.
   */

  /** Size of the active segment at which a checkpoint is due. */
  static final long CHECKPOINT_BYTES = 4 << 20;

  /** Heap used by uncommitted pages of the store at which a checkpoint is due. */
  private static final int UNSAVED_BYTES = 16 << 20;

  private final Path directory;
  private final DirectoryLock lock;
  private final QueueStore store;
  private final QueueContents contents;
  private final FilterSnapshots snapshots;
  private final WriteAheadLog<Change> log;
  private final long checkpointBytes;
  private long snapshotRecords;
  private long logBytesSinceSnapshot;

  private QueueDirectory(
      Path directory,
      DirectoryLock lock,
      QueueStore store,
      QueueContents contents,
      Durability durability)
      throws IOException {
    this.directory = directory;
    this.lock = lock;
    this.store = store;
    this.contents = contents;
    checkpointBytes = durability.checkpointBytes();
    snapshots = new FilterSnapshots(directory);
    snapshotRecords = contents.snapshotRecords();
    log = WriteAheadLog.open(directory, durability.sync(), new ChangeCodec(), contents.log());
    logBytesSinceSnapshot = log.totalBytes();
    contents.markOpen(true);
    commit(); // includes what was replayed
  }

  /** Opens the files of a directory that is locked and has parameters. */
  static QueueDirectory open(
      Path directory, DirectoryLock lock, QueueContents.Settings settings, Durability durability)
      throws IOException {
    QueueStore store = QueueStore.open(directory);
    try {
      QueueContents contents = QueueContents.read(directory, store, settings);
      return new QueueDirectory(directory, lock, store, contents, durability);
    } catch (MVStoreException e) {
      store.abandon();
      throw QueueStore.damagedIn(directory, e);
    } catch (IOException | RuntimeException e) {
      store.abandon();
      throw e;
    }
  }

  Parameters parameters() {
    return contents.parameters();
  }

  QueueState state() {
    return contents.state();
  }

  @Override
  public void append(Change change) throws IOException {
    long before = log.activeBytes();
    log.append(change);
    logBytesSinceSnapshot += log.activeBytes() - before;
  }

  @Override
  public void checkpointIfDue() throws IOException {
    if (log.activeBytes() >= checkpointBytes || store.unsavedBytes() >= UNSAVED_BYTES) {
      checkpoint();
    }
  }

  /**
   * Makes what was applied durable in the store, and in a snapshot of the filter if that is due.
   */
  private void checkpoint() throws IOException {
    SeenKeys seen = state().seen();
    HashedMutableFilter<?> filter = seen.filter();
    boolean snapshotIsDue =
        !seen.isShared()
            && logBytesSinceSnapshot >= Math.max(checkpointBytes, filter.bitSize() / Byte.SIZE);
    long records = log.next();
    if (snapshotIsDue) {
      contents.putDrops(records, seen.expectedWrongDrops().orElse(0));
    }
    log.rotate();
    commit();
    store.sync(); // before segments are deleted and free space is reused
    if (snapshotIsDue) {
      snapshots.save(records, (Storable) filter); // fixed or growing: both can be written
      contents.removeDropsBefore(records);
      snapshotRecords = records;
      logBytesSinceSnapshot = 0;
    } else if (seen.isShared()) {
      snapshotRecords = records; // it is stored elsewhere
    }
    log.deleteBefore(snapshotRecords);
    store.compact(contents::touch);
  }

  private void commit() {
    contents.mark(log.next(), log.activeSegment());
    store.commit();
  }

  @Override
  public IOException named(RuntimeException e) {
    return QueueStore.damagedIn(directory, e);
  }

  @Override
  public void abandon() throws IOException {
    try (lock;
        log) {
      store.abandon();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      contents.markOpen(false);
      commit();
      store.compact(contents::touch);
      store.close();
    } catch (MVStoreException e) {
      throw QueueStore.damagedIn(directory, e);
    } finally {
      abandon();
    }
  }

  /**
   * When changes are forced to the disk.
   *
   * @param sync whether each change is
   * @param checkpointBytes size of the active segment at which a checkpoint is due
   */
  record Durability(boolean sync, long checkpointBytes) {}
}
