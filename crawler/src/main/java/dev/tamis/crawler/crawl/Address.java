package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.WebUrl;
import java.net.URI;
import java.util.Optional;

/** Builds request URLs from links, as they were found: servers may distinguish spellings. */
final class Address {

  /** The limit of common servers. */
  static final int MAX_BYTES = 8192;

  private Address() {}

  /** Returns the address of an absolute URL, or empty if it is not an HTTP or HTTPS URL. */
  static Optional<String> of(String url) {
    return WebUrl.of(url.strip()).flatMap(Address::requestable);
  }

  /** Resolves a reference against the base of the page it was found on. */
  static Optional<String> of(String reference, WebUrl base) {
    return base.resolve(reference.strip()).flatMap(Address::requestable);
  }

  /** Resolves a reference against the address of the page it was found on. */
  static Optional<String> of(String reference, String base) {
    return WebUrl.of(base).flatMap(page -> of(reference, page));
  }

  private static Optional<String> requestable(WebUrl url) {
    URI uri = url.toUri();
    String address = uri.toASCIIString();
    return uri.getHost() != null && address.length() <= MAX_BYTES
        ? Optional.of(address)
        : Optional.empty();
  }
}
