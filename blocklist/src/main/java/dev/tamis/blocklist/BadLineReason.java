package dev.tamis.blocklist;

/** Why a line is not an entry. */
public enum BadLineReason {
  /**
   * A rule of an ad blocker that exempts, {@code @@||example.com^}: it belongs on an allow file.
   */
  EXCEPTION,

  /** A rule that hides a part of a page: {@code example.com##.banner}. */
  COSMETIC,

  /** A rule for some requests only: {@code ||example.com^$third-party}. */
  OPTIONS,

  /** A rule with a wildcard: {@code ||example.com/ads*banner}. */
  WILDCARD,

  /** A rule that is a regular expression, or any part of a URL: {@code /banner[0-9]+/}. */
  PATTERN,

  /** A public suffix, or the network of all addresses. */
  TOO_WIDE,

  /** A network with a wrong length, or with bits after its prefix. */
  NETWORK,

  /** A URL with a fragment, with too many directories, or neither of HTTP nor of HTTPS. */
  URL,

  /** Whatever else is not an entry. */
  MALFORMED
}
