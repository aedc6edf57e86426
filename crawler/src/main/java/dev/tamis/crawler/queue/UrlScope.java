package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which URLs a queue accepts. Implementations are thread-safe.
 *
 * <p>It sees the key of a URL, so that under {@link UrlKey#STRICT} no {@code /../} leads out of a
 * prefix.
 */
@FunctionalInterface
public interface UrlScope {

  /** Returns whether URLs with this key are in scope. */
  boolean contains(ParsedUrl url);

  /** Returns the scope that contains every URL. */
  static UrlScope everything() {
    return url -> true;
  }

  /**
   * Returns the scope of URLs on these hosts, at any port.
   *
   * @throws IllegalArgumentException if there are none
   */
  static UrlScope hosts(String... hosts) {
    Set<String> wanted =
        Stream.of(hosts)
            .map(host -> host.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("hosts must be at least one, got none");
    }
    return url -> url.host().filter(wanted::contains).isPresent();
  }

  /** Returns the scope of URLs whose key starts with {@code prefix}; case-sensitive. */
  static UrlScope prefix(String prefix) {
    requireNonNull(prefix, "prefix");
    return url -> url.key().startsWith(prefix);
  }
}
