package dev.tamis.crawler.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a directory, across processes and within this one; released by the system when the
 * process ends.
 */
public final class DirectoryLock implements Closeable {

  /*
   * Locks held by this process are recorded here: the system releases a file's lock as soon as the
   * process closes any handle of that file.
   */

  /** The name of the lock file. */
  public static final String NAME = "lock";

  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final @Nullable FileChannel file;

  private DirectoryLock(Path directory, @Nullable FileChannel file) {
    this.directory = directory;
    this.file = file;
  }

  /**
   * Takes the lock for writing.
   *
   * @throws FileSystemException if it is held
   */
  public static DirectoryLock take(Path directory) throws IOException {
    return take(directory, false);
  }

  /**
   * Takes the lock for reading, which other processes can do at the same time. Writes nothing: a
   * directory without a lock file has no writer.
   *
   * @throws FileSystemException if it is held for writing
   */
  public static DirectoryLock share(Path directory) throws IOException {
    return take(directory, true);
  }

  private static DirectoryLock take(Path given, boolean isShared) throws IOException {
    Path directory = given.toRealPath();
    if (!HELD.add(directory)) {
      throw inUse(given);
    }
    try {
      Path name = directory.resolve(NAME);
      Optional<FileChannel> file =
          isShared && !Files.exists(name, LinkOption.NOFOLLOW_LINKS)
              ? Optional.empty()
              : Optional.of(lock(name, isShared).orElseThrow(() -> inUse(given)));
      return new DirectoryLock(directory, file.orElse(null));
    } catch (IOException | RuntimeException | Error e) {
      HELD.remove(directory);
      throw e;
    }
  }

  /** Opens the file and locks it; returns empty if it is locked by another. */
  private static Optional<FileChannel> lock(Path name, boolean isShared) throws IOException {
    FileChannel file =
        isShared
            ? FileChannel.open(name, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
            : FileChannel.open(
                name,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    boolean locked = false;
    try {
      locked = file.tryLock(0, Long.MAX_VALUE, isShared) != null;
      return locked ? Optional.of(file) : Optional.empty();
    } catch (OverlappingFileLockException e) { // by other code of this process
      return Optional.empty();
    } finally {
      if (!locked) {
        file.close();
      }
    }
  }

  private static FileSystemException inUse(Path directory) {
    return new FileSystemException(
        directory.toString(), null, "in use by another process or queue; wait until it is closed");
  }

  @Override
  public void close() throws IOException {
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      HELD.remove(directory);
    }
  }
}
