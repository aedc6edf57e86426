package dev.tamis.redis;

/** A filter of that name already exists, and nothing was changed. */
public final class FilterExistsException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  FilterExistsException(String message) {
    super(message, null);
  }
}
