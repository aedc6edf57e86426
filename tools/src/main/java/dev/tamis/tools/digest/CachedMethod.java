package dev.tamis.tools.digest;

/** The request methods whose answers Squid may cache, by the byte that they add to a key. */
public enum CachedMethod {
  /** The method of nearly all that is cached. */
  GET(1),

  /** Kept by Squid apart from GET: a page that was got is not found under HEAD. */
  HEAD(4);

  private final int code;

  CachedMethod(int code) {
    this.code = code;
  }

  /** Returns the byte that comes before the URL in a key. */
  byte code() {
    return (byte) code;
  }
}
