package dev.tamis.blocklist;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The block list in a file, read again when the file has been replaced.
 *
 * <p>It has no thread of its own: when the interval has passed, one caller checks the file and
 * reloads it if it was replaced; the others get the previous list meanwhile. If the file is
 * damaged, missing or has another secret key, the list stays and a warning is logged.
 *
 * <p>Safe for any number of threads.
 */
public final class ReloadingBlocklist {

  private static final System.Logger LOG = System.getLogger(ReloadingBlocklist.class.getName());

  private final Source source;
  private final Duration interval;
  private final InstantSource clock;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile Loaded loaded;
  private @Nullable String failure; // of the last look, guarded by looking
  private volatile Instant looked;

  private ReloadingBlocklist(Source source, Duration interval, InstantSource clock, Loaded loaded) {
    this.source = source;
    this.interval = interval;
    this.clock = clock;
    this.loaded = loaded;
    this.looked = clock.instant();
  }

  /**
   * Reads the file for the first time.
   *
   * @param interval the minimum time between two checks of the file; zero to check each time
   * @throws IOException if it cannot be read or is damaged
   * @throws IllegalArgumentException if the interval is negative
   */
  public static ReloadingBlocklist open(Path path, Duration interval, InstantSource clock)
      throws IOException {
    return open(new Source(path, null), interval, clock);
  }

  /**
   * Reads a file whose hash has a secret key for the first time; its replacements must have the
   * same key.
   */
  public static ReloadingBlocklist open(
      Path path, HashKey key, Duration interval, InstantSource clock) throws IOException {
    return open(new Source(path, requireNonNull(key, "key")), interval, clock);
  }

  private static ReloadingBlocklist open(Source source, Duration interval, InstantSource clock)
      throws IOException {
    if (interval.isNegative()) {
      throw new IllegalArgumentException("interval must not be negative, got " + interval);
    }
    return new ReloadingBlocklist(
        source, interval, requireNonNull(clock, "clock"), Loaded.of(source));
  }

  /** Returns the list in the file, as it was at most an interval ago where it could be read. */
  public Blocklist current() {
    if (isTime() && looking.tryLock()) {
      try {
        if (isTime()) {
          look();
        }
      } finally {
        looking.unlock();
      }
    }
    return loaded.blocklist;
  }

  private boolean isTime() {
    Instant now = clock.instant();
    return now.isBefore(looked) || !now.isBefore(looked.plus(interval));
  }

  private void look() {
    try {
      if (!Stamp.of(source.path).equals(loaded.stamp)) {
        loaded = Loaded.of(source);
      }
      if (failure != null) {
        LOG.log(System.Logger.Level.INFO, source.path + " can be read again");
      }
      failure = null;
    } catch (IOException | RuntimeException | Error e) { // as if the new list needs too much memory
      if (!e.toString().equals(failure)) { // or each look would log it again
        String rest = " again, the block list stays as it was: " + e.getMessage();
        LOG.log(System.Logger.Level.WARNING, "cannot read " + source.path + rest);
      }
      failure = e.toString();
    }
    looked = clock.instant();
  }

  /** The file, and the secret key that it has, if any. */
  private record Source(Path path, @Nullable HashKey key) {

    Blocklist load() throws IOException {
      return key == null ? Blocklist.load(path) : Blocklist.load(path, key);
    }
  }

  /** A list, and what its file looked like before it was read. */
  private record Loaded(Blocklist blocklist, Stamp stamp) {

    static Loaded of(Source source) throws IOException {
      Stamp stamp = Stamp.of(source.path);
      return new Loaded(source.load(), stamp);
    }
  }

  /** What changes when a file is replaced. */
  private record Stamp(FileTime modified, long bytes, @Nullable Object fileKey) {

    static Stamp of(Path path) throws IOException {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(file.lastModifiedTime(), file.size(), file.fileKey());
    }
  }
}
