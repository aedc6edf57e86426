package dev.tamis.crawler.queue;

import crawlercommons.filters.basic.BasicURLNormalizer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ready-made ways to tell URLs apart. */
enum ReadyKey implements UrlKey {
  NONE("none") {
    @Override
    public Optional<String> of(String url) {
      return Optional.of(url);
    }
  },

  FRAGMENT_STRIPPED("defrag") {
    @Override
    public Optional<String> of(String url) {
      return Optional.of(withoutFragment(url));
    }
  },

  NORMALIZED("strict") {
    @Override
    public Optional<String> of(String url) {
      if (HostName.of(url).isEmpty()) {
        return Optional.empty(); // or crawler-commons would make a host of it
      }
      String normal = normalized(url);
      return Optional.of(
          normal != null && HostName.of(normal).isPresent() ? normal : withoutFragment(url));
    }
  };

  private final String id;

  ReadyKey(String id) {
    this.id = id;
  }

  @Override
  public String id() {
    return id;
  }

  /**
   * Returns the one with this name.
   *
   * @throws IllegalArgumentException if none has it
   */
  static ReadyKey named(String id) {
    for (ReadyKey key : values()) {
      if (key.id.equals(id)) {
        return key;
      }
    }
    throw new IllegalArgumentException(
        "key of the queue is '" + id + "', which is not ready-made; call key(yours)");
  }

  private static String withoutFragment(String url) {
    int fragment = url.indexOf('#');
    return fragment < 0 ? url : url.substring(0, fragment);
  }

  private static @Nullable String normalized(String url) {
    try {
      return Normalizer.INSTANCE.filter(url);
    } catch (IndexOutOfBoundsException e) {
      return null; // version 1.6 trips over an escape at the end of some paths, as in p%2d1/?q
    }
  }

  /** Loaded when it is needed. */
  private static final class Normalizer {
    static final BasicURLNormalizer INSTANCE = BasicURLNormalizer.newBuilder().build();
  }
}
