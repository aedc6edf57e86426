package dev.tamis.tools.guard;

/** A key could not be put into the filter that guards share, so others may deny the key. */
public final class SharedFilterException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SharedFilterException(String message, Throwable cause) {
    super(message, cause);
  }
}
