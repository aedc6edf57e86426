package dev.tamis.redis;

/**
 * What the server holds under the name is not the filter that was asked for; the message says why.
 */
public final class FilterMismatchException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  FilterMismatchException(String message) {
    super(message, null);
  }
}
