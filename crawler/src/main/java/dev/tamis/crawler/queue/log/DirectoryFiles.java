package dev.tamis.crawler.queue.log;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of a directory that somebody else may have made: none of them may be a link. */
public final class DirectoryFiles {

  /*
   * The JVM's files that survive an interrupt, RandomAccessFile, follow links. So entries are checked
   * before the first is opened, all of them, because the names of later files can be foreseen. Who
   * can change the directory while it is open can change the files as well.
   */

  private DirectoryFiles() {}

  /**
   * Checks that each entry is a regular file or a directory.
   *
   * @throws FileSystemException naming the first that is a symbolic link, a pipe or a device
   */
  public static void requireNoLinks(Path directory) throws IOException {
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
}
