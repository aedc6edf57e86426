package dev.tamis.redis;

/** There is a filter of that name already, and nothing was changed. */
public final class FilterExistsException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  FilterExistsException(String message) {
    super(message, null);
  }
}
