package dev.tamis.cli.dedup;

import dev.tamis.cli.console.CommandException;
import dev.tamis.file.FileErrors;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** A temporary file of its owner alone, without a name where possible, so it never remains. */
final class SpillFile implements Closeable {

  private static final Set<OpenOption> OPTIONS =
      Set.of(
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
  private static final int NAME_BYTES = 8;

  private final Path path;
  private final FileChannel channel;
  private long size;

  private SpillFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static void requireDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "is not a directory to write temporary files in; name another one with -T");
    }
  }

  static SpillFile create(Path directory) throws IOException {
    byte[] name = new byte[NAME_BYTES];
    new SecureRandom().nextBytes(name);
    Path path = directory.resolve("tamis-" + HexFormat.of().formatHex(name) + ".tmp");
    FileAttribute<?>[] ownerOnly =
        path.getFileSystem().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return new SpillFile(path, FileChannel.open(path, OPTIONS, ownerOnly));
  }

  long append(byte[] bytes, int length) throws IOException {
    long at = size;
    ByteBuffer left = ByteBuffer.wrap(bytes, 0, length);
    try {
      while (left.hasRemaining()) {
        size += channel.write(left, size);
      }
    } catch (IOException e) {
      throw full(e);
    }
    return at;
  }

  void read(long at, byte[] bytes, int length) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, 0, length);
    try {
      while (left.hasRemaining()) {
        if (channel.read(left, at + left.position()) < 0) {
          throw new EOFException("was truncated by another program");
        }
      }
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private CommandException full(IOException e) {
    CommandException full =
        new CommandException(
            "%s: %s, after %d bytes of a temporary file; free some space, or name another directory"
                + " with -T",
            path, e.getMessage(), size);
    full.initCause(e);
    return full;
  }
}
