package dev.tamis.file;

import static java.util.Objects.requireNonNull;

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
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The owner, group and permissions of a file, on POSIX systems; follows no symbolic link. */
final class FileAccess {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** As Linux follows. */
  private static final int MAX_LINKS = 40;

  /** The attributes of a replaced file; null for a new one. */
  private final @Nullable PosixFileAttributes replaced;

  private final Set<PosixFilePermission> permissions;

  private FileAccess(@Nullable PosixFileAttributes replaced, Set<PosixFilePermission> permissions) {
    this.replaced = replaced;
    this.permissions = permissions;
  }

  /** Returns the access to a file, or to a new one, for which it creates {@code temporary}. */
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

  /** Gives a file of this process this access: owner and group where permitted. */
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
   * Returns the file that a path leads to, over symbolic links, whether or not it exists.
   *
   * @throws FileSystemException if a link is refused or the links are a loop
   */
  static Path target(Path path) throws IOException {
    Path target = path.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemException(path.toString(), null, "Too many levels of symbolic links");
      }
      refuseLinkOfOthers(target);
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    Path directory = target.getParent();
    return directory != null && Files.exists(directory)
        ? directory.toRealPath().resolve(requireNonNull(target.getFileName(), "a file has a name"))
        : target;
  }

  /** Refuses another user's symbolic link in a directory that others may write in. */
  private static void refuseLinkOfOthers(Path path) throws IOException {
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
    for (String right : List.of("READ", "WRITE", "EXECUTE")) {
      if (!permissions.contains(PosixFilePermission.valueOf("OTHERS_" + right))) {
        permissions.remove(PosixFilePermission.valueOf("GROUP_" + right));
      }
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

  static boolean isPosix(Path file) {
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
