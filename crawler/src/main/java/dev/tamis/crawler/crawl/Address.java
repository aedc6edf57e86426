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
    return isTooLong(url) ? Optional.empty() : WebUrl.of(url).flatMap(Address::requestable);
  }

  /** Resolves a reference against the base of the page it was found on. */
  static Optional<String> of(String reference, WebUrl base) {
    return isTooLong(reference)
        ? Optional.empty()
        : base.resolve(reference).flatMap(Address::requestable);
  }

  /** Resolves a reference against the address of the page it was found on. */
  static Optional<String> of(String reference, String base) {
    return WebUrl.of(base).flatMap(page -> of(reference, page));
  }

  /** A parser keeps every segment of a path, so a text of megabytes would take gigabytes. */
  private static boolean isTooLong(String text) {
    return text.trim().length() > MAX_BYTES;
  }

  private static Optional<String> requestable(WebUrl url) {
    URI uri = url.toUri();
    String address = uri.toASCIIString();
    return uri.getHost() != null && address.length() <= MAX_BYTES
        ? Optional.of(address)
        : Optional.empty();
  }
}
