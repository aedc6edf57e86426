package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Thorough;
import dev.tamis.fuzz.Pieces;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is decided about a URL by its key is true of what is requested. */
class UrlContainmentTest {

  private static final int RANDOM_URLS = Thorough.or(6_000, 60_000);

  /** Dots, slashes and what may stand for them or go away, among names. */
  private static final String[] PARTS =
      Pieces.split(
          """
          . . .. %2e %2E %2e%2e .%2e %2E. %252e %2e%2e%2f %2F / / / // \\ %5c \t \n \r ..; ; %00 \
          %20 ␠ secret docs p%2d1 %7e %ff \uff0e \u2025 \u3002 %c0%ae %ef%bc%8e + @ : [ ] | " { \
          ^ ` % %2 %zz \u00e4 \ud83d\ude00\
          """);

  private static final String[] STARTS =
      ",,,../,%2e%2e/,.%2E\\,x/../../,.\t.\n/,./%2E./secret/,..%2f,//../../".split(",", -1);

  private static final String[] TAILS = {"", "?", "?q", "?/../", "#", "#/../", "?a#b", "?%2e%2e/"};

  /** A dot segment in any escaping, as RFC 3986 and the URL Standard define it. */
  private static final Pattern DOTS = Pattern.compile("(?i)(?:\\.|%2e){1,2}");

  @Test
  void noRequestHasADotSegmentOrLeavesItsKey() {
    SplittableRandom random = new SplittableRandom(7);
    UrlScope scope = UrlScope.prefix("http://h/docs/");
    int parsed = 0;
    int inScope = 0;
    for (int i = 0; i < RANDOM_URLS; i++) {
      String url = "http://h/docs/" + randomPath(random);
      Optional<ParsedUrl> key = UrlKey.STRICT.of(url);
      Optional<WebUrl> web = WebUrl.of(url);
      assertThat(key.isPresent()).as(url).isEqualTo(web.isPresent());
      if (web.isEmpty()) {
        continue;
      }
      parsed++;
      URI requested = URI.create(web.get().toUri().toASCIIString()); // an independent parser
      assertThat(requested.getHost()).as(url).isEqualTo("h");
      assertThat(requested.getRawFragment()).as(url).isNull();
      assertThat(requested.getRawPath().split("/", -1))
          .as(url)
          .noneMatch(UrlContainmentTest::isDots);
      assertThat(pathOf(key.get().key()).split("/", -1))
          .as(url)
          .noneMatch(UrlContainmentTest::isDots);
      assertThat(UrlKey.STRICT.of(requested.toString()).map(ParsedUrl::key))
          .as("the key of what is requested for %s", url)
          .isEqualTo(WebUrl.of(requested.toString()).map(WebUrl::normalForm));
      if (scope.contains(key.get())) {
        inScope++;
        assertThat(requested.getRawPath()).as(url).startsWith("/docs/");
        assertThat(requested.normalize().getRawPath()).as(url).startsWith("/docs/");
      } else {
        assertThat(requested.getRawPath()).as(url).doesNotStartWith("/docs/");
      }
    }
    assertThat(parsed).isGreaterThan(RANDOM_URLS / 2);
    assertThat(inScope).isBetween(RANDOM_URLS / 10, parsed - RANDOM_URLS / 10);
  }

  private static boolean isDots(String segment) {
    return DOTS.matcher(segment).matches();
  }

  private static String pathOf(String key) {
    return key.substring("http://h".length()).split("[?#]", 2)[0];
  }

  private static String randomPath(SplittableRandom random) {
    StringBuilder path = new StringBuilder(STARTS[random.nextInt(STARTS.length)]);
    for (int i = random.nextInt(9); i > 0; i--) {
      path.append(PARTS[random.nextInt(PARTS.length)]);
    }
    return path + TAILS[random.nextInt(TAILS.length)];
  }

  @Test
  void aDelimiterInAHostIsRefused() {
    for (String delimiter :
        """
        %23 %2f %2F %3f %40 %5c %00 %3a %25 %2523 %20 %0a %7f %22 %7b %60 %5b %3c %7c %5e " \
        { } ` < ^ | % \uff03 \uff0f \uff1f \uff20 \uff3c \uff1a \u2100 \u2048 \u2a74 \
        %ef%bc%83 %e2%84%80\
        """
            .split(" ", -1)) {
      WebUrl page = WebUrl.of("http://page/").orElseThrow();
      for (String reference :
          new String[] {"//a" + delimiter + "b/", "//a" + delimiter, "//" + delimiter + "b/x"}) {
        assertThat(WebUrl.of("http:" + reference)).as(reference).isEmpty();
        assertThat(page.resolve(reference)).as(reference).isEmpty();
        assertThat(UrlKey.STRICT.of("https:" + reference)).as(reference).isEmpty();
      }
    }
  }

  /** Host, fragment and path are those of the key for any character in any place of a host. */
  @Test
  void theHostRequestedIsTheOneInTheKey() {
    for (int c = 0; c < 0x3000; c++) {
      for (String text :
          new String[] {Character.toString(c), String.format(Locale.ROOT, "%%%02x", c & 0xff)}) {
        String url = "http://a" + text + "b.c/x";
        Optional<WebUrl> web = WebUrl.of(url);
        if (web.isPresent()) {
          URI requested = web.get().toUri();
          String key = web.get().normalForm();
          assertThat(requested.getRawFragment()).as(url).isNull();
          assertThat(key).as(url).doesNotContain("#").startsWith("http://");
          assertThat(requested.getRawAuthority()).as(url).isEqualTo(withoutUser(key));
        }
      }
    }
  }

  private static String withoutUser(String key) {
    int start = "http://".length();
    String authority = key.substring(start, key.indexOf('/', start));
    return authority.substring(authority.lastIndexOf('@') + 1);
  }
}
