package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The file with the secret key of a queue's hash: 32 hexadecimal digits, for its owner alone. */
final class HashKeyFile {

  /** The name of the file. */
  static final String NAME = "hash.key";

  private static final int DIGITS = 2 * HashKey.BYTES;

  /** Room for the digits and a line end; a larger file is not a key. */
  private static final int MAX_BYTES = 64;

  private HashKeyFile() {}

  /** Returns the bytes of a new key. */
  static byte[] newKey(SecureRandom random) {
    byte[] bytes = new byte[HashKey.BYTES];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * Creates the file and forces it to the disk; replaces one of a queue whose creation was
   * interrupted, as its key may be known to somebody else.
   */
  static void create(Path directory, byte[] key) throws IOException {
    Path file = directory.resolve(NAME);
    Files.deleteIfExists(file);
    Set<OpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, options, ownerOnly(file))) {
      ByteBuffer text = ByteBuffer.wrap((HexFormat.of().formatHex(key) + "\n").getBytes(US_ASCII));
      while (text.hasRemaining()) {
        int unused = channel.write(text);
      }
      channel.force(true); // the settings, which are written next, force the name as well
    }
  }

  /** Returns the permissions to create the file with, where the file system has them. */
  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Reads the key.
   *
   * @param id the id that it must have
   * @throws FileSystemException if the file is missing, is not a key, or has another one
   */
  static HashKey read(Path directory, String id) throws IOException {
    Path file = directory.resolve(NAME);
    String text;
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      text = new String(in.readNBytes(MAX_BYTES), US_ASCII).strip();
    } catch (NoSuchFileException e) {
      throw wrong(file, id, "no such file");
    }
    if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw wrong(file, id, "no key of " + DIGITS + " hexadecimal digits");
    }
    HashKey key = HashKey.of(HexFormat.of().parseHex(text));
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
        "secret key: must be the one with id "
            + id
            + ", got "
            + found
            + "; restore the directory from a backup");
  }
}
