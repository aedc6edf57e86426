package dev.tamis.tools.guard;

import dev.tamis.Storable;
import dev.tamis.file.AtomicFile;
import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** The file of a guard's filter, which exists only while it has every key of the store. */
final class SavedFilter {

  /*
   * A saved filter that is older than the store denies keys that the store has. So the file is
   * removed, and the directory forced to the disk, before the first write after it was loaded or
   * saved reaches the store. After a crash it is therefore either complete or absent.
   *
   * While the file is being written, writes may begin. The first one changes BEING_WRITTEN to GONE
   * under the lock, and the file gets its name under the same lock only while BEING_WRITTEN. The
   * guard waits for writes that saw GONE before that between begin() and write(), so the bytes have
   * their keys.
   */

  private enum Phase {
    /** There is no file. */
    GONE,
    /** The file cannot be used, and may belong to another program. */
    LEFT_OVER,
    /** There is no file yet, and no write since it was begun. */
    BEING_WRITTEN,
    /** The file has every key of the store. */
    CURRENT
  }

  /** Suffix of an unusable file, which is renamed because it may belong to another program. */
  static final String SET_ASIDE = ".unusable";

  /** Suffix of the file with the hash key of the filter. */
  static final String KEY_SUFFIX = ".key";

  private final Path path;
  private final Path keyPath;

  /** A key that was drawn and not saved yet; guarded by this. */
  private byte @Nullable [] newKey;

  private volatile Phase phase = Phase.GONE;

  SavedFilter(Path path) {
    this.path = path.toAbsolutePath();
    this.keyPath = this.path.resolveSibling(this.path.getFileName() + KEY_SUFFIX);
  }

  Path path() {
    return path;
  }

  /** Reads the key file; if it is missing or damaged, draws a key, saved with the first filter. */
  synchronized HashKey ownKey() {
    try {
      return HashKeyFile.read(keyPath);
    } catch (IOException e) { // then the filter cannot be used either, which the guard reports
      newKey = HashKeyFile.draw(new SecureRandom());
      return HashKey.of(newKey);
    }
  }

  synchronized <K> GuardFilter<K> load(FilterPlan<K> plan) throws IOException {
    phase = Files.exists(path) ? Phase.LEFT_OVER : Phase.GONE;
    if (phase == Phase.GONE) {
      throw new NoSuchFileException(path.toString());
    }
    GuardFilter<K> loaded = plan.load(path);
    phase = Phase.CURRENT;
    return loaded;
  }

  boolean isCurrent() {
    return phase == Phase.CURRENT;
  }

  /**
   * Removes or renames the file before a write.
   *
   * @throws UncheckedIOException if that fails, so that the write must not happen
   */
  void takeBack() {
    if (phase != Phase.GONE) {
      takeAway();
    }
  }

  private synchronized void takeAway() {
    try {
      if (phase == Phase.CURRENT) {
        Files.deleteIfExists(path);
        forceDirectory();
      } else if (phase == Phase.LEFT_OVER && Files.exists(path)) {
        Path aside = path.resolveSibling(path.getFileName() + SET_ASIDE);
        Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory();
      }
      phase = Phase.GONE;
    } catch (IOException e) {
      throw new UncheckedIOException(
          path
              + " cannot be removed, and would be out of date after this write: nothing was"
              + " written. Make its directory writable, or remove the file",
          e);
    }
  }

  /** Begins to save; any write from now on makes {@link #write} return false. */
  synchronized void begin() {
    takeBack();
    phase = Phase.BEING_WRITTEN;
  }

  /** Writes the file; returns false, without a file, if there was a write since the beginning. */
  boolean write(Storable filter) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      filter.writeTo(file.out());
      return commit(file);
    }
  }

  private synchronized boolean commit(AtomicFile file) throws IOException {
    if (phase != Phase.BEING_WRITTEN) {
      return false;
    }
    if (newKey != null) {
      HashKeyFile.write(keyPath, newKey);
      newKey = null;
    }
    phase = Phase.LEFT_OVER; // should the commit fail half way
    file.commit();
    phase = Phase.CURRENT;
    return true;
  }

  /** Ends a save that did not finish. */
  synchronized void abandon() {
    if (phase == Phase.BEING_WRITTEN) {
      phase = Phase.GONE;
    }
  }

  /** Makes the removal survive a power failure. */
  private void forceDirectory() {
    try (FileChannel entries = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      entries.force(true);
    } catch (IOException e) {
      // not possible on Windows
    }
  }
}
