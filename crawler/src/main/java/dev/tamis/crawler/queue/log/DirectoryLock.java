package dev.tamis.crawler.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An exclusive lock on a directory, across processes and within this one; released by the system
 * when the process ends.
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
  private final RandomAccessFile file;

  private DirectoryLock(Path directory, RandomAccessFile file) {
    this.directory = directory;
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @throws FileSystemException if it is held
   */
  public static DirectoryLock take(Path given) throws IOException {
    Path directory = given.toRealPath();
    if (!HELD.add(directory)) {
      throw inUse(given);
    }
    boolean taken = false;
    try {
      RandomAccessFile file = new RandomAccessFile(directory.resolve(NAME).toFile(), "rw");
      taken = file.getChannel().tryLock() != null;
      if (!taken) {
        file.close();
        throw inUse(given);
      }
      return new DirectoryLock(directory, file);
    } finally {
      if (!taken) {
        HELD.remove(directory);
      }
    }
  }

  private static FileSystemException inUse(Path directory) {
    return new FileSystemException(
        directory.toString(), null, "in use by another process or queue; wait until it is closed");
  }

  @Override
  public void close() throws IOException {
    file.close();
    HELD.remove(directory);
  }
}
