package dev.tamis.redis;

/** What the server stores under the name is not the requested filter; the message says why. */
public final class FilterMismatchException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  FilterMismatchException(String message) {
    super(message, null);
  }
}
