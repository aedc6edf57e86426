package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.ParsedUrl;
import dev.tamis.crawler.queue.UrlScope;
import java.util.List;
import java.util.Set;
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

  /** Returns the scope of a crawl whose starts have these keys. */
  abstract UrlScope from(List<ParsedUrl> starts);

  private static String folder(String start) {
    int query = start.indexOf('?');
    String path = query < 0 ? start : start.substring(0, query);
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
