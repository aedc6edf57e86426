package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.ParsedUrl;
import dev.tamis.crawler.queue.UrlKey;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.Optional;

/** Normalizes links to URLs that can be requested: the keys under which the queue knows them. */
final class Address {

  /** The limit of common servers. */
  static final int MAX_BYTES = 8192;

  private static final int MAX_PORT = 65_535;

  private Address() {}

  /** Returns the address of an absolute URL, or empty if it is not an HTTP or HTTPS URL. */
  static Optional<String> of(String url) {
    return UrlKey.STRICT.of(url.strip()).map(ParsedUrl::key).filter(Address::isRequestable);
  }

  /** Resolves a reference against the address of the page it was found on. */
  static Optional<String> of(String reference, String base) {
    String text = reference.strip();
    if (text.startsWith("?")) { // URL would drop the last part of the path
      return of(base.split("[?#]", 2)[0] + text);
    }
    try {
      return of(new URL(new URL(base), text).toExternalForm());
    } catch (MalformedURLException e) {
      return Optional.empty();
    }
  }

  private static boolean isRequestable(String address) {
    try {
      URI uri = new URI(address);
      String scheme = uri.getScheme();
      return address.length() <= MAX_BYTES // it is ASCII, or URI would escape it
          && address.chars().allMatch(c -> c > ' ' && c < 0x7f)
          && ("http".equals(scheme) || "https".equals(scheme))
          && uri.getHost() != null
          && uri.getPort() <= MAX_PORT;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
