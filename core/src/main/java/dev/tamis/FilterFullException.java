package dev.tamis;

/**
 * Says that a filter has no room for a key, or was told to take no more; nothing has changed then.
 */
public final class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Creates the exception; {@code message} says how full the filter is and what can be done. */
  public FilterFullException(String message) {
    super(message);
  }
}
