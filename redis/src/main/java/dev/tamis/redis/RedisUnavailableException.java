package dev.tamis.redis;

/**
 * The server could not be reached, or did not reply in time. The call that threw this put no key,
 * and may be repeated.
 */
public final class RedisUnavailableException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  RedisUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
