package dev.tamis.file;

import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Files with the secret key of a hash, as 32 hexadecimal digits that only their owner may read.
 *
 * <p>No message contains the key. Errors are {@link FileSystemException}s that name the file.
 */
public final class HashKeyFile {

  private static final int DIGITS = 2 * HashKey.BYTES;

  /** Room for the digits and white space around them; a larger file is not a key. */
  private static final int MAX_BYTES = 1 << 10;

  private HashKeyFile() {}

  /** Writes a new key to a file, which must not exist and only its owner may read. */
  public static HashKey create(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(path.toString(), null, "it exists");
    }
    byte[] key = draw(new SecureRandom());
    write(path, key);
    return HashKey.of(key);
  }

  /** Returns the bytes of a new key, to be written later. */
  public static byte[] draw(SecureRandom random) {
    byte[] key = new byte[HashKey.BYTES];
    random.nextBytes(key);
    return key;
  }

  /** Writes the bytes of a key to a file, which only its owner may read, replacing its contents. */
  public static void write(Path path, byte[] key) throws IOException {
    String text = HexFormat.of().formatHex(key) + "\n";
    try (AtomicFile file = AtomicFile.createPrivate(path)) {
      file.out().write(text.getBytes(StandardCharsets.US_ASCII));
      file.commit();
    }
  }

  /** Reads the key of a file. */
  public static HashKey read(Path path) throws IOException {
    byte[] bytes = CheckedFile.named(path, (in, maxBytes) -> in.readNBytes(MAX_BYTES));
    String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    if (!text.chars().allMatch(HexFormat::isHexDigit)) {
      throw noKey(path, "other characters");
    }
    if (text.length() != DIGITS) {
      throw noKey(path, (text.length() < MAX_BYTES ? "" : "at least ") + text.length());
    }
    return HashKey.of(HexFormat.of().parseHex(text));
  }

  /** Returns whether others than the owner may read a file, so that its key is not a secret. */
  public static boolean isReadableByOthers(Path path) throws IOException {
    return FileAccess.isReadableByOthers(path);
  }

  private static FileSystemException noKey(Path path, String found) {
    return new FileSystemException(
        path.toString(),
        null,
        String.format(
            Locale.ROOT, "secret key: must be %d hexadecimal digits, got %s", DIGITS, found));
  }
}
