package dev.tamis.file;

import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.HashSet;
import java.util.Set;

/**
 * The temporary files of this JVM that are not finished: they are removed when it ends, also when
 * it is interrupted from the keyboard.
 */
final class TemporaryFiles {

  /*
   * One lock for all: the shutdown hook runs while other threads go on, and once it has removed
   * what there is, no thread may create another file or rename one that is being removed.
   */

  private static final Object LOCK = new Object();
  private static final Set<Path> UNFINISHED = new HashSet<>();
  private static long created;
  private static boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFiles::end, "tamis-temporary-files"));
  }

  private TemporaryFiles() {}

  /**
   * Creates an empty file in the directory of {@code target}, with its permissions if it exists.
   */
  static Path createBeside(Path target) throws IOException {
    synchronized (LOCK) {
      refuseWhenEnding();
      Path temporary = createUnder(target);
      UNFINISHED.add(temporary);
      return temporary;
    }
  }

  private static Path createUnder(Path target) throws IOException {
    while (true) {
      // not the target's name with something added: that could be longer than a name may be
      String name = ".tamis-" + ProcessHandle.current().pid() + "-" + created++ + ".tmp";
      try {
        Path temporary = Files.createFile(target.resolveSibling(name));
        copyPermissions(target, temporary);
        return temporary;
      } catch (FileAlreadyExistsException e) {
        // left behind by a process with the same number that was killed: take the next name
      }
    }
  }

  private static void copyPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (view != null && Files.exists(from)) {
      view.setPermissions(Files.getPosixFilePermissions(from));
    }
  }

  static void rename(Path temporary, Path target, CopyOption how) throws IOException {
    synchronized (LOCK) {
      refuseWhenEnding();
      Files.move(temporary, target, how);
      UNFINISHED.remove(temporary);
    }
  }

  static void remove(Path temporary) throws IOException {
    synchronized (LOCK) {
      Files.deleteIfExists(temporary);
      UNFINISHED.remove(temporary);
    }
  }

  private static void refuseWhenEnding() throws IOException {
    if (ending) {
      throw new IOException("the program is being stopped");
    }
  }

  private static void end() {
    synchronized (LOCK) {
      ending = true;
      for (Path temporary : UNFINISHED) {
        try {
          Files.deleteIfExists(temporary);
        } catch (IOException e) {
          // there is no caller left to report to
        }
      }
    }
  }
}
