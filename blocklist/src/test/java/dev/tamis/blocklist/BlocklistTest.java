package dev.tamis.blocklist;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.blocklist.Blocklist.Verdict.ALLOWED;
import static dev.tamis.blocklist.Blocklist.Verdict.BLOCKED;
import static dev.tamis.blocklist.Blocklist.Verdict.PROBABLY_BLOCKED;
import static dev.tamis.blocklist.Blocklist.Verdict.UNLISTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.blocklist.Blocklist.Explanation;
import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.Blocklist.Form;
import dev.tamis.blocklist.Blocklist.Verdict;
import dev.tamis.blocklist.BuildSummary.LineCounts;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlocklistTest {

  /** So that nothing is blocked by accident. */
  private static final double TINY = 1e-7;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "joe@mail.example,           PROBABLY_BLOCKED",
    "JOE@Mail.Example.,          PROBABLY_BLOCKED",
    "jim@mail.example,           UNLISTED",
    "mail.example,               UNLISTED",
    "joe@www.mail.example,       UNLISTED",
    "host.example,               PROBABLY_BLOCKED",
    "anybody@host.example,       PROBABLY_BLOCKED",
    "www.host.example,           UNLISTED",
    "a@www.host.example,         UNLISTED",
    "whole.example,              PROBABLY_BLOCKED",
    "a@whole.example,            PROBABLY_BLOCKED",
    "x.y.whole.example,          PROBABLY_BLOCKED",
    "a@x.y.whole.example,        PROBABLY_BLOCKED",
    "notwhole.example,           UNLISTED",
    "below.example,              UNLISTED",
    "a@below.example,            UNLISTED",
    "x.below.example,            PROBABLY_BLOCKED",
    "a@x.y.below.example,        PROBABLY_BLOCKED",
    "192.0.2.1,                  PROBABLY_BLOCKED",
    "a@192.0.2.1,                PROBABLY_BLOCKED",
    "192.0.2.2,                  UNLISTED",
    "a@straße.example,           PROBABLY_BLOCKED",
    "a@strasse.example,          UNLISTED",
    "a@xn--strae-oqa.example,    PROBABLY_BLOCKED",
  })
  void matchesWhatTheEntriesSay(String question, Verdict verdict) throws IOException {
    assertThat(mixed().check(question)).isEqualTo(verdict);
  }

  private static Blocklist mixed() throws IOException {
    return Blocklist.builder()
        .fpp(TINY)
        .block("a", "Joe@mail.example")
        .block("a", "host.example")
        .block("b", ".whole.example")
        .block("b", "*.below.example")
        .block("b", "192.0.2.1")
        .block("b", "straße.example")
        .build()
        .blocklist();
  }

  @Test
  void exactHashesConfirm() throws IOException {
    Blocklist exact =
        Blocklist.builder().fpp(0.5).exact().block("a", ".bad.example").build().blocklist();
    assertThat(exact.check("www.bad.example")).isEqualTo(BLOCKED);
    for (int i = 0; i < 1000; i++) { // half of these the filter affirms
      assertThat(exact.check("host" + i + ".example")).isEqualTo(UNLISTED);
    }
    assertThat(exact.isExact()).isTrue();
    assertThat(exact.expectedFpp()).isPositive().isLessThan(1e-18);
  }

  @Test
  void explainSaysWhichListAndWhichForm() throws IOException {
    Explanation why = mixed().explain("A@x.WHOLE.example");
    assertThat(why.query()).isEqualTo("a@x.whole.example");
    assertThat(why.verdict()).isEqualTo(PROBABLY_BLOCKED);
    assertThat(why.findings())
        .containsExactly(
            new Finding("b", Form.WHOLE_DOMAIN, ".whole.example", Finding.Kind.PROBABLY_LISTED));
    assertThat(mixed().explain("nobody@nowhere.example").findings()).isEmpty();
  }

  @Test
  void explainNamesEveryListThatHasIt() throws IOException {
    Blocklist blocklist =
        Blocklist.builder()
            .fpp(TINY)
            .exact()
            .block("one", "a@b.example")
            .block("two", "b.example")
            .block("three", "c.example")
            .allow("@b.example")
            .build()
            .blocklist();
    assertThat(blocklist.explain("a@b.example").findings())
        .containsExactly(
            new Finding("allow", Form.HOST, "b.example", Finding.Kind.ALLOWED),
            new Finding("one", Form.ADDRESS, "a@b.example", Finding.Kind.LISTED),
            new Finding("two", Form.HOST, "b.example", Finding.Kind.LISTED));
  }

  @Test
  void explainNamesAFalsePositiveThatTheExactHashesRefute() throws IOException {
    Blocklist exact =
        Blocklist.builder().fpp(0.5).exact().block("a", "bad.example").build().blocklist();
    long refuted = 0;
    for (int i = 0; i < 1000; i++) {
      Explanation why = exact.explain("host" + i + ".example");
      assertThat(why.verdict()).isEqualTo(UNLISTED);
      assertThat(why.findings()).allMatch(finding -> finding.kind() == Finding.Kind.FALSE_POSITIVE);
      refuted += why.findings().size();
    }
    assertThat(refuted).isBetween(400L, 600L);
  }

  @Test
  void allowBeatsBlockInEveryForm() throws IOException {
    Blocklist blocklist =
        Blocklist.builder()
            .fpp(TINY)
            .block("a", ".bad.example")
            .block("a", "bad.other")
            .allow("me@bad.example")
            .allow("mail.bad.example")
            .allow(".good.bad.example")
            .allow("*.fine.bad.example")
            .build()
            .blocklist();
    assertThat(blocklist.check("me@bad.example")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("you@bad.example")).isEqualTo(PROBABLY_BLOCKED);
    assertThat(blocklist.check("you@mail.bad.example")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("good.bad.example")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("x@y.good.bad.example")).isEqualTo(ALLOWED);
    assertThat(blocklist.check("fine.bad.example")).isEqualTo(PROBABLY_BLOCKED);
    assertThat(blocklist.check("y.fine.bad.example")).isEqualTo(ALLOWED);
    assertThat(blocklist.allowEntries()).isEqualTo(4);
  }

  @Test
  void tagsCountUnlessTheyAreToBeIgnored() throws IOException {
    BlocklistBuilder strict = Blocklist.builder().fpp(TINY).block("a", "joe@b.example");
    assertThat(strict.build().blocklist().check("joe+x@b.example")).isEqualTo(UNLISTED);
    Blocklist loose =
        Blocklist.builder()
            .fpp(TINY)
            .ignoreTags()
            .block("a", "joe@b.example")
            .block("a", "jim+spam@b.example")
            .allow("ann@b.example")
            .block("a", "ann+x@b.example")
            .build()
            .blocklist();
    assertThat(loose.check("joe+x+y@b.example")).isEqualTo(PROBABLY_BLOCKED);
    assertThat(loose.check("joe@b.example")).isEqualTo(PROBABLY_BLOCKED);
    assertThat(loose.check("jim+spam@b.example")).isEqualTo(PROBABLY_BLOCKED);
    assertThat(loose.check("jim@b.example")).isEqualTo(UNLISTED);
    assertThat(loose.check("jim+ham@b.example")).isEqualTo(UNLISTED);
    assertThat(loose.check("+joe@b.example")).isEqualTo(UNLISTED);
    assertThat(loose.check("ann+x@b.example")).isEqualTo(ALLOWED);
  }

  @Test
  void anEmptyListBlocksNothing() throws IOException {
    Blocklist empty = Blocklist.builder().fpp(0.5).build().blocklist();
    assertThat(empty.check("a@b.example")).isEqualTo(UNLISTED);
    assertThat(empty.expectedFpp()).isZero();
    Path file = Files.writeString(directory.resolve("empty"), "# nothing\n");
    assertThat(Blocklist.builder().fpp(0.5).block("a", file).build().blocklist().check("b.example"))
        .isEqualTo(UNLISTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "@",
        "a@",
        "@b.example",
        "no spaces.example",
        "a@b..example",
        "||b.example",
        "||a@b.example"
      })
  void aQuestionThatIsNeitherIsTheCallersToDecide(String question) throws IOException {
    Blocklist blocklist = mixed();
    refuses(() -> blocklist.check(question), ", got '" + question);
    refuses(() -> blocklist.explain(question));
  }

  @Test
  void badLinesAreNamedAllAtOnceAndNothingIsBuilt() throws IOException {
    Path list =
        Files.writeString(
            directory.resolve("list"), "good.example\nco.uk\n\n# x\ntwo words\nfine.example");
    BlocklistBuilder builder = Blocklist.builder().fpp(0.01);
    assertThatThrownBy(() -> builder.block("a", list))
        .isInstanceOfSatisfying(
            BadLinesException.class,
            e -> {
              assertThat(e.count()).isEqualTo(2);
              assertThat(e.examples())
                  .containsExactly(
                      list + ":2: expected a name below 'co.uk', a public suffix, got 'co.uk'",
                      list
                          + ":5: expected one entry on the line, or 0.0.0.0 and names as in a hosts"
                          + " file, got 'two words'");
            });
    refuses(BadLinesException.class, builder::build);
  }

  @Test
  void badLinesAreCountedWhereThatIsWanted() throws IOException {
    Path list = directory.resolve("list");
    Files.writeString(
        list, "\uFEFFgood.example\r\nco.uk\n\n# x\n*.uk\n0.0.0.0 a.example b.example");
    BlocklistBuilder.Built built =
        Blocklist.builder().fpp(TINY).skipBadLines().block("a", list).build();
    BuildSummary report = built.summary();
    assertThat(report.lists()).isEqualTo(new LineCounts(6, 2, 2));
    assertThat(report.lists().blank()).isEqualTo(2);
    assertThat(report.parsedEntries()).isEqualTo(3);
    assertThat(report.badLines()).hasSize(2).first().asString().startsWith(list + ":2: ");
    assertThat(built.blocklist().entries()).isEqualTo(3);
    assertThat(built.blocklist().check("good.example")).isEqualTo(PROBABLY_BLOCKED);
  }

  @Test
  void onlyTheFirstBadLinesAreKept() throws IOException {
    Path list = Files.writeString(directory.resolve("list"), "com\n".repeat(1000));
    assertThatThrownBy(() -> Blocklist.builder().fpp(0.1).block("a", list))
        .isInstanceOfSatisfying(
            BadLinesException.class,
            e -> {
              assertThat(e.count()).isEqualTo(1000);
              assertThat(e.examples()).hasSize(10);
            });
  }

  @Test
  void aLineThatIsTooLongIsBadAndTheNextOneIsNot() throws IOException {
    int most = ListReader.MAX_CHARS;
    Path list =
        Files.writeString(
            directory.resolve("list"),
            "#"
                + "x".repeat(most - 1)
                + "\n#"
                + "y".repeat(most)
                + "\n#"
                + "z".repeat(100_000)
                + "\nlast.example");
    BuildSummary report =
        Blocklist.builder().fpp(0.1).skipBadLines().block("a", list).build().summary();
    assertThat(report.lists()).isEqualTo(new LineCounts(4, 1, 2));
    assertThat(report.badLines()).first().asString().contains(":2: expected ", ", got '#yyy");
  }

  @Test
  void singleEntriesAreCheckedAtOnce() {
    BlocklistBuilder builder = Blocklist.builder();
    refuses(() -> builder.block("a", "co.uk"), "public suffix");
    refuses(() -> builder.block("a", "# nothing"));
    refuses(() -> builder.allow(""));
  }

  @Test
  void aPublicSuffixMayBeAllowed() throws IOException {
    Blocklist blocklist =
        Blocklist.builder().fpp(TINY).block("a", "bad.co.uk").allow(".uk").build().blocklist();
    assertThat(blocklist.check("bad.co.uk")).isEqualTo(ALLOWED);
  }

  @Test
  void parametersAreCheckedAtOnce() {
    BlocklistBuilder builder = Blocklist.builder();
    for (double fpp : new double[] {0, 1, -1, Double.NaN}) {
      refuses(() -> builder.fpp(fpp), "fpp");
    }
    for (String name : List.of("", "a\nb", "a".repeat(256), "é".repeat(128))) {
      refuses(() -> builder.block(name, "a.example"), "the name of a list");
    }
    builder.block("a".repeat(255), "a.example");
    refuses(IllegalStateException.class, builder::build, "fpp");
  }

  @Test
  void theNumberOfListsIsLimited() {
    BlocklistBuilder builder = Blocklist.builder();
    for (int i = 0; i < BlocklistBuilder.MAX_LISTS; i++) {
      builder.block("list" + i, "a.example");
    }
    builder.block("list0", "b.example");
    refuses(() -> builder.block("one more", "a.example"), "256");
  }

  @Test
  void aBuilderBuildsOnce() throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(0.1);
    builder.build();
    refuses(IllegalStateException.class, builder::build);
  }

  @Test
  void anFppThatNoFilterHasIsRefused() {
    BlocklistBuilder builder = Blocklist.builder().fpp(4e-10).block("a", "a.example");
    builder.block("b", "b.example");
    refuses(builder::build, "fpp must be at least 4.65");
  }

  @Test
  void filesThatCannotBeReadAreNamed() {
    BlocklistBuilder builder = Blocklist.builder().fpp(0.1);
    Path missing = directory.resolve("missing");
    refuses(FileSystemException.class, () -> builder.block("a", missing), "missing");
    refuses(FileSystemException.class, () -> builder.allow(directory), directory.toString());
    refuses(FileSystemException.class, () -> builder.knownGood(missing).build(), "missing");
  }
}
