package dev.tamis.cli.console;

import dev.tamis.cli.lines.Line;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.file.HashKeyFile;
import dev.tamis.format.FormatException;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the file with the secret key of the hash; no message contains the key. */
public final class KeyFile {

  private final Messages err;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File with the secret key of the hash: see tamis key new.")
  private @Nullable Path path;

  private @Nullable KeyHasher<Line> hasher;

  public KeyFile(Messages err) {
    this.err = err;
  }

  /** Returns the hasher of lines in files: with the key, if one is named. */
  public KeyHasher<Line> hasher() throws IOException {
    if (hasher == null) {
      hasher = path == null ? Line.HASHER : Line.HASHER.keyedBy(read(path));
    }
    return hasher;
  }

  /** Returns the hasher of text: with the key, if one is named. */
  public KeyHasher<CharSequence> textHasher() throws IOException {
    return path == null ? KeyHasher.text() : KeyHasher.text().keyedBy(read(path));
  }

  public HashFunction function() throws IOException {
    return BoundHasher.of(hasher(), 0).function();
  }

  /** Returns a hasher for this run alone: with a random key if none is named. */
  public KeyHasher<Line> privateHasher() throws IOException {
    hasher = hasher().withRandomKey();
    return hasher;
  }

  public HashFunction privateFunction() throws IOException {
    return BoundHasher.of(privateHasher(), 0).function();
  }

  /** Reads a file; if the key is wrong, says which one is needed. */
  public <V> V load(Path file, Loader<V> loader) throws IOException {
    return load(file, loader, path -> FileHeader.read(path).hashId());
  }

  /** Reads a file that is not a frame; {@code header} finds the id of its hash. */
  public <V> V load(Path file, Loader<V> loader, HashIdReader header) throws IOException {
    KeyHasher<Line> hasher = hasher();
    try {
      return loader.load(file, hasher);
    } catch (FileSystemException e) {
      if (e.getCause() instanceof FormatException && Files.isRegularFile(file)) {
        requireKeyOf(file, hasher, header.hashId(file));
      }
      throw e;
    }
  }

  private void requireKeyOf(Path file, KeyHasher<Line> hasher, HashId found)
      throws CommandException {
    String id = found.printedNumber();
    if (hasher.hashKey().isEmpty()) {
      if (found.algorithm().isKeyed()) {
        throw new CommandException(
            "%s: secret key: must have id %s, got none; name its file with --key-file", file, id);
      }
    } else if (!found.algorithm().isKeyed()) {
      throw new CommandException(
          "%s: secret key: must be none, got one; leave --key-file out", file);
    } else if (found.number() != hasher.hashKey().get().id()) {
      throw new CommandException(
          "%s: secret key: must have id %s, got %4$s in %3$s; name the right file with --key-file",
          file, id, path, HexFormat.of().toHexDigits(hasher.hashKey().get().id()));
    }
  }

  private HashKey read(Path file) throws IOException {
    HashKey key = HashKeyFile.read(file);
    if (HashKeyFile.isReadableByOthers(file)) {
      err.line("tamis: %s: others may read the secret key; chmod 600 %s", file, file);
    }
    return key;
  }

  public interface HashIdReader {
    HashId hashId(Path file) throws IOException;
  }

  public interface Loader<V> {
    V load(Path file, KeyHasher<Line> hasher) throws IOException;
  }
}
