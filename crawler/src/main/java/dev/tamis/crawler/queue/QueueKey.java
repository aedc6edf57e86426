package dev.tamis.crawler.queue;

import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;

/** The secret key of a queue's hash, in its directory. */
final class QueueKey {

  static final String NAME = "hash.key";

  private static final String ADVICE = "; restore the directory from a backup";

  private QueueKey() {}

  /**
   * Creates the file and forces it to the disk; replaces one of a queue whose creation was
   * interrupted, as its key may have leaked.
   */
  static void create(Path directory, byte[] key) throws IOException {
    Path file = directory.resolve(NAME);
    Files.deleteIfExists(file);
    HashKeyFile.write(file, key);
  }

  /**
   * Reads the key.
   *
   * @param id the id that it must have
   * @throws FileSystemException if the file is missing, is not a key, or has another one
   */
  static HashKey read(Path directory, String id) throws IOException {
    Path file = directory.resolve(NAME);
    HashKey key;
    try {
      key = HashKeyFile.read(file);
    } catch (NoSuchFileException e) {
      throw wrong(file, id, "no such file");
    } catch (FileSystemException e) {
      if (e.getReason() == null) { // as when it may not be read
        throw e;
      }
      throw new FileSystemException(file.toString(), null, e.getReason() + ADVICE);
    }
    if (!idOf(key).equals(id)) {
      throw wrong(file, id, "the one with id " + idOf(key));
    }
    return key;
  }

  /** Returns the id of a key as it is written in the settings. */
  static String idOf(HashKey key) {
    return HexFormat.of().toHexDigits(key.id());
  }

  private static FileSystemException wrong(Path file, String id, String found) {
    return new FileSystemException(
        file.toString(),
        null,
        "secret key: must be the one with id " + id + ", got " + found + ADVICE);
  }
}
