package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.log.DirectoryLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.h2.mvstore.MVStoreException;

/**
 * A queue in a directory that is only looked at: nothing in the directory is written or created.
 *
 * <p>What the next opening would do, this does in memory: it replays the log and returns leased
 * URLs to their positions. Not thread-safe.
 */
public final class QueueView implements Closeable {

  private final Path directory;
  private final DirectoryLock lock;
  private final QueueStore store;
  private final QueueState state;
  private final long expectedKeys;

  private QueueView(
      Path directory,
      DirectoryLock lock,
      QueueStore store,
      QueueState state,
      QueueContents.Settings settings) {
    this.directory = directory;
    this.lock = lock;
    this.store = store;
    this.state = state;
    expectedKeys = settings.parameters().expectedKeys();
  }

  /** Opens the files of a directory that is locked and has parameters. */
  static QueueView open(Path directory, DirectoryLock lock, QueueContents.Settings settings)
      throws IOException {
    QueueStore store = QueueStore.view(directory);
    try {
      return new QueueView(
          directory, lock, store, QueueContents.read(directory, store, settings).state(), settings);
    } catch (IOException | RuntimeException e) {
      store.abandon();
      throw e;
    }
  }

  /** Returns the counters. Costs one pass over the filter's bits, for the fpp. */
  public QueueStats stats() throws IOException {
    return read(() -> state.stats(expectedKeys));
  }

  /** Returns the URL that comes next, even if its host still has to wait. */
  public Optional<String> peek() throws IOException {
    return read(() -> state.schedule().first().map(QueuedUrl::url));
  }

  private <T> T read(Supplier<T> what) throws IOException {
    try {
      return what.get();
    } catch (MVStoreException e) {
      throw QueueStore.damagedIn(directory, e);
    }
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      store.abandon();
    }
  }
}
