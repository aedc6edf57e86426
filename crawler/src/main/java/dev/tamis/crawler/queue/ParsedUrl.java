package dev.tamis.crawler.queue;

import java.util.Optional;

/**
 * The key of a URL and the host in it, parsed once for all that need them.
 *
 * @param key identifies the URL: two URLs with equal keys are the same
 * @param host the key's host in lower case, without user, port or final dot; empty if the key is
 *     not an absolute URL with a host
 */
public record ParsedUrl(String key, Optional<String> host) {

  /** Finds the host in a key. */
  public static ParsedUrl of(String key) {
    return new ParsedUrl(key, UrlHost.of(key));
  }
}
