package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.ParsedUrl;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a port, where the default ports of HTTP and HTTPS are the same.
 *
 * @param host in lower case
 * @param port empty for 80 of HTTP and 443 of HTTPS
 */
record HostPort(String host, String port) {

  private static final Pattern PORT =
      Pattern.compile(
          "(?i)(https?)://[^/?#\\\\]*?(?::([0-9]{1,5}))?(?:[/?#\\\\].*)?", Pattern.DOTALL);

  /** Returns those of a URL, or empty if it is not an absolute HTTP or HTTPS URL. */
  static Optional<HostPort> of(ParsedUrl url) {
    Matcher matcher = PORT.matcher(url.key());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String usual = matcher.group(1).equalsIgnoreCase("https") ? "443" : "80";
    String port = Optional.ofNullable(matcher.group(2)).filter(p -> !p.equals(usual)).orElse("");
    return url.host().map(host -> new HostPort(host, port));
  }
}
