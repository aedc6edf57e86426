package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.fuzz.Pieces;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Any text is refused, or is a URL whose normal form is idempotent. */
class WebUrlFuzzTest {

  private static final int MAX_SHIFT = 15;
  private static final int MAX_CHARACTERS = 100_000;

  private static final Pieces TEXT =
      Pieces.words(
          """
          http:// https:// HTTP:\\\\ // h h/ h/d/ u:p@ :80 :443 :8080/ [::1] [::ffff:1.2.3.4] \
          1.2.3.4 0x7f.1 127.1 . .. /../ /./ %2e %2E%2e %252e %2f %5c %00 %7e %c3%a9 % %z \\ \t \
          \n ? ?a=b&c ?%41+%2b # #f @ ; ' " \u00fc \u0131 \u212a \uff0e \u3002 \u00df \u200d \
          xn-- xn--bcher-kva \ud83d\ude00 \ud800 \u0000 \u00a0\
          """,
          "a".repeat(63), "a.".repeat(60));

  /** A dot segment in any escaping. */
  private static final Pattern DOTS = Pattern.compile("(?i)(?:\\.|%2e){1,2}");

  /** URLs that both parsers must understand alike. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "https?://[a-z][a-z0-9.]*(?::[0-9]{1,4})?(?:/[a-zA-Z0-9~_-]+|/\\.\\.?(?=/))*/?(?:\\?[a-zA-Z0-9=&+%.]*)?");

  @FuzzTest(maxDuration = "10m")
  void anyTextIsNoUrlOrOneInAllItsSpellings(byte[] bytes) {
    if (bytes.length < 2) {
      return;
    }
    String once = TEXT.text(bytes, 1);
    int shift = bytes[0];
    String text =
        shift < 0 || shift > MAX_SHIFT
            ? once
            : once.repeat(Math.max(1, Math.min(1 << shift, MAX_CHARACTERS / once.length())));
    InputBudget.check(text.length(), () -> check(text));
  }

  private static void check(String text) {
    Optional<WebUrl> parsed = WebUrl.of(text);
    assertThat(UrlKey.STRICT.of(text).isPresent()).isEqualTo(parsed.isPresent());
    parsed.ifPresent(url -> checkUrl(url, text));
    WebUrl page = WebUrl.of("http://page/d/p?q").orElseThrow();
    page.resolve(text).ifPresent(url -> checkUrl(url, ""));
    assertThat(ParsedUrl.of(text).host()).isNotEqualTo(Optional.of(""));
  }

  private static void checkUrl(WebUrl url, String text) {
    String normal = url.normalForm();
    assertThat(WebUrl.of(normal).map(WebUrl::normalForm)).contains(normal);
    URI requested = URI.create(url.toUri().toASCIIString()); // an independent parser
    assertThat(requested.getRawUserInfo()).isNull();
    assertThat(requested.getRawFragment()).isNull();
    for (String path : List.of(requested.getRawPath(), pathOf(normal))) {
      assertThat(path.split("/", -1)).noneMatch(segment -> DOTS.matcher(segment).matches());
    }
    WebUrl again = WebUrl.of(requested.toString()).orElseThrow();
    assertThat(again.toUri().toASCIIString()).isEqualTo(requested.toString());
    assertThat(ParsedUrl.of(normal).host()).isPresent();
    if (PLAIN.matcher(text).matches()) {
      compare(url, text);
    }
  }

  private static String pathOf(String key) {
    return key.substring(key.indexOf('/', "https://".length())).split("[?#]", 2)[0];
  }

  /** Compares with the JDK's parser, whose paths may still begin with dot segments. */
  private static void compare(WebUrl url, String text) {
    URI there;
    try {
      there = new URI(text).normalize();
    } catch (URISyntaxException e) {
      return;
    }
    URI here = url.toUri();
    if (there.getHost() == null) {
      return;
    }
    assertThat(here.getHost()).isEqualTo(there.getHost().toLowerCase(Locale.ROOT));
    assertThat(here.getPort()).isEqualTo(isDefaultPort(there) ? -1 : there.getPort());
    String path = there.getRawPath().replaceFirst("^(?:/\\.\\.)+(?=/|$)", "");
    assertThat(here.getRawPath()).as(text).isEqualTo(path.isEmpty() ? "/" : path);
    if (there.getRawQuery() != null && !there.getRawQuery().isEmpty()) {
      assertThat(here.getRawQuery()).as(text).isEqualTo(there.getRawQuery());
    }
  }

  private static boolean isDefaultPort(URI uri) {
    return uri.getPort() == (uri.getScheme().equals("https") ? 443 : 80);
  }
}
