package dev.tamis.tools.guard;

/** The filter that guards share could not be told of a key, so others may deny the key. */
public final class SharedFilterException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SharedFilterException(String message, Throwable cause) {
    super(message, cause);
  }
}
