package dev.tamis.tools.guard;

/** A rebuild failed; the guard is as it was before. */
public final class RebuildFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  RebuildFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
