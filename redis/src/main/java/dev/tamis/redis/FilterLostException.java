package dev.tamis.redis;

/**
 * The keys that were put are no longer there.
 *
 * <p>The server was flushed or lost its memory, the filter was evicted, deleted or has expired, or
 * somebody else created another one under its name.
 *
 * <p>A filter that has thrown this throws it for good. Open or create another one, and put the keys
 * again that must not be forgotten.
 */
public final class FilterLostException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  FilterLostException(String message) {
    super(message, null);
  }
}
