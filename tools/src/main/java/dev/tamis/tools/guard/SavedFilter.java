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

/** The file of a guard's filter, which is there only while it knows every key of the store. */
final class SavedFilter {

  /*
   * A saved filter that is older than the store denies keys that the store has. So the file is taken
   * away, and the directory forced to the disk, before the first write that comes after it was
   * loaded or saved reaches the store. After a crash it is therefore either complete or not there.
   *
   * While the file is being written, writes may come in. The first of them sees BEING_WRITTEN and
   * makes it GONE, under the lock; whoever writes the file gives it its name under the same lock, and
   * only if it is still BEING_WRITTEN. A write that saw GONE before that is waited for by the guard
   * between begin() and write(), so the bytes have its key.
   */

  private enum Phase {
    /** Nothing is there that a later start would read. */
    GONE,
    /** What is there may not be used, and may not even be ours. */
    LEFT_OVER,
    /** Nothing is there yet, and no write came in since that was begun. */
    BEING_WRITTEN,
    /** The file knows every key of the store. */
    CURRENT
  }

  /** What a file is renamed to that was found but could not be used: it may be somebody's. */
  static final String SET_ASIDE = ".unusable";

  /** What is added to a file's name for that of the key its filter was filled with. */
  static final String KEY_SUFFIX = ".key";

  private final Path path;
  private final Path keyPath;

  /** A key that was drawn and is not in its file yet; guarded by this. */
  private byte @Nullable [] newKey;

  private volatile Phase phase = Phase.GONE;

  SavedFilter(Path path) {
    this.path = path.toAbsolutePath();
    this.keyPath = this.path.resolveSibling(this.path.getFileName() + KEY_SUFFIX);
  }

  Path path() {
    return path;
  }

  /**
   * Returns the key beside the file, or a new one if there is none that can be read: it is saved
   * with the first filter.
   */
  synchronized HashKey ownKey() {
    try {
      return HashKeyFile.read(keyPath);
    } catch (IOException e) { // then the filter cannot be used either, which the guard reports
      newKey = HashKeyFile.draw(new SecureRandom());
      return HashKey.of(newKey);
    }
  }

  /**
   * Reads the file.
   *
   * @throws NoSuchFileException if there is none
   * @throws IOException if it cannot be used
   */
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
   * Sees to it that no later start reads the file; to be called before each write.
   *
   * @throws UncheckedIOException if the file cannot be taken away, so that the write must not be
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

  /** Begins to save; a write from now on makes it vain. Nothing may be current. */
  synchronized void begin() {
    takeBack();
    phase = Phase.BEING_WRITTEN;
  }

  /**
   * Writes the file that was begun.
   *
   * @return false if a write came in meanwhile, so that there is no file
   */
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

  /** Ends what {@link #begin} began and {@link #write} did not finish. */
  synchronized void abandon() {
    if (phase == Phase.BEING_WRITTEN) {
      phase = Phase.GONE;
    }
  }

  /** Makes the removal last through a power failure, where directories are files. */
  private void forceDirectory() {
    try (FileChannel entries = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      entries.force(true);
    } catch (IOException e) {
      // Windows has no such thing
    }
  }
}
