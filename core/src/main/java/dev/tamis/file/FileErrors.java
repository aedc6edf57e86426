package dev.tamis.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Errors that name their file. */
public final class FileErrors {

  private FileErrors() {}

  /** Returns an exception that names the file and has the words of {@code cause}. */
  public static FileSystemException named(Path file, IOException cause) {
    return named(file.toString(), String.valueOf(cause.getMessage()), cause);
  }

  /** Returns an exception that names the file and says {@code reason}. */
  public static FileSystemException named(String file, String reason, Exception cause) {
    FileSystemException named = new FileSystemException(file, null, reason);
    named.initCause(cause);
    return named;
  }
}
