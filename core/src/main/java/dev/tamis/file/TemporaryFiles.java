package dev.tamis.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The unfinished temporary files of this JVM, which are removed when it ends; those of a killed
 * process are removed by the next that writes in their directory.
 */
final class TemporaryFiles {

  /*
   * One lock for all: the shutdown hook runs concurrently with other threads, and once it has removed
   * the files, no thread may create another or rename one that is being removed.
   *
   * A file is locked while it is written. Its process is gone if neither this system knows it nor the
   * lock is held: another container or host has its own process ids, and a file is created a moment
   * before it is locked.
   */

  private static final Pattern NAME = Pattern.compile("\\.tamis-([0-9]{1,18})-[0-9]+\\.tmp");
  private static final Object LOCK = new Object();
  private static final Set<Path> UNFINISHED = new HashSet<>();

  /** A second in all. */
  static final int MAX_MOVES = 21;

  private static final long MOVE_PAUSE_NANOS = 50_000_000;

  private static long created;
  private static boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFiles::end, "tamis-temporary-files"));
  }

  private TemporaryFiles() {}

  /** A temporary file, locked until its channel is closed, and the access its target will have. */
  record Created(Path path, FileChannel channel, FileAccess targetAccess) {}

  /** Creates a file in the directory of {@code target}, readable by its owner only. */
  static Created createBeside(Path target) throws IOException {
    synchronized (LOCK) {
      refuseWhenEnding();
      removeAbandoned(target.resolveSibling(""));
      Created temporary = createUnder(target);
      UNFINISHED.add(temporary.path());
      return temporary;
    }
  }

  /** Has a file removed when the JVM ends, unless it is {@linkplain #remove removed} before. */
  static void removeAtEnd(Path file) throws IOException {
    synchronized (LOCK) {
      refuseWhenEnding();
      UNFINISHED.add(file);
    }
  }

  private static void removeAbandoned(Path directory) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, ".tamis-*.tmp")) {
      for (Path file : found) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          removeUnlocked(file);
        }
      }
    } catch (DirectoryIteratorException | AccessDeniedException e) {
      // one that may be written to and not read: they stay
    }
  }

  private static void removeUnlocked(Path file) {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // another user's, a link, or removed by another process meanwhile: no reason to fail
    }
  }

  private static Created createUnder(Path target) throws IOException {
    while (true) {
      // not the target's name with something added: that could be longer than a name may be
      String name = ".tamis-" + ProcessHandle.current().pid() + "-" + created++ + ".tmp";
      Path temporary = target.resolveSibling(name);
      try {
        FileAccess access = FileAccess.of(target, temporary);
        return new Created(temporary, locked(FileAccess.createPrivate(temporary)), access);
      } catch (FileAlreadyExistsException e) {
        // left behind by a process with the same number that was killed: take the next name
      }
    }
  }

  private static FileChannel locked(FileChannel channel) {
    try {
      FileLock unused = channel.tryLock();
    } catch (IOException e) {
      // a file system without locks: then others know the process by its number alone
    }
    return channel;
  }

  static void rename(Path temporary, Path target, CopyOption how) throws IOException {
    synchronized (LOCK) {
      refuseWhenEnding();
      repeat(() -> Files.move(temporary, target, how), FileAccess.isPosix(target) ? 1 : MAX_MOVES);
      UNFINISHED.remove(temporary);
    }
  }

  /**
   * Moves, at most so many times while that is refused: Windows replaces no file that is open, and
   * a reader, or a scanner for viruses, mostly has it open for a moment only.
   */
  static void repeat(Move move, int most) throws IOException {
    for (int i = 1; ; i++) {
      try {
        move.run();
        return;
      } catch (FileSystemException e) {
        if (i >= most) {
          throw e;
        }
        LockSupport.parkNanos(MOVE_PAUSE_NANOS);
      }
    }
  }

  interface Move {
    void run() throws IOException;
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
