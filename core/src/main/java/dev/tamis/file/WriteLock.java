package dev.tamis.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive right to replace a file, across processes and within this one.
 *
 * <p>Take it to read a file, change its contents and write it back, so that no concurrent change is
 * lost. It is advisory, and reading needs none.
 *
 * <pre>{@code
 * try (WriteLock lock = WriteLock.take(path)) {
 *   BloomFilter<String> filter = FilterFile.loadBloom(path, KeyHasher.text());
 *   filter.put(key);
 *   FilterFile.save(path, filter);
 * }
 * }</pre>
 *
 * <p>The system releases it when the process ends. Meanwhile a file {@code .NAME.lock} exists in
 * the same directory; one that a killed process left is harmless. A target that exists but is not a
 * regular file, such as a pipe, is not locked.
 */
public final class WriteLock implements Closeable {

  /*
   * The lock file is removed before it is unlocked, so another process may have locked a file that is
   * gone: each holder gives its file a random length and checks that of the file with the name. It
   * cannot open that, since the system releases a lock as soon as the process closes any handle of
   * the file, which is also why locks held by this process are recorded.
   */

  private static final Set<Path> HELD = new HashSet<>();
  private static final long POLL_MILLIS = 50;
  private static final int MAX_LENGTH = 1 << 20;

  private final Path file;
  private final @Nullable FileChannel channel;

  private WriteLock(Path file, @Nullable FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @param target the file to be replaced; need not exist
   * @throws FileSystemException if it is held, or the directory cannot be written
   */
  public static WriteLock take(Path target) throws IOException {
    return tryTake(target)
        .orElseThrow(
            () ->
                new FileSystemException(
                    target.toString(), null, "another process is about to replace it"));
  }

  /** Takes the lock, and waits while it is held. */
  public static WriteLock await(Path target) throws IOException, InterruptedException {
    Optional<WriteLock> lock = tryTake(target);
    while (lock.isEmpty()) {
      Thread.sleep(POLL_MILLIS);
      lock = tryTake(target);
    }
    return lock.get();
  }

  /** Takes the lock; empty if it is held. */
  public static Optional<WriteLock> tryTake(Path target) throws IOException {
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      return Optional.of(new WriteLock(target, null));
    }
    Path real = FileAccess.target(target);
    Path file = real.resolveSibling("." + real.getFileName() + ".lock");
    synchronized (HELD) {
      if (!HELD.add(file)) {
        return Optional.empty();
      }
    }
    Optional<WriteLock> lock = Optional.empty();
    try {
      lock = lock(file);
    } catch (IOException e) {
      throw FileErrors.named(
          target.toString(), "its directory is not writable, or " + file + " is a link", e);
    } finally {
      if (lock.isEmpty()) {
        forget(file);
      }
    }
    return lock;
  }

  private static Optional<WriteLock> lock(Path file) throws IOException {
    while (true) {
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS); // the target of a link would be truncated
      boolean isTaken = false;
      boolean isHeld = true;
      try {
        isHeld = channel.tryLock() == null;
        if (!isHeld) {
          int last = ThreadLocalRandom.current().nextInt(MAX_LENGTH);
          int unused = channel.truncate(0).write(ByteBuffer.allocate(1), last);
          isTaken = Files.exists(file) && Files.size(file) == last + 1;
        }
      } finally {
        if (!isTaken) {
          channel.close();
        }
      }
      if (isTaken) {
        TemporaryFiles.removeAtEnd(file);
        return Optional.of(new WriteLock(file, channel));
      }
      if (isHeld) {
        return Optional.empty();
      }
    }
  }

  private static void forget(Path file) {
    synchronized (HELD) {
      HELD.remove(file);
    }
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    if (channel == null) {
      return;
    }
    try (channel) {
      TemporaryFiles.remove(file);
    } finally {
      forget(file);
    }
  }
}
