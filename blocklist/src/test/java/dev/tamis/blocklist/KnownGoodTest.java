package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.blocklist.Blocklist.Explanation;
import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.Blocklist.Form;
import dev.tamis.blocklist.Blocklist.Verdict;
import dev.tamis.blocklist.BuildSummary.LineCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownGoodTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.03, 0.003})
  void noneOfTheKnownGoodIsEverBlockedAndAllThatIsListedIs(double fpp) throws IOException {
    List<String> good =
        IntStream.range(0, 20_000).mapToObj(i -> "g" + i + "@good.example").toList();
    BlocklistBuilder.Built built = bad(20_000).fpp(fpp).knownGood(file(good)).build();
    assertThat(good).noneMatch(address -> built.blocklist().check(address).isBlocked());
    assertThat(IntStream.range(0, 20_000).mapToObj(KnownGoodTest::badAddress))
        .allMatch(address -> built.blocklist().check(address).isBlocked());

    BuildSummary report = built.summary();
    assertThat(report.conflicts()).isZero();
    assertThat(built.blocklist().allowEntries()).isZero();
    assertThat(built.blocklist().exceptions())
        .isPositive()
        .isLessThanOrEqualTo(report.falsePositives());
    assertThat(report.clear() + report.falsePositives()).isEqualTo(good.size());
    double most = good.size() * fpp + 5 * Math.sqrt(good.size() * fpp);
    assertThat((double) report.falsePositives()).isBetween(good.size() * fpp / 4, most);
  }

  @Test
  void falsePositivesOfTheHostAndTheDomainsAboveAreFoundToo() throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(0.5);
    for (int i = 0; i < 500; i++) {
      builder.block("a", badAddress(i)).block("a", "bad" + i + ".example");
      builder.block("b", ".whole" + i + ".example").block("b", "*.below" + i + ".example");
      builder.block("c", ".x.whole" + i + ".example");
    }
    List<String> good = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      good.add("ann@mail.good" + i + ".example");
      good.add("host.fine" + i + ".example");
    }
    Blocklist blocklist = builder.knownGood(file(good)).build().blocklist();
    assertThat(good).noneMatch(question -> blocklist.check(question).isBlocked());
    assertThat(good)
        .anyMatch(
            question ->
                blocklist.explain(question).findings().stream()
                    .anyMatch(finding -> finding.kind() == Finding.Kind.FALSE_POSITIVE));
  }

  @Test
  void whatIsReallyListedIsAllowedAndReported() throws IOException {
    Path good =
        Files.writeString(
            directory.resolve("good"), "# customers\nAnn@Bad1.example\nbob@b.example\n\n");
    BlocklistBuilder.Built built =
        Blocklist.builder()
            .fpp(1e-7)
            .block("spam", "bad1.example")
            .block("spam", "bad2.example")
            .knownGood(good)
            .build();
    Blocklist blocklist = built.blocklist();
    assertThat(built.summary().conflicts()).isEqualTo(1);
    assertThat(built.summary().falsePositives()).isZero();
    assertThat(built.summary().knownGood()).isEqualTo(new LineCounts(4, 2, 0));
    assertThat(built.summary().conflictLines())
        .containsExactly(
            good
                + ":2: 'ann@bad1.example' is known good, but listed as 'bad1.example' in spam; it"
                + " will be allowed");
    assertThat(blocklist.explain("ann@bad1.example"))
        .isEqualTo(
            new Explanation(
                "ann@bad1.example",
                Verdict.ALLOWED,
                List.of(
                    new Finding("allow", Form.ADDRESS, "ann@bad1.example", Finding.Kind.KNOWN_GOOD),
                    new Finding("spam", Form.HOST, "bad1.example", Finding.Kind.PROBABLY_LISTED))));
    assertThat(blocklist.check("joe@bad1.example")).isEqualTo(Verdict.PROBABLY_BLOCKED);
  }

  @Test
  void oneAddressMayBeListedHereAndTakenForListedThere() throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(0.6);
    List<String> good = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      builder.block("a", badAddress(i)).block("b", "x" + i + ".example");
      good.add(badAddress(i));
    }
    BlocklistBuilder.Built built = builder.knownGood(file(good)).build();
    assertThat(built.summary().conflicts()).isEqualTo(300);
    assertThat(good).allMatch(address -> built.blocklist().check(address) == Verdict.ALLOWED);
  }

  @Test
  void whatIsAllowedByHandIsNoConflict() throws IOException {
    BlocklistBuilder.Built built =
        Blocklist.builder()
            .fpp(1e-7)
            .block("a", "bad.example")
            .allow("ann@bad.example")
            .knownGood(file(List.of("ann@bad.example")))
            .build();
    assertThat(built.summary().conflicts()).isZero();
    assertThat(built.summary().clear()).isEqualTo(1);
    assertThat(built.blocklist().check("ann@bad.example")).isEqualTo(Verdict.ALLOWED);
  }

  @Test
  void badLinesAreNamed() throws IOException {
    Path good = file(List.of("ann@b.example", "*.example", "two words"));
    assertThatThrownBy(() -> Blocklist.builder().fpp(0.1).knownGood(good).build())
        .isInstanceOfSatisfying(
            BadLinesException.class,
            e -> assertThat(e.examples()).hasSize(2).first().asString().startsWith(good + ":2: "));
    BuildSummary skipped =
        Blocklist.builder().fpp(0.1).skipBadLines().knownGood(good).build().summary();
    assertThat(skipped.knownGood()).isEqualTo(new LineCounts(3, 1, 2));
    assertThat(skipped.clear()).isEqualTo(1);
  }

  private static BlocklistBuilder bad(int count) {
    BlocklistBuilder builder = Blocklist.builder();
    for (int i = 0; i < count; i++) {
      builder.block("bad", badAddress(i));
    }
    return builder;
  }

  private static String badAddress(int i) {
    return "user" + i + "@bad.example";
  }

  private Path file(List<String> lines) throws IOException {
    return Files.write(directory.resolve("good"), lines);
  }
}
