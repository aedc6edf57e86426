package dev.tamis.file;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file being written that takes its name only when it is complete: until then, what was there
 * before stays.
 *
 * <pre>{@code
 * try (AtomicFile file = AtomicFile.create(path)) {
 *   writer.writeTo(file.out());
 *   file.commit();
 * }
 * }</pre>
 *
 * <p>The bytes go to a temporary file in the same directory, readable by its owner only. {@link
 * #commit} forces them to the disk and renames it; {@link #close} without a commit removes it, as
 * does the end of the JVM, or after a kill the next process that writes in the directory.
 *
 * <p>A replaced file keeps its permissions, and its owner and group where this process may set
 * them. Where it may not set the group, members of it get no more permissions than everybody.
 *
 * <p>Windows replaces no file that is open or mapped: there {@link #commit} tries for a second, and
 * then fails.
 *
 * <p>Of a symbolic link the target is replaced, or created; another user's link is refused in a
 * directory that others may write in. A target that is not a regular file, such as a pipe, is
 * written to directly.
 *
 * <p>Errors are {@link FileSystemException}s that name the path given. Not safe for concurrent use.
 */
public final class AtomicFile implements Closeable {

  private final Path path;
  private final Path target;
  private final @Nullable Path temporary;
  private final FileChannel channel;
  private final @Nullable FileAccess access;
  private final OutputStream out;
  private boolean committed;

  private AtomicFile(
      Path path,
      Path target,
      @Nullable Path temporary,
      FileChannel channel,
      @Nullable FileAccess access) {
    this.path = path;
    this.target = target;
    this.temporary = temporary;
    this.channel = channel;
    this.access = access;
    this.out = new NamedOutput(path, Channels.newOutputStream(channel));
  }

  /**
   * Starts to write what is to become {@code path}.
   *
   * @throws FileSystemException if nothing can be written there; nothing has changed then
   */
  public static AtomicFile create(Path path) throws IOException {
    return create(path, false);
  }

  /** Starts to write a file that only its owner may read, whatever it replaces. */
  static AtomicFile createPrivate(Path path) throws IOException {
    return create(path, true);
  }

  private static AtomicFile create(Path path, boolean isPrivate) throws IOException {
    requireNonNull(path, "path");
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "Is a directory, not a file to write");
    }
    try {
      if (Files.exists(path) && !Files.isWritable(path)) {
        throw new AccessDeniedException(path.toString()); // a rename would not ask
      }
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        FileChannel direct = FileChannel.open(path, StandardOpenOption.WRITE);
        return new AtomicFile(path, path, null, direct, null);
      }
      Path target = FileAccess.target(path);
      TemporaryFiles.Created created = TemporaryFiles.createBeside(target);
      FileAccess access = isPrivate ? null : created.targetAccess();
      return new AtomicFile(path, target, created.path(), created.channel(), access);
    } catch (IOException e) {
      throw named(path, e);
    }
  }

  /** Returns where to write. Nothing is buffered, so writes should be large. */
  public OutputStream out() {
    return out;
  }

  /**
   * Makes what was written the file. Then bytes and name are on the disk, as far as the system
   * tells.
   *
   * @throws FileSystemException if that fails; the previous file is unchanged then
   */
  public void commit() throws IOException {
    try {
      if (temporary != null) {
        if (access != null) {
          access.giveTo(temporary);
        }
        channel.force(true);
        channel.close();
        TemporaryFiles.rename(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory();
      } else {
        channel.close();
      }
      committed = true;
    } catch (IOException e) {
      throw named(path, e);
    }
  }

  /** Removes the temporary file unless it was committed. */
  @Override
  public void close() throws IOException {
    if (committed) {
      return;
    }
    try {
      channel.close();
    } finally {
      if (temporary != null) {
        TemporaryFiles.remove(temporary);
      }
    }
  }

  /** Makes the new name durable across a power failure, on systems where directories are files. */
  private void forceDirectory() {
    Path directory = requireNonNull(target.getParent(), "an absolute path of a file has a parent");
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    } catch (IOException e) {
      // Windows has no such thing, and the bytes themselves are safe by now
    }
  }

  private static FileSystemException named(Path path, IOException e) {
    String reason = reason(e);
    if (e instanceof AccessDeniedException && !FileAccess.isPosix(path)) {
      reason += ", or another program has it open or mapped";
    }
    return FileErrors.named(path.toString(), reason, e);
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "its directory does not exist";
    }
    if (e instanceof NotDirectoryException) {
      return "its directory is a file";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to write it or in its directory";
    }
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason != null ? reason : e.toString();
  }

  private static final class NamedOutput extends FilterOutputStream {
    private final Path path;

    NamedOutput(Path path, OutputStream out) {
      super(out);
      this.path = path;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw named(path, e);
      }
    }
  }
}
