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
  UrlKey NONE = StandardUrlKey.named("none");

  /** The URL without its fragment, which is never sent to a server. */
  UrlKey DEFRAG = StandardUrlKey.named("defrag");

  /**
   * The URL in normal form: scheme and host in lower case, the host in punycode or as the shortest
   * IP address, no default port, no {@code .} and {@code ..} in any escaping, no escape in the path
   * that needs none (RFC 3986, section 6.2.2), no fragment. The query stays as browsers send it.
   * Only absolute HTTP and HTTPS URLs have one.
   */
  UrlKey STRICT = StandardUrlKey.named("strict");

  /**
   * Returns the name by which a queue on disk checks that it is opened with the same keys as
   * before.
   */
  String id();

  /** Returns the key of a URL and its host, or empty if it is not a URL. */
  Optional<ParsedUrl> of(String url);
}
