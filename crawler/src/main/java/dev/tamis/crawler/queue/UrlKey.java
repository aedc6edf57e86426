package dev.tamis.crawler.queue;

import java.util.Optional;

/**
 * Says which URLs are the same: those with one key. Several threads may ask at once.
 *
 * <p>The URL that is delivered is the one that was pushed; the key only tells whether it was seen.
 * A key must be a URL too where a scope or hosts are asked for, which look at it. It must depend on
 * the URL alone, and the key of a key should be the key itself.
 */
public interface UrlKey {

  /** Takes URLs as they are. */
  UrlKey NONE = ReadyKey.NONE;

  /** Takes URLs without what follows the first {@code #}, which is never sent to a server. */
  UrlKey FRAGMENT_STRIPPED = ReadyKey.FRAGMENT_STRIPPED;

  /**
   * Takes absolute URLs in their normal form: host in lower case and punycode, no default port, no
   * fragment, no {@code ..}, one way of escaping, parameters sorted. That of crawler-commons; what
   * it has no form for, such as IPv6 addresses, is taken as by {@link #FRAGMENT_STRIPPED}.
   */
  UrlKey NORMALIZED = ReadyKey.NORMALIZED;

  /**
   * Returns the name by which a queue on disk knows that it is opened with the same keys as before.
   */
  String id();

  /** Returns the key of a URL, or nothing if it cannot be a URL. */
  Optional<String> of(String url);
}
