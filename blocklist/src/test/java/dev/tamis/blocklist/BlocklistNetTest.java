package dev.tamis.blocklist;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.blocklist.Blocklist.Verdict.ALLOWED;
import static dev.tamis.blocklist.Blocklist.Verdict.BLOCKED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.blocklist.Blocklist.Explanation;
import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.Blocklist.Form;
import dev.tamis.blocklist.BuildSummary.LineCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** IP addresses, networks and URLs, on lists and as queries. */
class BlocklistNetTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7,                            true",
    "192.0.2.8,                            false",
    "::ffff:192.0.2.7,                     true",
    "::ffff:c000:207,                      true",
    "a@192.0.2.7,                          true",
    "a@[192.0.2.7],                        true",
    "http://192.0.2.7:8080/x,              true",
    "http://[::ffff:192.0.2.7]/x,          true",
    "198.51.100.0,                         true",
    "198.51.100.255,                       true",
    "198.51.99.255,                        false",
    "198.51.101.0,                         false",
    "http://198.51.100.9/x,                true",
    "::ffff:198.51.100.9,                  true",
    "::198.51.100.9,                       false",
    "203.0.113.6,                          true",
    "203.0.113.7,                          true",
    "203.0.113.5,                          false",
    "203.0.113.8,                          false",
    "2001:DB8:0::0007,                     true",
    "[2001:db8::7],                        true",
    "a@[IPv6:2001:db8::7],                 true",
    "2001:db8::8,                          false",
    "2001:db8:1::,                         true",
    "2001:db8:1:ffff:ffff:ffff:ffff:ffff,  true",
    "2001:db8:2::,                         false",
    "https://[2001:db8:1::9]:443/x,        true",
    "http://example.com/bad/file.exe,      true",
    "https://EXAMPLE.com./bad/File.exe,    true",
    "example.com/bad/file.exe?x=1#y,       true",
    "http://u:p@example.com:80/bad/%66ile.exe, true",
    "http://example.com/x/%2e%2E/bad/./file.exe, true",
    "http:\\\\example.com\\bad\\file.exe,  true",
    "http://example.com/bad/file.exe/x,    true",
    "http://example.com/bad/file.exe2,     false",
    "http://example.com/bad/file,          false",
    "http://example.com/bad/,              false",
    "http://example.com:8080/bad/file.exe, false",
    "http://www.example.com/bad/file.exe,  false",
    "example.com,                          false",
    "a@example.com,                        false",
    "http://d.example/ads/,                true",
    "http://d.example/ads/x/y?z,           true",
    "http://a.b.d.example/ads/x,           true",
    "http://d.example/ads,                 false",
    "http://d.example/adsx,                false",
    "http://xd.example/ads/,               false",
    "http://d.example/sep,                 true",
    "http://d.example/sep/x,               true",
    "http://d.example/sep?x,               true",
    "http://d.example/separator,           false",
    "http://d.example/q?id=1,              true",
    "http://d.example/q?id=1&x=2,          false",
    "http://d.example/q,                   false",
    "http://d.example:811/x,               true",
    "http://d.example/x,                   false",
    "http://192.0.2.9/p/x,                 true",
    "http://192.0.2.9/,                    false",
    "192.0.2.9,                            false",
    "http://mail.example/x,                true",
    "http://x.whole.example/y,             true",
    "http://x.below.example/y,             true",
    "http://below.example/y,               false",
  })
  void matchesWhatTheEntriesSay(String query, boolean blocked) throws IOException {
    assertThat(mixed().check(query).isBlocked()).isEqualTo(blocked);
  }

  private static Blocklist mixed() throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(1e-7).exact();
    for (String entry :
        List.of(
            "192.0.2.7",
            "198.51.100.0/24",
            "203.0.113.6/31",
            "2001:db8::7",
            "2001:db8:1::/48",
            "http://example.com/bad/file.exe",
            "||d.example/ads/",
            "||d.example/sep^",
            "||d.example/q?id=1",
            "||d.example:811^",
            "||192.0.2.9/p/",
            "mail.example",
            ".whole.example",
            "*.below.example")) {
      builder.block("mixed", entry);
    }
    return builder.build().blocklist();
  }

  @ParameterizedTest
  @CsvSource({
    "198.51.100.9,                   NETWORK,    198.51.100.0/24",
    "a@[IPv6:2001:db8:1::9],         NETWORK,    2001:db8:1::/48",
    "::ffff:192.0.2.7,               HOST,       192.0.2.7",
    "https://example.com/bad/file.exe?x, URL,    //example.com/bad/file.exe",
    "http://a.d.example/ads/x,       DOMAIN_URL, ||d.example/ads/",
    "http://d.example/sep/x,         DOMAIN_URL, ||d.example/sep",
    "http://d.example/q?ID=1,        DOMAIN_URL, ||d.example/q?id=1",
    "http://d.example:811/x,         DOMAIN_URL, ||d.example:811/",
    "http://192.0.2.9/p/x,           URL,        //192.0.2.9/p/",
  })
  void explainNamesTheEntry(String query, Form form, String entry) throws IOException {
    Explanation why = mixed().explain(query);
    assertThat(why.verdict()).isEqualTo(BLOCKED);
    assertThat(why.findings())
        .containsExactly(new Finding("mixed", form, entry, Finding.Kind.LISTED));
  }

  @Test
  void allowBeatsBlockForAddressesNetworksAndUrls() throws IOException {
    Blocklist blocklist =
        Blocklist.builder()
            .fpp(1e-7)
            .exact()
            .block("a", "192.0.2.0/24")
            .block("a", "2001:db8::/32")
            .block("a", ".bad.example")
            .allow("192.0.2.128/25")
            .allow("192.0.2.7")
            .allow("2001:db8:7::/48")
            .allow("||bad.example/good/")
            .allow("http://www.bad.example/fine.html")
            .build()
            .blocklist();
    assertThat(blocklist.check("192.0.2.127")).isEqualTo(BLOCKED);
    assertThat(blocklist.check("192.0.2.128")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("http://192.0.2.7/x")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("2001:db8:6::")).isEqualTo(BLOCKED);
    assertThat(blocklist.check("2001:db8:7::")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("http://x.bad.example/good/x")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("http://x.bad.example/bad/x")).isEqualTo(BLOCKED);
    assertThat(blocklist.check("http://www.bad.example/fine.html?x")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("http://bad.example/fine.html")).isEqualTo(BLOCKED);
    assertThat(blocklist.check("www.bad.example")).isEqualTo(BLOCKED);
  }

  @Test
  void everyAddressMayBeAllowedButNotBlocked() throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(1e-7).block("a", "192.0.2.7");
    for (String all : List.of("0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96")) {
      refuses(() -> builder.block("a", all), "less than all addresses");
    }
    Blocklist blocklist =
        builder.block("a", "2001:db8::/32").allow("0.0.0.0/0").build().blocklist();
    assertThat(blocklist.check("192.0.2.7")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("2001:db8::7").isBlocked()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.0/24", "2001:db8::/32", "192.0.2.7/24"})
  void aNetworkIsNoQuery(String query) throws IOException {
    Blocklist blocklist = mixed();
    refuses(() -> blocklist.check(query), "a network is no query");
  }

  @Test
  void aLookupTakesAQueryForEachLengthThatOccurs() throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(1e-7);
    builder.block("a", "10.0.0.0/8").block("a", "192.0.2.0/24").block("a", "198.51.100.0/24");
    builder.block("a", "2001:db8::/32");
    KeyForms forms = builder.build().blocklist().forms();
    assertThat(forms.keys(Subject.parse("192.0.2.7"), false)).hasSize(2);
    assertThat(forms.keys(Subject.parse("2001:db8::7"), false)).hasSize(1);
    assertThat(forms.keys(Subject.parse("example.com"), false)).isEmpty();
    assertThat(forms.keys(Subject.parse("http://192.0.2.7/a/b/c?d"), false)).hasSize(2);
  }

  @Test
  void noQueryTakesMoreLookupsThanTheFppIsDividedBy() throws IOException {
    for (String query :
        """
        a+b@h.g.f.example a+b@192.0.2.7 a+b@[IPv6:2001:db8::7] \
        http://h.g.f.example/a/b/c/d?e http://192.0.2.7/a/b/c/d?e \
        http://[2001:db8::7]/a/b/c/d?e\
        """
            .split(" ", -1)) {
      BlocklistBuilder builder = Blocklist.builder().fpp(1e-7).ignoreTags();
      for (String entry :
          List.of("x@a.example", "b.example", ".c.example", ".x.c.example", "*.d.example")) {
        builder.block("a", entry);
      }
      for (int bits = 20; bits < 30; bits++) {
        builder.block("a", "192.0.0.0/" + bits).block("a", "2001:db8::/" + 2 * bits);
      }
      for (String url : List.of("a.example/x", "a.example/x/", "a.example/a/b", "a.example/?x")) {
        builder.block("a", "//" + url).block("a", "||" + url).block("a", "||x." + url);
      }
      KeyForms forms = builder.build().blocklist().forms();
      int most = 0;
      for (KeyForms.QueryKind kind : KeyForms.QueryKind.values()) {
        most = Math.max(most, forms.mostKeys(kind, true));
      }
      assertThat(forms.keys(Subject.parse(query), true).size()).isBetween(5, most);
    }
  }

  @Test
  void aKnownGoodUrlIsNeverBlocked() throws IOException {
    Path good =
        Files.write(
            directory.resolve("good"),
            List.of(
                "http://d.example/ads/fine*.js?x",
                "192.0.2.7",
                "https://clear.example/" + "a/".repeat(CanonicalUrl.MAX_SLASHES),
                "https://clear.example/x"));
    BlocklistBuilder.Built built =
        Blocklist.builder()
            .fpp(1e-7)
            .skipBadLines()
            .block("a", "||d.example/ads/")
            .block("a", "192.0.2.0/24")
            .knownGood(good)
            .build();
    assertThat(built.summary().conflicts()).isEqualTo(2);
    assertThat(built.summary().knownGood()).isEqualTo(new LineCounts(4, 3, 1));
    assertThat(built.summary().badLines()).first().asString().contains("31 slashes");
    Path file = directory.resolve("file");
    built.blocklist().save(file);
    Blocklist blocklist = Blocklist.load(file);
    assertThat(blocklist.check("http://d.example/ads/fine*.js?x")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("http://d.example/ads/fine*.js").isBlocked()).isTrue();
    assertThat(blocklist.check("192.0.2.7")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("192.0.2.8").isBlocked()).isTrue();
  }

  @Test
  void badLinesAreCountedByReason() throws IOException {
    Path list =
        Files.write(
            directory.resolve("list"),
            List.of(
                "! Title: mixed",
                "||a.example^",
                "||a.example/x.exe$all",
                "192.0.2.0/24",
                "||b.example^$third-party",
                "||b.example^$script",
                "||c.example/a*b",
                "/ads/[0-9]/",
                "@@||d.example^",
                "e.example##.ad",
                "192.0.2.1/24",
                "com",
                "two words"));
    BuildSummary summary =
        Blocklist.builder().fpp(0.01).skipBadLines().block("a", list).build().summary();
    assertThat(summary.lists()).isEqualTo(new LineCounts(13, 3, 9));
    assertThat(summary.badReasons())
        .isEqualTo(
            Map.of(
                BadLineReason.OPTIONS, 2L,
                BadLineReason.WILDCARD, 1L,
                BadLineReason.PATTERN, 1L,
                BadLineReason.EXCEPTION, 1L,
                BadLineReason.COSMETIC, 1L,
                BadLineReason.NETWORK, 1L,
                BadLineReason.TOO_WIDE, 1L,
                BadLineReason.MALFORMED, 1L));
    assertThat(summary.badReasons().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(summary.lists().bad());
  }
}
