package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.log.DirectoryLock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which files make a directory a queue's. */
final class DirectoryLayout {

  private static final String PARAMETERS = "queue.properties";

  /** What there may be of a queue whose creation was interrupted. */
  private static final Set<String> CREATED_FIRST = Set.of(DirectoryLock.NAME, QueueKey.NAME);

  private DirectoryLayout() {}

  /** Returns the file of the queue's settings, which is the last one to be created. */
  static Path parameters(Path directory) {
    return directory.resolve(PARAMETERS);
  }

  /** Returns whether there is a queue in a directory. */
  static boolean hasQueue(Path directory) {
    return Files.isRegularFile(parameters(directory), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Checks that a directory has a queue, and no links.
   *
   * @throws FileSystemException if not
   */
  static void requireQueue(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      requireQueueOrEmpty(directory); // with other files in it, a push would be refused too
    }
    if (!hasQueue(directory)) {
      throw new FileSystemException(
          directory.toString(), null, "not a queue directory; push a URL to create one");
    }
  }

  /**
   * Checks that a directory has a queue or nothing, and no links.
   *
   * @throws FileSystemException if not
   */
  static void requireQueueOrEmpty(Path directory) throws IOException {
    requireNoLinks(directory);
    if (hasQueue(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.list(directory)) {
      boolean others =
          paths
              .map(path -> path.getFileName().toString())
              .anyMatch(name -> !CREATED_FIRST.contains(name) && !name.endsWith(".tmp"));
      if (others) {
        throw new FileSystemException(
            directory.toString(),
            null,
            "not a queue: directory is not empty and has no " + PARAMETERS + "; use another");
      }
    }
  }

  /**
   * Checks that each entry is a regular file or a directory.
   *
   * <p>The JVM's files that survive an interrupt, RandomAccessFile, follow links. So all entries
   * are checked before the first is opened, because the names of later files can be foreseen.
   *
   * @throws FileSystemException naming the first that is a symbolic link, a pipe or a device
   */
  private static void requireNoLinks(Path directory) throws IOException {
    List<Path> entries;
    try (Stream<Path> listed = Files.list(directory)) {
      entries = listed.sorted().toList();
    }
    for (Path entry : entries) {
      if (Files.isSymbolicLink(entry)) {
        throw refused(entry, "a symbolic link");
      }
      if (!Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        throw refused(entry, "a pipe or a device");
      }
    }
  }

  private static FileSystemException refused(Path entry, String what) {
    return new FileSystemException(
        entry.toString(), null, "must be a regular file, got " + what + "; remove it");
  }

  /** Opens what holds the lock from then on, and releases the lock if that fails. */
  static <T> T holding(DirectoryLock lock, Opening<T> opening) throws IOException {
    try {
      return opening.open(lock);
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  interface Opening<T> {
    T open(DirectoryLock lock) throws IOException;
  }
}
