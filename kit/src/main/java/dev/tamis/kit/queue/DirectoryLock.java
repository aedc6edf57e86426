package dev.tamis.kit.queue;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Keeps a directory for one queue of one process; the system lets go when the process ends. */
final class DirectoryLock implements Closeable {

  static final String NAME = "lock";

  private final RandomAccessFile file;

  private DirectoryLock(RandomAccessFile file) {
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @throws FileSystemException if somebody has it
   */
  static DirectoryLock take(Path directory) throws IOException {
    RandomAccessFile file = new RandomAccessFile(directory.resolve(NAME).toFile(), "rw");
    boolean taken = false;
    try {
      taken = file.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // this process has it, which is said below
    } finally {
      if (!taken) {
        file.close();
      }
    }
    if (!taken) {
      throw new FileSystemException(
          directory.toString(), null, "is in use by another process or queue; wait until it ends");
    }
    return new DirectoryLock(file);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
