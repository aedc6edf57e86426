package dev.tamis.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may read and write a file, on systems whose files have owners and permissions.
 *
 * <p>Files are taken as they are: no symbolic link is followed.
 */
final class FileAccess {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** What a file that is replaced has; null for a new one. */
  private final @Nullable PosixFileAttributes replaced;

  private final Set<PosixFilePermission> permissions;

  private FileAccess(@Nullable PosixFileAttributes replaced, Set<PosixFilePermission> permissions) {
    this.replaced = replaced;
    this.permissions = permissions;
  }

  /**
   * Returns the access to a file, or that to a new one if it does not exist.
   *
   * @param temporary the name of a file in the same directory, which is created and removed where
   *     that is the only way to learn the permissions of new files
   */
  static FileAccess of(Path file, Path temporary) throws IOException {
    if (!isPosix(file)) {
      return new FileAccess(null, Set.of());
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      PosixFileAttributes attributes = view(file).readAttributes();
      return new FileAccess(attributes, attributes.permissions());
    }
    Files.createFile(temporary);
    Set<PosixFilePermission> permissions = view(temporary).readAttributes().permissions();
    Files.delete(temporary);
    return new FileAccess(null, permissions);
  }

  /** Gives a file of this process this access: the owner and the group where it may. */
  void giveTo(Path file) throws IOException {
    if (!isPosix(file)) {
      return;
    }
    PosixFileAttributeView view = view(file);
    Set<PosixFilePermission> allowed = EnumSet.noneOf(PosixFilePermission.class);
    allowed.addAll(permissions);
    if (replaced != null) {
      PosixFileAttributes own = view.readAttributes();
      if (!own.group().equals(replaced.group())
          && !succeeds(() -> view.setGroup(replaced.group()))) {
        limitGroup(allowed);
      }
      if (!own.owner().equals(replaced.owner())) {
        boolean unused = succeeds(() -> view.setOwner(replaced.owner()));
      }
    }
    view.setPermissions(allowed);
  }

  /** Creates a file, which must not exist, that only its owner may read and write. */
  static FileChannel createPrivate(Path file) throws IOException {
    FileAttribute<?>[] attributes =
        isPosix(file)
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
            : new FileAttribute<?>[0];
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
  }

  /** Returns whether others than the owner may read a file. */
  static boolean isReadableByOthers(Path file) throws IOException {
    if (!isPosix(file)) {
      return false;
    }
    Set<PosixFilePermission> all = Files.getPosixFilePermissions(file);
    return all.contains(PosixFilePermission.GROUP_READ)
        || all.contains(PosixFilePermission.OTHERS_READ);
  }

  /**
   * Refuses a symbolic link that another user may have put there to have something else replaced.
   *
   * @throws FileSystemException if it is one, in a directory that others may write in
   */
  static void refuseLinkOfOthers(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path directory = absolute.getParent();
    if (!Files.isSymbolicLink(absolute) || directory == null || !isPosix(absolute)) {
      return;
    }
    Set<PosixFilePermission> all = Files.getPosixFilePermissions(directory);
    boolean isShared =
        all.contains(PosixFilePermission.GROUP_WRITE)
            || all.contains(PosixFilePermission.OTHERS_WRITE);
    String owner = view(absolute).readAttributes().owner().getName();
    if (isShared && !owner.equals(System.getProperty("user.name"))) {
      throw new FileSystemException(
          path.toString(),
          null,
          "it is a symbolic link of "
              + owner
              + " in a directory that others may write in; name the file that it points to");
    }
  }

  /** The group stays another one, so its members get what everybody has. */
  private static void limitGroup(Set<PosixFilePermission> permissions) {
    if (!permissions.contains(PosixFilePermission.OTHERS_READ)) {
      permissions.remove(PosixFilePermission.GROUP_READ);
    }
    if (!permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      permissions.remove(PosixFilePermission.GROUP_WRITE);
    }
    if (!permissions.contains(PosixFilePermission.OTHERS_EXECUTE)) {
      permissions.remove(PosixFilePermission.GROUP_EXECUTE);
    }
  }

  private static boolean succeeds(Change change) {
    try {
      change.make();
      return true;
    } catch (IOException e) { // not permitted: only root gives files away
      return false;
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(
        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  private interface Change {
    void make() throws IOException;
  }
}
