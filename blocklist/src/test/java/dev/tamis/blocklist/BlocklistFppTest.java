package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fpp that is promised is that of a question in total, measured. */
class BlocklistFppTest {

  private static final int ENTRIES = 1_000;
  private static final int QUESTIONS = 30_000;

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0.001})
  void listsOfAddressesAloneAreAskedOnce(double fpp) throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(fpp);
    for (int i = 0; i < ENTRIES; i++) {
      builder.block("a", "bad" + i + "@mail.example");
    }
    Blocklist blocklist = builder.build().blocklist();
    double measured = measured(blocklist, i -> "good+" + i + "@a.b.c.example");
    assertNear(measured, blocklist.expectedFpp());
    assertThat(blocklist.expectedFpp()).isBetween(0.45 * fpp, fpp);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0.001})
  void aQuestionThatIsLookedForEverywhereKeepsTheFppInTotal(double fpp) throws IOException {
    Blocklist blocklist = ofEveryForm(fpp);
    // five labels, each of which the lists have domains of, and a tag
    double measured = measured(blocklist, i -> "good+" + i + "@a.b.c.d" + i + ".e" + i);
    assertNear(measured, blocklist.expectedFpp());
    assertThat(blocklist.expectedFpp()).isBetween(0.45 * fpp, fpp);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01})
  void aQuestionWithMoreLabelsIsNotWorse(double fpp) throws IOException {
    Blocklist blocklist = ofEveryForm(fpp);
    String many = "x.".repeat(100);
    double measured = measured(blocklist, i -> "good+" + i + "@" + many + "c.d" + i + ".e" + i);
    assertThat(measured).isLessThan(fpp + slack(fpp));
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

  private static double measured(Blocklist blocklist, IntFunction<String> question) {
    int wrong = 0;
    for (int i = 0; i < QUESTIONS; i++) {
      if (blocklist.check(question.apply(i)).isBlocked()) {
        wrong++;
      }
    }
    return (double) wrong / QUESTIONS;
  }

  private static void assertNear(double measured, double expected) {
    assertThat(measured).isBetween(expected - slack(expected), expected + slack(expected));
  }

  /** Five standard deviations. */
  private static double slack(double fpp) {
    return 5 * Math.sqrt(fpp * (1 - fpp) / QUESTIONS);
  }
}
