package dev.tamis.redis;

import org.jspecify.annotations.Nullable;

/**
 * A put was sent and its reply was lost: the key may have been put, and it is unknown whether it
 * was new.
 *
 * <p>Putting the key again ensures that it is there, but no longer tells whether it was new: {@code
 * true} is as certain as ever, while {@code false} may be due to the first attempt. That is why
 * puts are never retried automatically. Treat the key as new if none may be missed, or as known if
 * none may be processed twice.
 */
public final class UncertainPutException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  private final int firstUncertain;

  UncertainPutException(String message, int firstUncertain, @Nullable Throwable cause) {
    super(message, cause);
    this.firstUncertain = firstUncertain;
  }

  /**
   * Returns the index of the first key whose result is unknown, 0 for a single put. In a bulk put
   * the keys before it have been put, with their results in the array; each of those from it on may
   * have been put.
   */
  public int firstUncertain() {
    return firstUncertain;
  }
}
