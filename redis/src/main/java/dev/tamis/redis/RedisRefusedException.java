package dev.tamis.redis;

/** The server refused a command, which changed nothing; the message has its own words. */
public final class RedisRefusedException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  RedisRefusedException(String message) {
    super(message, null);
  }
}
