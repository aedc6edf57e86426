package dev.tamis.crawler.queue;

import java.util.Optional;

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
      return WebUrl.of(url).map(parsed -> ParsedUrl.of(parsed.normalForm()));
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
}
