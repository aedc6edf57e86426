package dev.tamis.redis;

/** The server refused a command, which changed nothing; the message includes the server's. */
public final class RedisRefusedException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  RedisRefusedException(String message) {
    super(message, null);
  }
}
