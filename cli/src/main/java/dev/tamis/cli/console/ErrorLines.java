package dev.tamis.cli.console;

import static java.util.Objects.requireNonNull;

import dev.tamis.format.FormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;

/** Turns exceptions into messages for the terminal. */
public final class ErrorLines {

  /** How the launcher passes a larger heap to the JVM. */
  public static final String HEAP_OPTION = "TAMIS_JAVA_OPTS=-Xmx8g";

  /** What every directory of a visit queue has. */
  private static final String QUEUE_SETTINGS = "queue.properties";

  private static final String MANY_LINKS = "Too many levels of symbolic links";

  private static final String LINK_LOOP = MANY_LINKS + ": the link leads back to itself; remove it";

  private ErrorLines() {}

  public static List<String> of(Throwable thrown) {
    if (thrown instanceof CommandException command) {
      return command.lines();
    }
    return List.of(describe(thrown));
  }

  private static String describe(Throwable thrown) {
    if (thrown instanceof UncheckedIOException unchecked) {
      return describe(requireNonNull(unchecked.getCause()));
    }
    if (thrown instanceof FileSystemException file) {
      return file.getFile() + ": " + reason(file);
    }
    if (thrown instanceof OutOfMemoryError) {
      return "out of memory ("
          + thrown.getMessage()
          + "); give the JVM more with "
          + HEAP_OPTION
          + ", or request less with -m or -p";
    }
    if (thrown instanceof InternalError
        && String.valueOf(thrown.getMessage()).contains("unsafe memory access")) {
      return "the mapped filter could not be read: its file was truncated, or the disk failed;"
          + " discard the output and rerun without --map";
    }
    boolean expected =
        thrown instanceof IOException
            || thrown instanceof IllegalArgumentException
            || thrown instanceof IllegalStateException;
    return expected && thrown.getMessage() != null
        ? thrown.getMessage().replace("raise it with -Xmx", "raise it with " + HEAP_OPTION)
        : "unexpected " + thrown + "; rerun with --debug and report the output";
  }

  private static String reason(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "No such file or directory; check the name";
    }
    if (e instanceof AccessDeniedException) {
      return "Permission denied; check who may read it";
    }
    if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return isLinkLoop(Path.of(e.getFile())) ? LINK_LOOP : "Not a directory; name one";
    }
    String reason = e.getReason() != null ? e.getReason() : e.getClass().getSimpleName();
    String quoted = e.getFile() + " ("; // as the older classes of the JDK have it
    if (reason.startsWith(quoted)) {
      reason = reason.substring(quoted.length(), reason.length() - 1);
    }
    return reason.startsWith(MANY_LINKS) ? LINK_LOOP : reason + advice(e, reason);
  }

  private static boolean isLinkLoop(Path path) {
    try {
      Path unused = path.toRealPath();
      return false;
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).contains(MANY_LINKS);
    }
  }

  private static String advice(FileSystemException e, String reason) {
    if (e.getCause() instanceof FormatException damage) {
      return damage.isTruncation()
          ? "; the file was cut short, or is damaged"
          : "; the file is damaged, or of another kind";
    }
    if (reason.startsWith("No space left")) {
      return "; free some space, or write elsewhere";
    }
    if (reason.contains(" be mapped")) {
      return "; leave --map out";
    }
    if (reason.equals("Is a directory")) {
      return Files.exists(Path.of(e.getFile(), QUEUE_SETTINGS))
          ? ": that of a queue; see tamis queue " + e.getFile() + " stats"
          : "; name the files in it";
    }
    return "";
  }
}
