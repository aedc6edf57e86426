package dev.tamis.crawler.queue;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps a directory for one queue of one process; the system lets go when the process ends. */
final class DirectoryLock implements Closeable {

  /*
   * What this process holds is kept here, not asked of the system: the system lets go of a file's
   * lock as soon as the process closes the file once, whoever had opened it.
   */

  static final String NAME = "lock";

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
   * @throws FileSystemException if somebody has it
   */
  static DirectoryLock take(Path given) throws IOException {
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
        directory.toString(), null, "is in use by another process or queue; wait until it ends");
  }

  @Override
  public void close() throws IOException {
    file.close();
    HELD.remove(directory);
  }
}
