package dev.tamis.redis;

/**
 * The server could not be reached, or did not answer in time. No key was put by the call that threw
 * this, and it may be made again.
 */
public final class RedisUnavailableException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  RedisUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
