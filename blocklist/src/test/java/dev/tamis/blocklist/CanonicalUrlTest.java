package dev.tamis.blocklist;

import static dev.tamis.Refusal.refuses;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.tamis.fuzz.Pieces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalUrlTest {

  @ParameterizedTest
  @CsvSource({
    "http://example.com,                       example.com/",
    "HTTPS://Example.COM./A/b,                 example.com/a/b",
    "//example.com/a,                          example.com/a",
    "example.com/a,                            example.com/a",
    "http:example.com/a,                       example.com/a",
    "http:/example.com/a,                      example.com/a",
    "http:////example.com/a,                   example.com/a",
    "http:\\\\example.com\\a\\b,               example.com/a/b",
    "http://example.com?x=1,                   example.com/?x=1",
    "http://example.com/a?,                    example.com/a",
    "http://example.com/a#top,                 example.com/a",
    "http://example.com#@evil.example/,        example.com/",
    "http://good.example\\@evil.example/,      good.example/@evil.example/",
    "http://good.example@evil.example/a,       evil.example/a",
    "http://good.example:80@evil.example/a,    evil.example/a",
    "http://u:p@evil.example:8080/a,           evil.example:8080/a",
    "http://example.com:80/a,                  example.com/a",
    "https://example.com:443/a,                example.com/a",
    "https://example.com:80/a,                 example.com/a",
    "http://example.com:/a,                    example.com/a",
    "http://example.com:08080/a,               example.com:8080/a",
    "http://example.com/a/./b/../c,            example.com/a/c",
    "http://example.com/a/%2e/b/%2E%2e/c,      example.com/a/c",
    "http://example.com/a/.%2e/../../c,        example.com/c",
    "http://example.com/a/b/..,                example.com/a/",
    "http://example.com/%61%2D%5f%7E,          example.com/a-_~",
    "http://example.com/a%2fb%2Fc,             example.com/a%2fb%2fc",
    "http://example.com/a%5cb,                 example.com/a%5cb",
    "http://example.com/%2561,                 example.com/%2561",
    "http://example.com/100%,                  example.com/100%25",
    "http://example.com/%%341,                 example.com/%2541",
    "http://example.com/a b,                   example.com/a%20b",
    "http://example.com/é,                     example.com/%c3%a9",
    "'\u0001 http://example.com/a \f',           example.com/a",
    "http://example.com/a\fb?c\fd,             example.com/a%0cb?c%0cd",
    "http://example.com/a\u0000\u000b\u007f\u0085,  example.com/a%00%0b%7f%c2%85",
    "http://example.com/a\ud800,               example.com/a%ef%bf%bd",
    "http://example.com/\u3000,                example.com/%e3%80%80",
    "http://example.com/%C3%A9,                example.com/%c3%a9",
    "http://example.com/a|b^c$d*e,             example.com/a%7cb%5ec%24d%2ae",
    "http://example.com/?a|b^c$d*e,            example.com/?a%7cb%5ec%24d%2ae",
    "http://example.com//a//b,                 example.com//a//b",
    "http://straße.example/a,                  xn--strae-oqa.example/a",
    "http://%65xample.com/a,                   example.com/a",
    "http://ex%C3%A4mple.com/a,                xn--exmple-cua.com/a",
    "http://example%2ecom/a,                   example.com/a",
    "http://example。com/a,                     example.com/a",
    "http://192.0.2.7/a,                       192.0.2.7/a",
    "http://１９２.0.2.7/a,                      192.0.2.7/a",
    "'http://[2001:DB8:0::1]:8080/a',          '[2001:db8::1]:8080/a'",
    "'http://[::ffff:192.0.2.7]/a',            192.0.2.7/a",
  })
  void whatLeadsToTheSameIsTheSame(String text, String canonical) {
    CanonicalUrl url = CanonicalUrl.parse(text, text);
    assertThat(url.text()).isEqualTo(canonical);
    assertThat(CanonicalUrl.parse("//" + canonical, "")).isEqualTo(url);
    assertThat(CanonicalUrl.hostOf(canonical)).isEqualTo(url.host());
  }

  @Test
  void breaksWithinAreRemovedAsBrowsersDo() {
    assertThat(Subject.parse(" \tht\ntp://exam\r\nple.com/a\tb ")).hasToString("//example.com/ab");
  }

  @Test
  void refusesWhatIsNoUrlOrNotOneForAll() {
    for (String text :
        Pieces.split(
            """
            http:// http:/// http://:80/ http://user@/ http://example.com:65536/ \
            http://example.com:80a/ http://example.com:-1/ http://example.com:99999999999/ \
            http://exa␠mple.com/ http://a%0c.example/ http://example..com/ http://%/ http://%00.example/ \
            http://%ff.example/ http://a%2fb.example/ http://a%40b.example/ http://2130706433/ \
            http://0x7f000001/ http://0x7f.1/ http://127.0.0.0x1/ http://127.1/ \
            http://0177.0.0.1/ http://127.0.0.1.5/ http://256.0.0.1/ http://[::1/ http://::1/ \
            http://[::1%25lo0]/ http://[example.com]/ ftp://example.com/a file:///etc/passwd \
            javascript://example.com/%0aalert(1)\
            """)) {
      refuses(() -> Subject.parse(text), ", got '");
    }
  }

  @Test
  void aPortMayBeAsHighAsPortsAre() {
    assertThat(Subject.parse("http://example.com:65535/")).hasToString("//example.com:65535/");
    assertThat(Subject.parse("http://example.com:0/")).hasToString("//example.com:0/");
  }

  @Test
  void theLookupsOfAPathAreItsDirectoriesItselfAndItsQuery() {
    assertThat(keys("//example.com/a/b/c.exe?q"))
        .containsExactly("/a/b/c.exe?q", "/a/b/c.exe", "/a/b/", "/a/b", "/a/", "/a", "/");
    assertThat(keys("//example.com/a//b/"))
        .containsExactly("/a//b/", "/a//b", "/a//", "/a/", "/a", "/");
    assertThat(keys("//example.com/?q")).containsExactly("/?q", "/");
  }

  @Test
  void theLookupsOfAPathAreTheBitsOfItsEntries() {
    for (CanonicalUrl.PathKey key : CanonicalUrl.parse("//h.example/a/b//c?q", "").pathKeys(-1)) {
      assertThat(CanonicalUrl.pathBit("h.example" + key.text())).isEqualTo(key.bit());
      assertThat(CanonicalUrl.PATH_BITS >>> key.bit() & 1).isEqualTo(1);
    }
  }

  @Test
  void aPathWithTooManySlashesIsLookedUpAsFarAsEntriesGo() {
    String most = "/a".repeat(CanonicalUrl.MAX_SLASHES);
    assertThat(keys("//h.example" + most)).hasSize(62).startsWith(most);
    assertThat(keys("//h.example" + most + "/a")).hasSize(62).startsWith(most);
    assertThat(keys("//h.example" + most + "/")).hasSize(62).startsWith(most);
    assertThat(keys("//h.example" + most + "/a?q")).hasSize(63).startsWith(most + "/a?q", most);
    String below = "/a".repeat(CanonicalUrl.MAX_SLASHES - 1);
    assertThat(keys("//h.example" + below)).hasSize(60).startsWith(below);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "/..", "%", "%2e", "\\", "?", "@", ":", "[", "/%2e%2e", "é", "."})
  void longTextsTakeLinearTime(String part) {
    String text = "http://example.com/" + part.repeat(100_000 / part.length());
    String authority = "http://" + part.repeat(100_000 / part.length());
    assertTimeout(
        ofSeconds(5),
        () -> {
          assertThat(CanonicalUrl.parse(text, text).host()).isEqualTo("example.com");
          CanonicalUrl.parse(text, text).pathKeys(-1);
          try {
            Subject.parse(authority);
          } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining(", got '");
          }
        });
  }

  private static List<String> keys(String url) {
    return CanonicalUrl.parse(url, url).pathKeys(-1).stream()
        .map(CanonicalUrl.PathKey::text)
        .toList();
  }
}
