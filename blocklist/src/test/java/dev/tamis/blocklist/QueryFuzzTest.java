package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.fuzz.Pieces;
import java.io.IOException;
import java.util.Optional;

/** Any text is a query, an entry that blocks itself, or refused. */
class QueryFuzzTest {

  private static final int MAX_SHIFT = 15;
  private static final int MAX_CHARACTERS = 50_000;

  private static final Pieces TEXT =
      Pieces.words(
          """
          http:// https: // @ a+b@ [IPv6: [::1] 2001:db8::1 ::ffff: 192.0.2.1 192.0.2.0/24 \
          2001:db8::/32 0x7f.1 127.1 example.com c.d.example ||c.d.example^ @@ ^ | $ * *. . .. \
          /e/f ?g # :80 :99999 %2e %41 %00 % \\ \t \u00fc \u0130 \u212a \u00df \uff0e \u3002 \
          xn-- xn--bcher-kva e\u0301 \ud83d\ude00 \ud800 \u0000 \u00a0\
          """,
          "a".repeat(64), "a.".repeat(130), "/a".repeat(100));

  private final Blocklist blocklist = listOf("c.d.example");

  @FuzzTest(maxDuration = "10m")
  void anyTextIsAQueryOrAnEntryOrRefused(byte[] bytes) {
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

  private void check(String text) {
    checkQuery(text);
    Optional<ListEntry> entry = entry(text);
    if (entry.isPresent()) {
      String canonical = entry.get().text();
      assertThat(ListEntry.parse(canonical)).isEqualTo(entry.get());
    }
  }

  private void checkQuery(String text) {
    Blocklist.Explanation explanation;
    try {
      explanation = blocklist.explain(text);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotEmpty();
      return;
    }
    assertThat(blocklist.check(text)).isEqualTo(explanation.verdict());
    String canonical = explanation.query();
    assertThat(blocklist.explain(canonical))
        .as("the canonical form of %s", text)
        .isEqualTo(explanation);
    try { // what a query is in canonical form is an entry that blocks it, unless too broad a one
      assertThat(listOf(canonical).check(text).isBlocked()).as("%s, %s", canonical, text).isTrue();
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  private static Optional<ListEntry> entry(String text) {
    try {
      return Optional.of(ListEntry.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Blocklist listOf(String entry) {
    try {
      return Blocklist.builder().fpp(0.001).exact().block("list", entry).build().blocklist();
    } catch (IOException e) {
      throw new AssertionError("an entry in memory cannot fail", e);
    }
  }
}
