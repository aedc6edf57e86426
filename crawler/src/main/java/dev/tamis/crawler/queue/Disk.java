package dev.tamis.crawler.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.RandomAccessStore;
import org.jspecify.annotations.Nullable;

/** The files of a queue: what makes a directory of them, and a queue of a directory. */
final class Disk implements ChangeLog {

  /*
   * Changes go to the journal, one by one. From time to time there is a checkpoint: the store, which
   * holds everything but the filter, is committed with the number of changes that it has; the filter
   * is saved under that number, less often if it is large; then the journal is deleted up to what
   * both have. After a crash, the changes since are made again from the journal.
   */

  private static final String STORE = "urls.mv";
  private static final String CHANGES = "changes";
  private static final String SEGMENT = "segment";
  private static final String ROUND = "round";
  private static final String TIME = "nanos";
  private static final String OPEN = "open";

  /** From so many bytes of journal on there is a checkpoint. */
  static final long CHECKPOINT_BYTES = 4 << 20;

  /** From so many bytes of heap for what is not yet in the store's file, also. */
  private static final int UNSAVED_BYTES = 16 << 20;

  /** What the store may keep in the heap to read it faster, in megabytes. */
  private static final int CACHE_MEGABYTES = 16;

  /** A store with more free room than used has its end moved into it, so much at a time. */
  private static final int LEAST_FILL_PERCENT = 50;

  private static final int WANTED_FILL_PERCENT = 70;
  private static final int MOVED_BYTES = 16 << 20;
  private static final int MOST_ROUNDS = 4;

  private final Path directory;
  private final DirectoryLock lock;
  private final MVStore store;
  private final MVMap<String, Long> marks;
  private final MVMap<Long, Double> drops;
  private final FilterFiles filters;
  private final Contents contents;
  private final Journal journal;
  private final Options options;
  private long filterChanges;
  private long journalBytesSinceFilter;

  private Disk(
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
    drops = store.openMap("drops", new MVMap.Builder<Long, Double>().keyType(StoredType.NUMBER));
    filters = new FilterFiles(directory);
    filterChanges = options.shared() != null ? mark(CHANGES) : filters.newest();
    Seen seen = options.shared() != null ? Seen.shared(options.shared()) : load(parameters);
    contents = new Contents(store, parameters, seen, options.nanoClock());
    contents.counts().load(marks);
    contents.check();
    journal = replay();
    journalBytesSinceFilter = journal.bytes();
    marks.put(OPEN, 1L);
    commit(); // with what was replayed, so that it is not replayed once more
  }

  /** Opens the files, whose directory is locked and has parameters. */
  static Disk open(Path directory, DirectoryLock lock, Parameters parameters, Options options)
      throws IOException {
    MVStore store = openStore(directory);
    try {
      return new Disk(directory, lock, store, parameters, options);
    } catch (MVStoreException e) {
      store.closeImmediately();
      throw damaged(directory, e);
    } catch (IOException | RuntimeException e) {
      store.closeImmediately();
      throw e;
    }
  }

  private Seen load(Parameters parameters) throws IOException {
    HashedMutableFilter<CharSequence> filter = filters.load(filterChanges, parameters);
    double earlierDrops = drops.getOrDefault(filterChanges, 0.0);
    return parameters.confirmed() ? Seen.confirmed(filter, store) : Seen.of(filter, earlierDrops);
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
      store.setRetentionTime(0); // room is used again at once: the journal has what came since
      store.setVersionsToKeep(0);
      return store;
    } catch (RuntimeException e) { // a damaged file gets it into all kinds of trouble
      throw damaged(directory, e);
    }
  }

  private static FileSystemException damaged(Path directory, RuntimeException e) {
    String reason = "cannot be read or written: " + e.getMessage();
    return FileErrors.named(directory.resolve(STORE).toString(), reason, e);
  }

  private Journal replay() throws IOException {
    long stored = mark(CHANGES);
    boolean crashed = mark(OPEN) != 0;
    contents.setTime(mark(TIME));
    contents.takeLeasesBack(crashed);
    return Journal.open(
        directory,
        options.sync(),
        new Journal.Expected(
            Math.min(stored, filterChanges),
            Math.max(stored, filterChanges),
            marks.getOrDefault(SEGMENT, Journal.Expected.NO_SEGMENT)),
        (number, change) -> {
          if (number >= stored) {
            contents.apply(change);
          } else {
            contents.seen().addToFilter(change);
          }
        });
  }

  private long mark(String name) {
    return marks.getOrDefault(name, 0L);
  }

  Contents contents() {
    return contents;
  }

  @Override
  public void write(Change change) throws IOException {
    long before = journal.fileBytes();
    journal.write(change);
    journalBytesSinceFilter += journal.fileBytes() - before;
  }

  @Override
  public void makeRoom() throws IOException {
    if (journal.fileBytes() >= options.checkpointBytes()
        || store.getUnsavedMemory() >= UNSAVED_BYTES) {
      checkpoint();
    }
  }

  /** Takes what the journal has into the store, and into the filter's file if that is due. */
  private void checkpoint() throws IOException {
    HashedMutableFilter<?> filter = contents.seen().filter();
    boolean shared = contents.seen().isShared();
    boolean filterIsDue =
        !shared
            && journalBytesSinceFilter
                >= Math.max(options.checkpointBytes(), filter.bitSize() / Byte.SIZE);
    long changes = journal.next();
    if (filterIsDue) {
      drops.put(changes, contents.seen().expectedWrongDrops().orElse(0));
    }
    journal.roll();
    commit();
    store.sync(); // before the journal goes, and before room is used again
    if (filterIsDue) {
      filters.save(changes, (Storable) filter); // fixed or growing: both can be written
      for (long older : drops.keyList()) {
        if (older < changes) {
          drops.remove(older);
        }
      }
      filterChanges = changes;
      journalBytesSinceFilter = 0;
    } else if (shared) {
      filterChanges = changes; // it keeps itself
    }
    journal.deleteBefore(filterChanges);
    reclaim();
  }

  private void commit() {
    marks.put(CHANGES, journal.next());
    marks.put(SEGMENT, journal.newest());
    marks.put(TIME, contents.now());
    contents.counts().save(marks);
    store.commit();
  }

  /** Makes the store's file shorter if much of it is free. */
  private void reclaim() {
    if (store.getFileStore() instanceof RandomAccessStore file) {
      for (long round = 0; round < MOST_ROUNDS; round++) {
        marks.put(ROUND, round); // room is free only once something else is committed
        store.commit();
        if (file.getFillRate() >= LEAST_FILL_PERCENT) {
          return;
        }
        file.compactMoveChunks(WANTED_FILL_PERCENT, MOVED_BYTES, store);
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
        journal) {
      store.closeImmediately();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      marks.put(OPEN, 0L);
      commit();
      reclaim();
      store.close();
    } catch (MVStoreException e) {
      throw damaged(directory, e);
    } finally {
      abandon();
    }
  }

  /**
   * What may differ each time.
   *
   * @param sync whether changes are forced to the disk
   * @param nanoClock what tells the time
   * @param checkpointBytes from so many bytes of journal on there is a checkpoint
   * @param shared the filter, if others put into it too; null if it is among the files
   */
  record Options(
      boolean sync,
      LongSupplier nanoClock,
      long checkpointBytes,
      @Nullable HashedMutableFilter<? super String> shared) {}
}
