package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.blocklist.Blocklist.Form;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListLineTest {

  @ParameterizedTest
  @CsvSource({
    "user@example.com,                ADDRESS,      user@example.com",
    "'  User@Example.COM.  ',         ADDRESS,      user@example.com",
    "a+b@example.com,                 ADDRESS,      a+b@example.com",
    "example.com,                     HOST,         example.com",
    "EXAMPLE.com.,                    HOST,         example.com",
    "@example.com,                    HOST,         example.com",
    "*@example.com,                   HOST,         example.com",
    "192.0.2.1,                       HOST,         192.0.2.1",
    "||192.0.2.1^,                    HOST,         192.0.2.1",
    "2001:DB8:0::1,                   HOST,         2001:db8::1",
    "'[2001:db8::1]',                 HOST,         2001:db8::1",
    "||[2001:db8::1]^,                HOST,         2001:db8::1",
    "::ffff:192.0.2.1,                HOST,         192.0.2.1",
    "a@[192.0.2.1],                   ADDRESS,      a@192.0.2.1",
    "a@[IPv6:2001:db8::1],            ADDRESS,      a@2001:db8::1",
    "0.0.0.0 192.0.2.7,               HOST,         192.0.2.7",
    "192.0.2.7/32,                    HOST,         192.0.2.7",
    "2001:db8::1/128,                 HOST,         2001:db8::1",
    "192.0.2.0/24,                    NETWORK,      192.0.2.0/24",
    "2001:DB8::/32,                   NETWORK,      2001:db8::/32",
    "::ffff:192.0.2.0/120,            NETWORK,      192.0.2.0/24",
    "http://example.com/bad/file.exe, URL,          example.com/bad/file.exe",
    "https://example.com/,            URL,          example.com/",
    "http://example.com,              URL,          example.com/",
    "//example.com/bad/,              URL,          example.com/bad/",
    "example.com/bad/file,            URL,          example.com/bad/file",
    "example.com/x # why,             URL,          example.com/x",
    "http://example.com/@user,        URL,          example.com/@user",
    "http://192.0.2.7:8080/x?Y=1,     URL,          192.0.2.7:8080/x?y=1",
    "http://[2001:db8::1]/x,          URL,          '[2001:db8::1]/x'",
    "||example.com/bad/,              DOMAIN_URL,   example.com/bad/",
    "||example.com/bad^,              DOMAIN_URL,   example.com/bad",
    "||example.com/bad/*,             DOMAIN_URL,   example.com/bad/",
    "||example.com/Bad.exe$all,       DOMAIN_URL,   example.com/bad.exe",
    "||example.com:811/86.exe$all,    DOMAIN_URL,   example.com:811/86.exe",
    "||example.com:811^,              DOMAIN_URL,   example.com:811/",
    "||example.com/x?y=z==,           DOMAIN_URL,   example.com/x?y=z==",
    "||example.com/@user$all,         DOMAIN_URL,   example.com/@user",
    "||example.com/a$b.exe,           DOMAIN_URL,   example.com/a%24b.exe",
    "||192.0.2.7/bad/,                URL,          192.0.2.7/bad/",
    "||192.0.2.0/24^,                 URL,          192.0.2.0/24",
    "||example.com,                   WHOLE_DOMAIN, example.com",
    "||example.com$all,               WHOLE_DOMAIN, example.com",
    ".example.com,                    WHOLE_DOMAIN, example.com",
    "||example.com^,                  WHOLE_DOMAIN, example.com",
    "||example.com^$all,              WHOLE_DOMAIN, example.com",
    "*.example.com,                   SUBDOMAINS,   example.com",
    "example.com # why,               HOST,         example.com",
    "0.0.0.0 example.com,             HOST,         example.com",
    "'127.0.0.1\texample.com #x',     HOST,         example.com",
    ":: example.com,                  HOST,         example.com",
    "straße.de,                       HOST,         xn--strae-oqa.de",
    "STRASSE.de,                      HOST,         strasse.de",
    "a_b.example,                     HOST,         a_b.example",
    "-,                               HOST,         -",
    "例え.テスト,                      HOST,         xn--r8jz45g.xn--zckzah",
    "例え。テスト,                     HOST,         xn--r8jz45g.xn--zckzah",
  })
  void readsEveryFormOfEntry(String line, Form form, String name) {
    assertThat(ListLine.parse(line)).containsExactly(new ListEntry(form, name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "# comment",
        "  # comment",
        "! comment",
        "[Adblock Plus 2.0]",
        "127.0.0.1 localhost",
        "255.255.255.255 broadcasthost",
        "fe80::1%lo0 localhost",
        "0.0.0.0 0.0.0.0",
        ":: localhost",
      })
  void passesOverWhatIsNoEntry(String line) {
    assertThat(ListLine.parse(line)).isEmpty();
  }

  @Test
  void aLineOfAHostsFileMayHaveManyNames() {
    assertThat(ListLine.parse("0.0.0.0 a.example localhost B.example"))
        .isEqualTo(
            List.of(new ListEntry(Form.HOST, "a.example"), new ListEntry(Form.HOST, "b.example")));
  }

  @ParameterizedTest
  @CsvSource({
    "@@||example.com^,                    EXCEPTION",
    "@@||example.com/x,                   EXCEPTION",
    "example.com##.banner,                COSMETIC",
    "'example.com,~a.example#@#.b > a',   COSMETIC",
    "example.com#?#.b:has(a),             COSMETIC",
    "example.com$$script,                 COSMETIC",
    "||example.com^$third-party,          OPTIONS",
    "||example.com^$document,             OPTIONS",
    "'||example.com/x$script,domain=a|b', OPTIONS",
    "||example.com/x$ALL,                 OPTIONS",
    "example.com/x$third-party,           OPTIONS",
    "http://example.com/$all,             OPTIONS",
    "||example.com/x$all$all,             OPTIONS",
    "||example.com/ads*banner,            WILDCARD",
    "||example.com/ads*,                  WILDCARD",
    "||*.example.com^,                    WILDCARD",
    "||example.*^,                        WILDCARD",
    "http://example.com/a*b,              WILDCARD",
    "*.example.com/x,                     WILDCARD",
    "ads*.example.com,                    WILDCARD",
    "/banner[0-9]+/,                      PATTERN",
    "/banner/ad.gif,                      PATTERN",
    "|http://example.com/,                PATTERN",
    "||example.com^path,                  PATTERN",
    "||example.com/x|,                    PATTERN",
    "co.uk,                               TOO_WIDE",
    "||co.uk/x^,                          TOO_WIDE",
    "http://co.uk/x,                      TOO_WIDE",
    "0.0.0.0/0,                           TOO_WIDE",
    "::/0,                                TOO_WIDE",
    "::ffff:0:0/96,                       TOO_WIDE",
    "192.0.2.7/24,                        NETWORK",
    "192.0.2.0/33,                        NETWORK",
    "2001:db8::/129,                      NETWORK",
    "http://example.com/#x,               URL",
    "||example.com/#x,                    URL",
    "ftp://example.com/x,                 URL",
    "http://example.com:65536/,           URL",
    "http://2130706433/x,                 MALFORMED",
    "0x7f.1,                              MALFORMED",
    "0x7f000001,                          MALFORMED",
    "2130706433,                          MALFORMED",
    "192.0.2.07,                          MALFORMED",
    "fe80::1%eth0,                        MALFORMED",
    "[example.com],                       MALFORMED",
    "192.0.2.7:8080,                      MALFORMED",
    "0.0.0.0 192.0.2.0/24,                MALFORMED",
    "||user@example.com/x,                MALFORMED",
    "two words,                           MALFORMED",
    "192.0.2.7 example.com,               MALFORMED",
    "example..com,                        MALFORMED",
    "a b@example.com,                     MALFORMED",
    "user@,                               MALFORMED",
    "user@exa mple.com,                   MALFORMED",
    "@,                                   MALFORMED",
    "*,                                   WILDCARD",
    ".,                                   MALFORMED",
    "*.,                                  MALFORMED",
    "*.192.0.2.1,                         MALFORMED",
    "256.1.1.1,                           MALFORMED",
    "1.2.3,                               MALFORMED",
    "example.123,                         MALFORMED",
    "||user@example.com^,                 MALFORMED",
    "exa\u0000mple.com,                   MALFORMED",
    "b\u00FCcher\uFFFD.de,                MALFORMED",
    "a\u200Db.com,                        MALFORMED",
  })
  void saysWhyALineIsRefused(String line, BadLineReason reason) {
    assertThatThrownBy(() -> ListLine.parse(line).forEach(entry -> entry.requireNarrow(line)))
        .isInstanceOfSatisfying(
            IllegalArgumentException.class, e -> assertThat(Refusal.reason(e)).isEqualTo(reason))
        .hasMessageContaining(", got '")
        .hasMessageContaining("expected ");
  }

  @Test
  void pathsOfEntriesHaveALimit() {
    String most = "||example.com" + "/a".repeat(CanonicalUrl.MAX_SLASHES);
    assertThat(ListLine.parse(most)).hasSize(1);
    assertThat(ListLine.parse("||example.com" + "/a".repeat(CanonicalUrl.MAX_SLASHES - 1)))
        .hasSize(1);
    assertThatThrownBy(() -> ListLine.parse(most + "/a")).hasMessageContaining("31 slashes");
    assertThat(ListLine.parse(most + "/a?q")).hasSize(1);
  }

  @Test
  void namesHaveTheLengthsOfDns() {
    String label = "a".repeat(63);
    assertThat(ListLine.parse(label + ".com")).hasSize(1);
    assertThatThrownBy(() -> ListLine.parse(label + "a.com")).hasMessageContaining("63");
    String longest = (label + ".").repeat(3) + "a".repeat(61);
    assertThat(longest).hasSize(HostName.MAX_CHARS);
    assertThat(ListLine.parse(longest)).hasSize(1);
    assertThat(ListLine.parse(longest + ".")).hasSize(1);
    assertThatThrownBy(() -> ListLine.parse(longest + "a")).hasMessageContaining("253");
  }

  @Test
  void addressesHaveALimitToo() {
    assertThat(ListLine.parse("a".repeat(256) + "@b.example")).hasSize(1);
    assertThatThrownBy(() -> ListLine.parse("a".repeat(257) + "@b.example"))
        .hasMessageContaining("1 to 256 characters")
        .hasMessageContaining("(267 characters)");
  }

  @Test
  void theNumberOfLabelsOfADomainIsLimited() {
    String most = "a.".repeat(ListEntry.MAX_LABELS - 1) + "a";
    assertThat(ListLine.parse("." + most)).hasSize(1);
    assertThatThrownBy(() -> ListLine.parse(".a." + most)).hasMessageContaining("63");
    assertThat(ListLine.parse("a." + most)).hasSize(1);
  }

  @Test
  void knowsPublicSuffixes() {
    for (String name :
        """
        co.uk uk com.ar foo.ck kawasaki.jp xn--p1ai com localhost\
        """
            .split(" ", -1)) {
      assertThat(new ListEntry(Form.HOST, name).isPublicSuffix()).isTrue();
      assertThat(new ListEntry(Form.WHOLE_DOMAIN, name).isPublicSuffix()).isTrue();
      assertThat(new ListEntry(Form.SUBDOMAINS, name).isPublicSuffix()).isTrue();
      assertThat(new ListEntry(Form.ADDRESS, "a@" + name).isPublicSuffix()).isFalse();
    }
  }

  @Test
  void leavesOthersAlone() {
    for (String name :
        """
        example.co.uk www.ck city.kawasaki.jp example.com github.io host.internal 192.0.2.1\
        """
            .split(" ", -1)) {
      assertThat(new ListEntry(Form.HOST, name).isPublicSuffix()).isFalse();
    }
  }

  @Test
  void theCanonicalFormIsItsOwn() {
    for (String text :
        """
        user@example.com ÄÖ+ß@Bücher.example \u0130@x.example \u1E9E\u03A3@straße.de \
        A\u030A@x.example xn--zz.example faß.xn--fa-hia http://example.com/x$y [2001:DB8::1] \
        http://[2001:DB8::1]:81/A%2E%2f?%24all#x https://example.com/a$b*c^d|e?f$g*h^i|j \
        http://example.com/%24all http://example.com/%24%41ll\
        """
            .split(" ", -1)) {
      String once = Subject.parse(text).toString();
      assertThat(Subject.parse(once)).hasToString(once);
      assertThat(ListEntry.parse(once).text()).isEqualTo(once);
    }
  }

  @Test
  void lettersThatLookTheSameAreTheSame() {
    assertThat(Subject.parse("A\u030A@x.example")).hasToString("\u00E5@x.example");
    assertThat(Subject.parse("\uFF21bc.example")).hasToString("abc.example");
  }
}
