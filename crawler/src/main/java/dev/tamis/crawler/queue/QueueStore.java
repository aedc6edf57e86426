package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.log.StoreFile;
import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.RandomAccessStore;
import org.h2.mvstore.SingleFileStore;

/** The store of a queue: typed maps in one file, or in memory. */
final class QueueStore {

  static final String NAME = "urls.mv";

  /** Page cache, in megabytes. */
  private static final int CACHE_MEGABYTES = 16;

  /** A store filled less than this is compacted: chunks at its end move into free space. */
  private static final int MIN_FILL_PERCENT = 50;

  private static final int TARGET_FILL_PERCENT = 70;
  private static final int MOVED_BYTES = 16 << 20;
  private static final int MAX_ROUNDS = 4;

  private final MVStore store;

  private QueueStore(MVStore store) {
    this.store = store;
  }

  static QueueStore inMemory() {
    return new QueueStore(new MVStore.Builder().autoCommitDisabled().open());
  }

  /**
   * Opens the store in a directory, an empty one if there is none.
   *
   * @throws FileSystemException if it is damaged
   */
  static QueueStore open(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    checkSystemMaps(file);
    QueueStore opened = new QueueStore(open(file, StoreFile.name(file), CACHE_MEGABYTES, false));
    opened.store.setRetentionTime(0); // free space is reused at once: the log has what came since
    opened.store.setVersionsToKeep(0);
    return opened;
  }

  /**
   * Opens the store in a directory without ever writing to it; changes are made in memory.
   *
   * @throws FileSystemException if it is damaged
   */
  static QueueStore view(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return inMemory();
    }
    checkSystemMaps(file);
    return new QueueStore(open(file, StoreFile.name(file), CACHE_MEGABYTES, true));
  }

  /**
   * Reads the two maps that the library reads whenever it opens a file, which say where the pages
   * of the others are. Without a cache each step reads the file, so the limit of reads ends an
   * endless descent.
   */
  private static void checkSystemMaps(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return;
    }
    MVStore store = open(file, StoreFile.nameWithLimit(file), 0, true);
    try {
      int unused =
          StoredMap.checked(
              () -> {
                StoredMap.requireTree(store.getMetaMap());
                return store.getLayoutMap().size(); // reads all of it
              });
    } catch (MVStoreException e) {
      throw damaged(file, e);
    } finally {
      store.closeImmediately();
    }
  }

  private static MVStore open(Path file, String name, int cacheMegabytes, boolean isReadOnly)
      throws IOException {
    SingleFileStore opened =
        new SingleFileStore(new HashMap<>(Map.of("cacheSize", cacheMegabytes)));
    try {
      return StoredMap.checked(
          () -> {
            opened.open(name, isReadOnly, null);
            return new MVStore.Builder()
                .adoptFileStore(opened)
                .autoCommitDisabled()
                .autoCommitBufferSize(0)
                .open();
          });
    } catch (MVStoreException e) {
      release(opened, e);
      throw damaged(file, e);
    }
  }

  private static void release(SingleFileStore opened, MVStoreException cause) {
    try {
      opened.close();
    } catch (RuntimeException e) { // of maps that were not read yet, after the file was closed
      cause.addSuppressed(e);
    }
  }

  /** Returns the error that the file is damaged, for a reason that the library did not notice. */
  static MVStoreException damage(String what) {
    return DataUtils.newMVStoreException(DataUtils.ERROR_FILE_CORRUPT, "{0}", what);
  }

  /** Returns the error that the file is damaged, as it made the library throw this. */
  static MVStoreException damage(Throwable cause) {
    return DataUtils.newMVStoreException(DataUtils.ERROR_FILE_CORRUPT, "{0}", cause, cause);
  }

  /** Returns an error as one that names the file in the directory. */
  static FileSystemException damagedIn(Path directory, RuntimeException e) {
    return damaged(directory.resolve(NAME), e);
  }

  private static FileSystemException damaged(Path file, RuntimeException e) {
    String reason = "cannot be read or written: " + e.getMessage();
    return FileErrors.named(file.toString(), reason, e);
  }

  /** Opens the map with this name, an empty one if there is none. */
  <K, V> StoredMap<K, V> map(String name, StoredType<K> keys, StoredType<V> values) {
    return new StoredMap<>(store, name, keys, values);
  }

  int unsavedBytes() {
    return store.getUnsavedMemory();
  }

  void commit() {
    run(store::commit);
  }

  /** Forces what is committed to the disk. */
  void sync() {
    run(store::sync);
  }

  /** Shrinks the file if much of it is free. {@code change} makes the next commit write one. */
  void compact(Runnable change) {
    if (store.getFileStore() instanceof RandomAccessStore file) {
      for (int round = 0; round < MAX_ROUNDS; round++) {
        change.run(); // space is free only after a later commit
        commit();
        if (file.getFillRate() >= MIN_FILL_PERCENT) {
          return;
        }
        run(() -> file.compactMoveChunks(TARGET_FILL_PERCENT, MOVED_BYTES, store));
      }
    }
  }

  private static void run(Runnable operation) {
    boolean unused =
        StoredMap.checked(
            () -> {
              operation.run();
              return true;
            });
  }

  void close() {
    run(store::close);
  }

  /** Releases the file as the end of the process would. */
  void abandon() {
    store.closeImmediately();
  }

  /** Returns the store of the library, for tests. */
  MVStore store() {
    return store;
  }
}
