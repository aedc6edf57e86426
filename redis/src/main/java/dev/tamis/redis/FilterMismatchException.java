package dev.tamis.redis;

/** What the server stores under the name is not the requested filter; the message says why. */
public final class FilterMismatchException extends RedisFilterException {

  private static final long serialVersionUID = 1;

  private final boolean isOfHash;

  FilterMismatchException(String message) {
    this(message, false);
  }

  FilterMismatchException(String message, boolean isOfHash) {
    super(message, null);
    this.isOfHash = isOfHash;
  }

  /** Returns whether the hasher differs from that of the filter, for example by its secret key. */
  public boolean isOfHash() {
    return isOfHash;
  }
}
