package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.ParsedUrl;
import dev.tamis.crawler.queue.UrlScope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which links a crawl follows from its starts. */
public enum Reach {
  /**
   * All pages on the host of a start at its port, over HTTP and HTTPS; the default ports of the two
   * are the same.
   */
  HOST {
    @Override
    UrlScope from(List<ParsedUrl> starts) {
      Set<HostPort> wanted =
          starts.stream()
              .flatMap(start -> HostPort.of(start).stream())
              .collect(Collectors.toUnmodifiableSet());
      return url -> HostPort.of(url).filter(wanted::contains).isPresent();
    }
  },

  /** All pages on the host of a start, at any port, over HTTP and HTTPS. */
  ALL_PORTS {
    @Override
    UrlScope from(List<ParsedUrl> starts) {
      return UrlScope.hosts(
          starts.stream().flatMap(start -> start.host().stream()).toArray(String[]::new));
    }
  },

  /** Pages below the folder of a start: its URL up to the last slash of the path. */
  PREFIX {
    @Override
    UrlScope from(List<ParsedUrl> starts) {
      List<String> folders = starts.stream().map(start -> folder(start.key())).toList();
      return url -> folders.stream().anyMatch(url.key()::startsWith);
    }
  };

  abstract UrlScope from(List<ParsedUrl> starts);

  private static String folder(String start) {
    int query = start.indexOf('?');
    String path = query < 0 ? start : start.substring(0, query);
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

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
}
