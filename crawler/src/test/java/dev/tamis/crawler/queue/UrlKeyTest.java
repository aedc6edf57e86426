package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlKeyTest {

  private static final List<String> URLS =
      List.of(
          "http://h",
          "HTTP://H:80/a/../b?y=1&x=2#f",
          "http://h/p%2d1/?q",
          "http://h/%zz",
          "http://h/a b",
          "http://[::1]:80/x#y",
          "http://user:pw@h/",
          "https://ex\u00e4mple.org/\u00fc?\u00df#x",
          "http://h/?a=%3d&b=c%26d",
          "http://h/%2e%2e/x");

  @ParameterizedTest
  @ValueSource(strings = {"none", "defrag", "strict"})
  void theKeyOfAKeyIsTheKey(String name) {
    UrlKey key = StandardUrlKey.named(name);
    for (String url : URLS) {
      ParsedUrl once = key.of(url).orElseThrow();
      assertThat(once.host()).as(url).isEqualTo(ParsedUrl.of(once.key()).host());
      assertThat(key.of(once.key())).as(url).contains(once);
    }
  }

  @Test
  void normalFormMakesOneOfMany() {
    for (String url : List.of("http://h", "HTTP://H:80/", "http://h/#top", "http://h/a/..")) {
      assertThat(UrlKey.STRICT.of(url)).as(url).contains(ParsedUrl.of("http://h/"));
    }
    for (String url : List.of("http://[0:0::1]:80/x#y", "http://[::1]/%78")) {
      assertThat(UrlKey.STRICT.of(url)).as(url).contains(ParsedUrl.of("http://[::1]/x"));
    }
  }

  @Test
  void otherKeysTakeAnything() {
    assertThat(UrlKey.NONE.of("a#b#c").map(ParsedUrl::key)).contains("a#b#c");
    assertThat(UrlKey.DEFRAG.of("a#b#c").map(ParsedUrl::key)).contains("a");
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "http://h/x|h",
        "HTTP://Host.Example:8080/x|host.example",
        "http://host.|host",
        "http://user:p@ss@h:1/x@y|h",
        "http://[2001:DB8::1]:80/|[2001:db8::1]",
        "http://h?x|h",
        "http://h#x|h",
        "http://h\\x|h",
        "svn+ssh://h|h",
        "http://|",
        "http:///x|",
        "h/x://y|",
        "http:/h|",
        "1http://h|"
      },
      delimiter = '|')
  void findsTheHost(String url, String host) {
    assertThat(ParsedUrl.of(url).host()).isEqualTo(Optional.ofNullable(host));
  }
}
