package dev.tamis;

/**
 * Thrown when a filter has no room for a key, or its limit of keys is reached; nothing has changed
 * then.
 */
public final class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Creates the exception; {@code message} says how full the filter is and what to do. */
  public FilterFullException(String message) {
    super(message);
  }
}
