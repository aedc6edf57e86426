package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Thorough;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** URLs mean what browsers take them for, and their normal form is that of RFC 3986. */
class WebUrlTest {

  private static final int RANDOM_URLS = Thorough.or(20_000, 200_000);
  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

  /**
   * What browsers mend and we do not, since a link of this kind is a mistake: no slashes after the
   * scheme, hosts that are odd numbers, port 0, dots for a host, characters in a host that no URI
   * has.
   */
  private static final Pattern NOT_MENDED =
      Pattern.compile(
          "(?i)https?:(?![/\\\\]{2}[^/\\\\]).*|http://[^/]*(?:[0-9a-f]|%2e|\\uff11)\\.?/?|"
              + "http://[^/]*[\"`{}].*|https?://(?:0x\\.0x\\.0|\\.\\.?)/?|http://f:0+/c|http://foo\\.09\\.\\.|http://f:0+/c");

  /**
   * What browsers refuse and we do not: wrong punycode, an escape in an IPv6 address. Not in the
   * table: a plus sign before a port, joiners alone, and names of both directions.
   */
  private static final Pattern NOT_REFUSED =
      Pattern.compile("(?i)http://.*\\.xn--pokxncvks|http://\\[::%31]");

  @Test
  void readsUrlsAsTheStandardSays() throws IOException {
    List<String> different = new ArrayList<>();
    int equal = 0;
    for (String[] row : cases()) {
      Optional<String> found = parsed(row[0], row[1]).map(WebUrlTest::withoutFragment);
      Optional<String> expected =
          row[2].isEmpty() ? Optional.empty() : Optional.of(withoutFragment(row[2]));
      if (found.equals(expected)) {
        equal++;
      } else if (!(found.isEmpty() ? NOT_MENDED : NOT_REFUSED).matcher(row[0].strip()).matches()) {
        different.add(row[0] + " on " + row[1] + ": " + found + ", not " + expected);
      }
    }
    assertThat(different).isEmpty();
    assertThat(equal).isGreaterThanOrEqualTo(524);
  }

  /** The parser in the test shares nothing with the one it tests. */
  @Test
  void theNormalFormIsEquivalentAndItsOwn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < RANDOM_URLS; i++) {
      String url = randomUrl(random);
      String key = UrlKey.STRICT.of(url).orElseThrow(() -> new AssertionError(url)).key();
      assertThat(query(key)).as(url).isEqualTo(query(url));
      assertThat(UrlKey.STRICT.of(key).map(ParsedUrl::key)).as(url).contains(key);
      assertThat(pathOf(key)).as(url).isEqualTo(normalPath(pathOf(url)));
      assertThat(ParsedUrl.of(key).host()).as(url).contains("h");
    }
  }

  private static Optional<String> parsed(String input, String base) {
    Optional<WebUrl> alone = WebUrl.of(input);
    return (alone.isPresent() || base.isEmpty()
            ? alone
            : WebUrl.of(base).orElseThrow().resolve(input))
        .map(WebUrl::toString);
  }

  private static List<String[]> cases() throws IOException {
    List<String[]> rows = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(WebUrlTest.class.getResourceAsStream("url-standard.tsv")),
                UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] columns = line.split("\t", -1);
        for (int i = 0; i < columns.length; i++) {
          columns[i] = decoded(columns[i]);
        }
        rows.add(columns);
      }
    }
    return rows;
  }

  private static String decoded(String column) {
    return Pattern.compile("\\\\u([0-9a-f]{4})")
        .matcher(column)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group(1), 16))));
  }

  private static String randomUrl(SplittableRandom random) {
    String[] parts =
        """
        a b1 ~ %7e %41 %2F %2f %3F %c3%a4 - %2D . %2e / / /../ /./ /%2e%2e/ /.%2E/ + %20 : @ ; \
        = & %25 %2541\
        """
            .split(" ", -1);
    String[] queryParts = {
      "a=1", "&", "b=%7e", "?", "/", "/../", "%2e%2e", "%zz", "%", "+", "%20", ";", "x[]=1", "%C3"
    };
    StringBuilder url = new StringBuilder("http://h/");
    for (int i = random.nextInt(8); i > 0; i--) {
      url.append(parts[random.nextInt(parts.length)]);
    }
    if (random.nextInt(4) != 0) {
      url.append('?');
      for (int i = random.nextInt(6); i > 0; i--) {
        url.append(queryParts[random.nextInt(queryParts.length)]);
      }
    }
    return random.nextInt(4) == 0 ? url + "#fragment?" : url.toString();
  }

  private static String withoutFragment(String url) {
    int fragment = url.indexOf('#');
    return fragment < 0 ? url : url.substring(0, fragment);
  }

  private static String query(String url) {
    String address = withoutFragment(url);
    int query = address.indexOf('?');
    return query < 0 ? "none" : address.substring(query);
  }

  private static String pathOf(String url) {
    return withoutFragment(url).split("\\?", 2)[0].substring("http://h".length());
  }

  /** Sections 6.2.2.1 to 6.2.2.3, in that order. */
  private static String normalPath(String path) {
    String decoded =
        ESCAPE
            .matcher(path)
            .replaceAll(
                match -> {
                  char c = (char) Integer.parseInt(match.group(1), 16);
                  boolean isFree =
                      (c < 0x80 && Character.isLetterOrDigit(c)) || "-._~".indexOf(c) >= 0;
                  return Matcher.quoteReplacement(
                      isFree ? String.valueOf(c) : match.group().toUpperCase(Locale.ROOT));
                });
    Deque<String> kept = new ArrayDeque<>();
    String[] segments = decoded.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      boolean isLast = i == segments.length - 1;
      switch (segments[i]) {
        case "." -> {
          if (isLast) {
            kept.addLast("");
          }
        }
        case ".." -> {
          kept.pollLast();
          if (isLast) {
            kept.addLast("");
          }
        }
        default -> kept.addLast(segments[i]);
      }
    }
    return "/" + String.join("/", kept);
  }
}
