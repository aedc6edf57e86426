package dev.tamis.crawler.queue;

import java.util.Optional;

/**
 * Decides which URLs are the same: those with equal keys. Implementations are thread-safe.
 *
 * <p>A queue delivers the URL that was pushed; the key only decides whether it was seen. Scopes and
 * hosts are taken from the key, so where they are used it must be a URL too. It must depend on the
 * URL alone, and the key of a key should be the key itself.
 */
public interface UrlKey {

  /** The URL as it is. */
  UrlKey NONE = StandardUrlKey.NONE;

  /** The URL without its fragment, which is never sent to a server. */
  UrlKey DEFRAG = StandardUrlKey.DEFRAG;

  /**
   * The normalized URL: host in lower case and punycode, no default port, no fragment, no {@code
   * ..}, canonical escaping, sorted parameters; only absolute URLs have one. Normalization is that
   * of crawler-commons; URLs it does not support, such as those with IPv6 addresses, are keyed by
   * {@link #DEFRAG}.
   */
  UrlKey STRICT = StandardUrlKey.STRICT;

  /**
   * Returns the name by which a queue on disk checks that it is opened with the same keys as
   * before.
   */
  String id();

  /** Returns the key of a URL and its host, or empty if it is not a URL. */
  Optional<ParsedUrl> of(String url);
}
