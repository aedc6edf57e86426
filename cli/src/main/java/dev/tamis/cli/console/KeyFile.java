package dev.tamis.cli.console;

import dev.tamis.cli.lines.Line;
import dev.tamis.file.FileHeader;
import dev.tamis.format.FormatException;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the file with the secret key of the hash, which no message shows. */
public final class KeyFile {

  private static final int DIGITS = 2 * HashKey.BYTES;

  /** Room for the digits and whatever white space is around them; a larger file is no key. */
  private static final int MAX_BYTES = 1 << 10;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "The secret key of the hash: 32 hexadecimal digits in a file.")
  private @Nullable Path path;

  private @Nullable KeyHasher<Line> hasher;

  /** Returns how lines are hashed: with the key, if one is named. */
  public KeyHasher<Line> hasher() throws IOException {
    if (hasher == null) {
      hasher = path == null ? Line.HASHER : Line.HASHER.keyedBy(read(path));
    }
    return hasher;
  }

  /** Returns the function that those lines go through. */
  public HashFunction function() throws IOException {
    return BoundHasher.of(hasher(), 0).function();
  }

  /** Reads what is in a file; says which key is missing if that is what keeps it from it. */
  public <V> V load(Path file, Loader<V> loader) throws IOException {
    KeyHasher<Line> hasher = hasher();
    try {
      return loader.load(file, hasher);
    } catch (FileSystemException e) {
      if (e.getCause() instanceof FormatException && Files.isRegularFile(file)) {
        requireKeyOf(file, hasher);
      }
      throw e;
    }
  }

  /** Checks that the key is the one that the file was filled with. */
  private void requireKeyOf(Path file, KeyHasher<Line> hasher) throws IOException {
    HashId found = FileHeader.read(file).hashId();
    String id = found.printedNumber();
    if (hasher.hashKey().isEmpty()) {
      if (found.algorithm().isKeyed()) {
        throw new CommandException(
            file + ": was filled with the secret key of id " + id + "; name it with --key-file");
      }
    } else if (!found.algorithm().isKeyed()) {
      throw new CommandException(file + ": was filled without a key; leave --key-file out");
    } else if (found.number() != hasher.hashKey().get().id()) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "%s: was filled with the secret key of id %s, and %s has that of id %s; name the"
                  + " right one with --key-file",
              file,
              id,
              path,
              HexFormat.of().toHexDigits(hasher.hashKey().get().id())));
    }
  }

  private static HashKey read(Path path) throws IOException {
    String text;
    try (InputStream in = Files.newInputStream(path)) {
      text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1).strip();
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new FileSystemException(path.toString(), null, e.getMessage());
    }
    if (!text.chars().allMatch(HexFormat::isHexDigit)) {
      throw noKey(path, "something else");
    }
    if (text.length() != DIGITS) {
      throw noKey(path, (text.length() < MAX_BYTES ? "" : "at least ") + text.length());
    }
    return HashKey.of(HexFormat.of().parseHex(text));
  }

  private static CommandException noKey(Path path, String found) {
    return new CommandException(
        String.format(
            Locale.ROOT,
            "%s: is no key: expected %d hexadecimal digits, found %s; see tamis build --help for"
                + " how to make one",
            path,
            DIGITS,
            found));
  }

  /** Reads a file whose keys were hashed so. */
  public interface Loader<V> {
    V load(Path file, KeyHasher<Line> hasher) throws IOException;
  }
}
