package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says which URLs a queue is for. Several threads may ask at once.
 *
 * <p>It is asked about the key of a URL, so that under {@link UrlKey#NORMALIZED} no {@code /../}
 * leads out of a prefix.
 */
@FunctionalInterface
public interface UrlScope {

  /** Returns whether URLs with this key are wanted. */
  boolean contains(String key);

  /** Returns the scope of everything. */
  static UrlScope everything() {
    return key -> true;
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
    return key -> HostName.of(key).filter(wanted::contains).isPresent();
  }

  /** Returns the scope of URLs whose key begins with {@code prefix}, letter by letter. */
  static UrlScope prefix(String prefix) {
    requireNonNull(prefix, "prefix");
    return key -> key.startsWith(prefix);
  }
}
