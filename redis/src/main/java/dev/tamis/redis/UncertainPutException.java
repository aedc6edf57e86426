package dev.tamis.redis;

import org.jspecify.annotations.Nullable;

/**
 * A put was sent and its answer never came: the key may be in or not, and whether it was new is not
 * known.
 *
 * <p>Putting the key again makes sure that it is in, but no longer tells whether it was new: the
 * answer {@code true} is certain as ever, while {@code false} may come from the first attempt. That
 * is why nothing here puts it again by itself. Who must not miss a key takes it for new; who must
 * not take one twice takes it for old.
 */
public final class UncertainPutException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  private final int firstUncertain;

  UncertainPutException(String message, int firstUncertain, @Nullable Throwable cause) {
    super(message, cause);
    this.firstUncertain = firstUncertain;
  }

  /**
   * Returns the index of the first key whose answer is not known, 0 for a single put. In a bulk put
   * the keys before it are in, with their answers in the array; each of those from it on may be in
   * or not.
   */
  public int firstUncertain() {
    return firstUncertain;
  }
}
