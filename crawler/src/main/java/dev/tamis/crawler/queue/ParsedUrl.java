package dev.tamis.crawler.queue;

import java.util.Locale;
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
    return new ParsedUrl(key, host(key));
  }

  private static Optional<String> host(String url) {
    int scheme = url.indexOf("://");
    if (scheme <= 0 || !isScheme(url, scheme)) {
      return Optional.empty();
    }
    int start = scheme + 3;
    int end = start;
    while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    start = Math.max(start, url.lastIndexOf('@', end - 1) + 1);
    int port = url.indexOf(':', Math.max(start, url.lastIndexOf(']', end - 1)));
    if (port >= 0 && port < end) {
      end = port;
    }
    if (end > start && url.charAt(end - 1) == '.') {
      end--;
    }
    return end > start
        ? Optional.of(url.substring(start, end).toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  private static boolean isScheme(String url, int end) {
    for (int i = 0; i < end; i++) {
      char c = url.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && (i == 0 || !((c >= '0' && c <= '9') || "+-.".indexOf(c) >= 0))) {
        return false;
      }
    }
    return true;
  }
}
