package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths and patterns of robots.txt. */
class RobotsPatternTest {

  @ParameterizedTest
  @CsvSource({
    "/*.pdf$, /a.pdf, true",
    "/*.pdf$, /a.pdf.pdf, true",
    "/*y$, /y/x/y, true",
    "/*y$, /y/x, false",
    "/*a*a$, /a, false",
    "/*a*a$, /aa, true",
    "/ab*b$, /ab, false",
    "/x$, /x, true",
    "/x$, /x/, false",
    "/x, /xy, true",
    "/*x*y, /axbyc, true",
    "/*x*y, /aybx, false",
    "/**, /, true",
    "/*$, /a, true",
    "/?q=*, /?q=1, true",
    "/%2A, /*, true",
    "/%2A, /a, false",
  })
  void aPatternMatchesWhatTheStandardSays(String pattern, String path, boolean matches) {
    byte[] file = ("User-agent: *\nDisallow: " + pattern + "\n").getBytes(UTF_8);
    RobotsFile.Rules rules = RobotsFile.Rules.parse(URI.create("http://h/robots.txt"), file, "a");
    assertThat(rules.allow("http://h" + path)).isEqualTo(!matches);
  }

  @Test
  void aPathThatTakesTooManyStepsToMatchIsDisallowed() {
    String many =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "Disallow: /*a" + i + "\n")
            .collect(Collectors.joining());
    String piece = "Disallow: /*" + "a".repeat(4_000);
    String repetitive = piece + "b\n" + piece + "c\n";
    for (String lines : new String[] {many, repetitive}) {
      byte[] file = ("User-agent: *\n" + lines).getBytes(UTF_8);
      RobotsFile.Rules rules = RobotsFile.Rules.parse(URI.create("http://h/robots.txt"), file, "a");
      assertThat(rules.allow("http://h/" + "a".repeat(200))).isTrue();
      assertThat(rules.allow("http://h/" + "a".repeat(8_000))).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"/a, /a*, false", "/a*, /a, true", "/a, /a, true", "/*a$, /x/a*, false"})
  void theLongestPatternDecidesAndAllowWinsATie(String allow, String disallow, boolean isAllowed) {
    String lines = "User-agent: a\nDisallow: " + disallow + "\nAllow: " + allow + "\n";
    RobotsFile.Rules rules =
        RobotsFile.Rules.parse(URI.create("http://h/robots.txt"), lines.getBytes(UTF_8), "a");
    assertThat(rules.allow("http://h/a") && rules.allow("http://h/x/a")).isEqualTo(isAllowed);
  }
}
