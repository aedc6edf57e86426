package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Thorough;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fpp that is promised holds for a whole query. */
class BlocklistFppTest {

  private static final int ENTRIES = 1_000;
  private static final int QUERIES = Thorough.or(10_000, 30_000);

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0.001})
  void listsOfAddressesNeedOneLookup(double fpp) throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(fpp);
    for (int i = 0; i < ENTRIES; i++) {
      builder.block("a", "bad" + i + "@mail.example");
    }
    assertKeeps(fpp, builder.build().blocklist(), i -> "good+" + i + "@a.b.c.example");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0.001})
  void aQueryOfAllFormsKeepsTheFpp(double fpp) throws IOException {
    Blocklist blocklist = ofEveryForm(fpp);
    // five labels, with domains of each in the lists, and a tag
    assertKeeps(fpp, blocklist, i -> "good+" + i + "@a.b.c.d" + i + ".e" + i);
    String more = "x.".repeat(100);
    double measured = measured(blocklist, i -> "good+" + i + "@" + more + "c.d" + i + ".e" + i);
    assertThat(measured).isLessThan(fpp + slack(fpp));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01})
  void addressesAndUrlsKeepTheFppInTotalWhateverElseTheListsHave(double fpp) throws IOException {
    Blocklist blocklist = ofAddressesNetworksAndUrls(fpp);
    // the most lookups are those of a URL with all labels, directories and a query
    assertKeeps(fpp, blocklist, i -> "http://a.b.c.d" + i + ".example/d/e/f/g" + i + ".exe?h=" + i);
    for (IntFunction<String> query :
        List.<IntFunction<String>>of(
            i -> "http://198.18." + i / 256 + "." + i % 256 + "/d/e/f" + i + "?" + i,
            i -> "https://[fd00:" + Integer.toHexString(i) + "::1]:8443/d/e/f/g",
            i -> "198.18." + i / 256 + "." + i % 256,
            i -> "fd00:" + Integer.toHexString(i) + "::" + Integer.toHexString(i),
            i -> "good+" + i + "@a.b.c.d" + i + ".example",
            i -> "http://d" + i + ".example/")) {
      assertThat(measured(blocklist, query)).isLessThanOrEqualTo(fpp + slack(fpp));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01})
  void networksAloneKeepTheFppInTotal(double fpp) throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(fpp);
    for (int i = 0; i < ENTRIES; i++) {
      builder
          .block("a", "10." + i / 256 + "." + i % 256 + ".0/24")
          .block("a", "11." + i / 256 + "." + i % 256 + ".128/25")
          .block("a", "12." + i / 256 + "." + i % 256 + ".4/30")
          .block("a", "13." + i / 256 + "." + i % 256 + ".7");
    }
    assertKeeps(
        fpp,
        builder.build().blocklist(),
        i -> 200 + i / 7000 + "." + i % 211 + "." + i % 199 + "." + i % 241);
  }

  private static Blocklist ofAddressesNetworksAndUrls(double fpp) throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(fpp).ignoreTags();
    for (int i = 0; i < ENTRIES; i++) {
      String address = i / 256 + "." + i % 256;
      String hex = Integer.toHexString(i + 1);
      builder
          .block("a", "bad" + i + "@mail.example")
          .block("a", "192.168." + address)
          .block("a", "10." + address + ".0/24")
          .block("a", "10." + address + ".16/28")
          .block("a", "2001:db8:" + hex + "::/48")
          .block("b", "2001:db8:" + hex + ":8000::/50")
          .block("b", "http://bad" + i + ".example/d/e.exe")
          .block("b", "http://bad" + i + ".example/d/e/")
          .block("b", "||bad" + i + ".example/d/e.exe?x")
          .block("b", "||bad" + i + ".example/d/e/f.exe")
          .block("b", "||x.bad" + i + ".example/d/");
    }
    return builder.build().blocklist();
  }

  /** Two lists, with domains of one to five labels; single ones have no owner but a filter. */
  private static Blocklist ofEveryForm(double fpp) throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(fpp).ignoreTags();
    for (int i = 0; i < ENTRIES; i++) {
      builder
          .block("a", "bad" + i + "@mail.example")
          .block("a", "bad" + i + ".example")
          .block("a", ".v.w.x.bad" + i + ".example")
          .block("a", ".w.x.bad" + i + ".example")
          .block("b", ".x.bad" + i + ".example")
          .block("b", "*.bad" + i + ".example")
          .block("b", "also" + i + "@mail.example");
    }
    return builder.build().blocklist();
  }

  private static double measured(Blocklist blocklist, IntFunction<String> query) {
    int wrong = 0;
    for (int i = 0; i < QUERIES; i++) {
      if (blocklist.check(query.apply(i)).isBlocked()) {
        wrong++;
      }
    }
    return (double) wrong / QUERIES;
  }

  private static void assertKeeps(double fpp, Blocklist blocklist, IntFunction<String> query) {
    double expected = blocklist.expectedFpp();
    assertThat(expected).isBetween(0.45 * fpp, fpp);
    assertThat(measured(blocklist, query))
        .isBetween(expected - slack(expected), expected + slack(expected));
  }

  /** Five standard deviations. */
  private static double slack(double fpp) {
    return 5 * Math.sqrt(fpp * (1 - fpp) / QUERIES);
  }
}
