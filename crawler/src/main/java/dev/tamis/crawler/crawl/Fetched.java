package dev.tamis.crawler.crawl;

import dev.tamis.tools.http.LimitedBody;
import dev.tamis.tools.http.MediaType;
import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Result of a request. */
sealed interface Fetched {

  /** The server responded. */
  record Response(int status, HttpHeaders headers, LimitedBody.Content body) implements Fetched {

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /** Returns the content type in lower case and without parameters; empty if there is none. */
    String contentType() {
      return MediaType.of(headers);
    }

    /** Returns the character set that the content type names. */
    Optional<String> charset() {
      return headers
          .firstValue("Content-Type")
          .flatMap(type -> Optional.ofNullable(parameter(type, "charset")));
    }

    /** Returns the target of a redirect. */
    Optional<String> location() {
      return REDIRECTS.contains(status) ? headers.firstValue("Location") : Optional.empty();
    }

    /** Returns the bytes of the body as read or, if they were not all read, as announced. */
    OptionalLong bytes() {
      return body.whole() ? OptionalLong.of(body.bytes().length) : announcedBytes();
    }

    private OptionalLong announcedBytes() {
      try {
        return headers.firstValueAsLong("Content-Length");
      } catch (NumberFormatException e) {
        return OptionalLong.empty(); // malformed
      }
    }

    private static @Nullable String parameter(String type, String name) {
      for (String part : type.split(";", -1)) {
        String[] pair = part.split("=", 2);
        if (pair.length == 2 && pair[0].strip().equalsIgnoreCase(name)) {
          return pair[1].strip().replace("\"", "").replace("'", "");
        }
      }
      return null;
    }
  }

  /**
   * There was no response.
   *
   * @param outcome {@link Outcome#TIMED_OUT} or {@link Outcome#UNREACHABLE}
   * @param reason for people
   */
  record Failure(Outcome outcome, String reason) implements Fetched {}
}
