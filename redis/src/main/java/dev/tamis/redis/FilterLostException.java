package dev.tamis.redis;

/**
 * The keys that were put are lost.
 *
 * <p>The server was flushed or restarted without its data, the filter was evicted, deleted or has
 * expired, or another client recreated it under its name. A filter object that has thrown this
 * throws it permanently. Open or create another one, and put the keys again that are needed.
 */
public final class FilterLostException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  FilterLostException(String message) {
    super(message, null);
  }
}
