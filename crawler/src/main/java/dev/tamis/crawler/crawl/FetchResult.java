package dev.tamis.crawler.crawl;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/** Result of a request. */
sealed interface FetchResult {

  record Head(int status, Headers headers) {

    /** Returns the content type in lower case and without parameters; empty if there is none. */
    String contentType() {
      return first("Content-Type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    Optional<String> first(String name) {
      return all(name).stream().findFirst();
    }

    List<String> all(String name) {
      return headers.values(name);
    }
  }

  /**
   * The server responded.
   *
   * @param body its first bytes, up to the limit
   * @param isWhole whether there are no more
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Response(Head head, byte[] body, boolean isWhole) implements FetchResult {

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /** Returns the character set that the content type names. */
    Optional<String> charset() {
      return head.first("Content-Type")
          .flatMap(type -> Optional.ofNullable(parameter(type, "charset")));
    }

    /** Returns the target of a redirect. */
    Optional<String> location() {
      return REDIRECTS.contains(head.status()) ? head.first("Location") : Optional.empty();
    }

    /** Returns the bytes of the body as read or, if they were not all read, as announced. */
    OptionalLong bytes() {
      return isWhole ? OptionalLong.of(body.length) : announcedBytes();
    }

    /**
     * Returns the decoded body up to one byte more than {@code maxBytes}, or empty if the content
     * encoding is not supported, or damaged.
     */
    Optional<byte[]> decoded(int maxBytes) {
      String encoding = head.first("Content-Encoding").orElse("").strip().toLowerCase(Locale.ROOT);
      if (encoding.isEmpty() || encoding.equals("identity")) {
        return Optional.of(body);
      }
      if (!encoding.equals("gzip") && !encoding.equals("x-gzip")) {
        return Optional.empty();
      }
      return Gzip.decompress(body, maxBytes + 1);
    }

    private OptionalLong announcedBytes() {
      try {
        return head.first("Content-Length")
            .map(length -> OptionalLong.of(Long.parseLong(length)))
            .orElse(OptionalLong.empty());
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
   * @param outcome {@link Outcome#TIMED_OUT}, {@link Outcome#UNREACHABLE} or {@link
   *     Outcome#REFUSED}
   */
  record Failure(Outcome outcome, String reason) implements FetchResult {

    boolean isTransient() {
      return outcome != Outcome.REFUSED;
    }
  }
}
