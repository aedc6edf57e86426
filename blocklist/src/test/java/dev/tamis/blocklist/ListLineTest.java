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
  @ValueSource(
      strings = {
        "two words",
        "192.0.2.7 example.com",
        "example..com",
        "-",
        "a b@example.com",
        "user@",
        "user@exa mple.com",
        "@",
        "*",
        ".",
        "*.",
        "*.192.0.2.1",
        "256.1.1.1",
        "1.2.3",
        "example.123",
        "http://example.com/",
        "||example.com^$third-party",
        "||user@example.com^",
        "@@||example.com^",
        "example.com##.banner",
        "/banner/*",
        "exa\u0000mple.com",
        "b\u00FCcher\uFFFD.de",
        "a\u200Db.com",
      })
  void refusesTheRestAndSaysWhatItFound(String line) {
    if (line.equals("-")) {
      assertThat(ListLine.parse(line)).hasSize(1); // a name, if not one that anybody has
      return;
    }
    assertThatThrownBy(() -> ListLine.parse(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(", got '")
        .hasMessageContaining("expected ");
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
  void domainsHaveAtMostSoManyLabels() {
    String most = "a.".repeat(ListEntry.MAX_LABELS - 1) + "a";
    assertThat(ListLine.parse("." + most)).hasSize(1);
    assertThatThrownBy(() -> ListLine.parse(".a." + most)).hasMessageContaining("63");
    assertThat(ListLine.parse("a." + most)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"co.uk", "uk", "com.ar", "foo.ck", "kawasaki.jp", "xn--p1ai", "com", "localhost"})
  void knowsPublicSuffixes(String name) {
    assertThat(new ListEntry(Form.HOST, name).isPublicSuffix()).isTrue();
    assertThat(new ListEntry(Form.WHOLE_DOMAIN, name).isPublicSuffix()).isTrue();
    assertThat(new ListEntry(Form.SUBDOMAINS, name).isPublicSuffix()).isTrue();
    assertThat(new ListEntry(Form.ADDRESS, "a@" + name).isPublicSuffix()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.co.uk",
        "www.ck",
        "city.kawasaki.jp",
        "example.com",
        "github.io",
        "host.internal",
        "192.0.2.1"
      })
  void leavesOthersAlone(String name) {
    assertThat(new ListEntry(Form.HOST, name).isPublicSuffix()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "user@example.com",
        "ÄÖ+ß@Bücher.example",
        "\u0130@x.example",
        "\u1E9E\u03A3@straße.de",
        "A\u030A@x.example",
        "xn--zz.example",
        "faß.xn--fa-hia",
      })
  void theCanonicalFormIsItsOwn(String text) {
    String once = Subject.parse(text).toString();
    assertThat(Subject.parse(once)).hasToString(once);
    assertThat(ListEntry.parse(once).text()).isEqualTo(once);
  }

  @Test
  void lettersThatLookTheSameAreTheSame() {
    assertThat(Subject.parse("A\u030A@x.example")).hasToString("\u00E5@x.example");
    assertThat(Subject.parse("\uFF21bc.example")).hasToString("abc.example");
  }
}
