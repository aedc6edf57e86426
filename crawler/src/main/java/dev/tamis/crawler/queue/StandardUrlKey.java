package dev.tamis.crawler.queue;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The predefined URL keys. */
record StandardUrlKey(String id, Function<String, Optional<ParsedUrl>> parser) implements UrlKey {

  static final List<StandardUrlKey> ALL =
      List.of(
          new StandardUrlKey("none", url -> Optional.of(ParsedUrl.of(url))),
          new StandardUrlKey("defrag", url -> Optional.of(ParsedUrl.of(url.split("#", 2)[0]))),
          new StandardUrlKey(
              "strict", url -> WebUrl.of(url).map(parsed -> ParsedUrl.of(parsed.normalForm()))));

  /**
   * Returns the key with this name.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  static StandardUrlKey named(String id) {
    return ALL.stream()
        .filter(key -> key.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "queue: key: must be none, defrag or strict, got '"
                        + id
                        + "'; call key(yours)"));
  }

  @Override
  public Optional<ParsedUrl> of(String url) {
    return parser.apply(url);
  }
}
