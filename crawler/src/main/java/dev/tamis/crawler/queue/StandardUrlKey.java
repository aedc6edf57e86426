package dev.tamis.crawler.queue;

import crawlercommons.filters.basic.BasicURLNormalizer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The predefined URL keys. */
enum StandardUrlKey implements UrlKey {
  NONE("none") {
    @Override
    public Optional<ParsedUrl> of(String url) {
      return Optional.of(ParsedUrl.of(url));
    }
  },

  DEFRAG("defrag") {
    @Override
    public Optional<ParsedUrl> of(String url) {
      return Optional.of(ParsedUrl.of(withoutFragment(url)));
    }
  },

  STRICT("strict") {
    @Override
    public Optional<ParsedUrl> of(String url) {
      Optional<String> host = UrlHost.of(url);
      if (host.isEmpty()) {
        return Optional.empty(); // or crawler-commons would invent one
      }
      String normal = normalized(url);
      if (url.equals(normal)) {
        return Optional.of(new ParsedUrl(url, host));
      }
      return Optional.ofNullable(normal)
          .map(ParsedUrl::of)
          .filter(parsed -> parsed.host().isPresent())
          .or(() -> Optional.of(new ParsedUrl(withoutFragment(url), host)));
    }
  };

  private final String id;

  StandardUrlKey(String id) {
    this.id = id;
  }

  @Override
  public String id() {
    return id;
  }

  /**
   * Returns the key with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static StandardUrlKey named(String id) {
    for (StandardUrlKey key : values()) {
      if (key.id.equals(id)) {
        return key;
      }
    }
    throw new IllegalArgumentException(
        "queue: key: must be none, defrag or strict, got '" + id + "'; call key(yours)");
  }

  private static String withoutFragment(String url) {
    int fragment = url.indexOf('#');
    return fragment < 0 ? url : url.substring(0, fragment);
  }

  private static @Nullable String normalized(String url) {
    try {
      return Normalizer.INSTANCE.filter(url);
    } catch (IndexOutOfBoundsException e) {
      return null; // version 1.6 fails on an escape at the end of some paths, as in p%2d1/?q
    }
  }

  /** Loaded on first use. */
  private static final class Normalizer {
    static final BasicURLNormalizer INSTANCE = BasicURLNormalizer.newBuilder().build();
  }
}
