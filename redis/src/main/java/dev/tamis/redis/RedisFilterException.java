package dev.tamis.redis;

import org.jspecify.annotations.Nullable;

/** A failure of a filter that is stored in a server; each case is a subclass. */
public abstract sealed class RedisFilterException extends RuntimeException
    permits FilterExistsException,
        FilterLostException,
        FilterMismatchException,
        RedisRefusedException,
        RedisUnavailableException,
        UncertainPutException {

  private static final long serialVersionUID = 1;

  RedisFilterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
