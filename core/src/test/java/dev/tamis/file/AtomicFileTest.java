package dev.tamis.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

  @TempDir Path directory;

  @Test
  void takesItsNameOnlyWhenItIsCommitted() throws IOException {
    Path path = directory.resolve("a");
    try (AtomicFile file = AtomicFile.create(path)) {
      file.out().write(bytes("new"));
      assertThat(path).doesNotExist();
      file.commit();
    }
    assertThat(path).hasContent("new");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void withoutACommitTheOldFileStaysAndNothingElse() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "old");
    try (AtomicFile file = AtomicFile.create(path)) {
      file.out().write(bytes("new"));
    }
    assertThat(path).hasContent("old");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void canBeClosedAfterACommitAndTwice() throws IOException {
    Path path = directory.resolve("a");
    AtomicFile file = AtomicFile.create(path);
    file.commit();
    file.close();
    file.close();
    assertThat(path).isEmptyFile();
  }

  @Test
  void replacesTheFileItReadsFrom() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "old");
    try (AtomicFile file = AtomicFile.create(path)) {
      file.out().write(Files.readAllBytes(path));
      file.out().write('!');
      file.commit();
    }
    assertThat(path).hasContent("old!");
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void keepsThePermissionsOfWhatItReplaces() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "old");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    replace(path, "");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-r-----");
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void aFileThatIsNotToBeWrittenIsNotReplaced() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "old");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r--r--"));
    assumeThat(Files.isWritable(path)).as("root may write everything").isFalse();
    assertThatThrownBy(() -> AtomicFile.create(path))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(path + ": no permission to write it or in its directory");
    assertThat(names()).containsExactly("a");
  }

  @Test
  @EnabledOnOs(
      value = {OS.LINUX, OS.MAC},
      disabledReason = "symbolic links need a privilege on Windows")
  void aSymbolicLinkStaysOne() throws IOException {
    Path target = Files.writeString(directory.resolve("target"), "old");
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);
    replace(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(target).hasContent("new");
    Files.delete(target);
    Path toLink = Files.createSymbolicLink(directory.resolve("to-link"), Path.of("link"));
    replace(toLink, "created");
    assertThat(target).hasContent("created");
    assertThat(toLink).isSymbolicLink();
    assertLockedThrough(toLink, target);
    Files.delete(target);
    assertLockedThrough(toLink, target);
    Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    assertThatThrownBy(() -> AtomicFile.create(loop))
        .hasMessage(loop + ": Too many levels of symbolic links");
    Path nowhere = Files.createSymbolicLink(directory.resolve("nowhere"), Path.of("no/file"));
    assertThatThrownBy(() -> AtomicFile.create(nowhere))
        .hasMessage(nowhere + ": its directory does not exist");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "/dev/null is written to")
  void aDeviceIsWrittenToAndNotReplaced() throws IOException {
    Path device = Path.of("/dev/null");
    replace(device, "new");
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "/dev/full is a device of Linux")
  void aFullDiskIsAnErrorThatNamesTheFile() throws IOException {
    try (AtomicFile file = AtomicFile.create(Path.of("/dev/full"))) {
      assertThatThrownBy(() -> file.out().write(new byte[1000]))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("/dev/full: No space left on device");
    }
  }

  @Test
  void aDirectoryCannotBeWritten() {
    assertThatThrownBy(() -> AtomicFile.create(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(directory + ": Is a directory, not a file to write");
  }

  @Test
  void aMissingDirectoryIsSaidToBeMissing() {
    Path path = directory.resolve("no").resolve("a");
    assertThatThrownBy(() -> AtomicFile.create(path))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(path + ": its directory does not exist");
  }

  @Test
  void aNameAsLongAsNamesCanBeIsNoProblem() throws IOException {
    Path path = directory.resolve("x".repeat(255));
    replace(path, "");
    assertThat(path).exists();
  }

  @Test
  void twoAtATimeDoNotMeet() throws IOException {
    Path path = directory.resolve("a");
    try (AtomicFile first = AtomicFile.create(path);
        AtomicFile second = AtomicFile.create(path)) {
      first.out().write(bytes("first"));
      second.out().write(bytes("second"));
      second.commit();
      assertThat(path).hasContent("second");
      first.commit();
    }
    assertThat(path).hasContent("first");
    assertThat(names()).containsExactly("a");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aFileThatIsOpenForAMomentIsReplacedWhereThatIsRefused() throws IOException {
    int[] moves = {0};
    TemporaryFiles.Move refused =
        () -> {
          if (++moves[0] < TemporaryFiles.MAX_MOVES) {
            throw new AccessDeniedException("a");
          }
        };
    TemporaryFiles.repeat(refused, TemporaryFiles.MAX_MOVES);
    moves[0] = 0;
    assertThatThrownBy(() -> TemporaryFiles.repeat(refused, TemporaryFiles.MAX_MOVES - 1))
        .isInstanceOf(AccessDeniedException.class);
    moves[0] = 0;
    assertThatThrownBy(() -> TemporaryFiles.repeat(refused, 1))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(moves[0]).isEqualTo(1);
  }

  @Test
  @EnabledOnOs(
      value = {OS.LINUX, OS.MAC},
      disabledReason = "starts true and python3, and process 1 lives")
  void temporaryFilesOfKilledProcessesAreRemovedAndNoOthers() throws Exception {
    long ended = endedProcess();
    Path left = Files.createFile(directory.resolve(".tamis-" + ended + "-0.tmp"));
    Path alive = Files.createFile(directory.resolve(".tamis-1-0.tmp"));
    Path foreign = Files.createFile(directory.resolve(".tamis-notes.tmp"));
    try (AtomicFile other = AtomicFile.create(directory.resolve("other"));
        AtomicFile file = AtomicFile.create(directory.resolve("a"))) {
      other.commit(); // still there
      file.commit();
    }
    assertThat(left).doesNotExist();
    assertThat(alive).exists();
    assertThat(foreign).exists();
  }

  @Test
  @EnabledOnOs(
      value = {OS.LINUX, OS.MAC},
      disabledReason = "starts true and python3, and process 1 lives")
  void temporaryFilesOfUnknownProcessesStayWhileTheyAreLocked() throws Exception {
    long ended = endedProcess();
    Path locked = directory.resolve(".tamis-" + ended + "-0.tmp");
    Process holder = // as a process of another container, whose number means nothing here
        new ProcessBuilder(
                "python3",
                "-c",
                "import fcntl,sys\nf=open(sys.argv[1],'w')\nfcntl.lockf(f,fcntl.LOCK_EX)\n"
                    + "print('locked',flush=True)\nsys.stdin.read()",
                locked.toString())
            .start();
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("locked");
      AtomicFile.create(directory.resolve("a")).close();
      assertThat(locked).exists();
    } finally {
      holder.destroy();
      holder.waitFor();
    }
    AtomicFile.create(directory.resolve("a")).close();
    assertThat(locked).doesNotExist();
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void nobodyElseReadsWhatIsBeingWritten() throws IOException {
    Path path = Files.writeString(directory.resolve("a"), "old");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
    try (AtomicFile file = AtomicFile.create(path)) {
      Path temporary =
          directory.resolve(names().stream().filter(name -> name.endsWith(".tmp")).findAny().get());
      assertThat(permissions(temporary)).isEqualTo("rw-------");
      file.commit();
    }
    assertThat(permissions(path)).isEqualTo("rw-rw-rw-");
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void aNewFileHasThePermissionsOfAnyNewFile() throws IOException {
    Path other = Files.createFile(directory.resolve("other"));
    Path path = directory.resolve("a");
    replace(path, "");
    assertThat(permissions(path)).isEqualTo(permissions(other));
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "changes owners as root of Linux")
  void keepsTheOwnerAndGroupOfWhatItReplaces() throws IOException {
    assumeThat(System.getProperty("user.name")).as("who may give files away").isEqualTo("root");
    Path path = Files.writeString(directory.resolve("a"), "old");
    Files.setAttribute(path, "unix:uid", 65534);
    Files.setAttribute(path, "unix:gid", 65534);
    for (String kept : List.of("rw-rw----", "r--r--r--")) { // root may replace the latter too
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(kept));
      replace(path, "");
      assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(65534);
      assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(65534);
      assertThat(permissions(path)).isEqualTo(kept);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "changes owners as root of Linux")
  void aLinkOfOthersInADirectoryOfOthersIsNotFollowed() throws IOException {
    assumeThat(System.getProperty("user.name")).as("who may give links away").isEqualTo("root");
    Path precious = Files.writeString(directory.resolve("precious"), "kept");
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Path link = Files.createSymbolicLink(shared.resolve("link"), precious);
    Files.setAttribute(link, "unix:uid", 65534, LinkOption.NOFOLLOW_LINKS);
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> AtomicFile.create(link))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("is a symbolic link of ")
        .hasMessageEndingWith("name the file that it points to");
    assertThat(precious).hasContent("kept");

    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    replace(link, "new");
    assertThat(precious).hasContent("new");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  @EnabledOnOs(
      value = {OS.LINUX, OS.MAC},
      disabledReason = "starts true and python3, and process 1 lives")
  void whatCannotBeRemovedIsNoReasonToFail() throws Exception {
    long ended = endedProcess();
    Path precious = Files.writeString(directory.resolve("precious"), "kept");
    String name = ".tamis-" + ended;
    Files.createSymbolicLink(directory.resolve(name + "-0.tmp"), precious);
    Files.createDirectory(directory.resolve(name + "-1.tmp"));
    Path left = Files.createFile(directory.resolve(name + "-2.tmp"));

    replace(directory.resolve("a"), "");
    assertThat(precious).hasContent("kept");
    assertThat(left).doesNotExist();
  }

  private static void assertLockedThrough(Path link, Path target) throws IOException {
    try (WriteLock lock = WriteLock.take(target)) {
      assertThat(lock).isNotNull();
      assertThat(WriteLock.tryTake(link)).isEmpty();
    }
  }

  private static void replace(Path path, String text) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      file.out().write(bytes(text));
      file.commit();
    }
  }

  private static long endedProcess() throws Exception {
    Process process = new ProcessBuilder("true").start();
    assertThat(process.waitFor()).isZero();
    return process.pid();
  }
}
