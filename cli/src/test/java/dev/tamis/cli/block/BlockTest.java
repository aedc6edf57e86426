package dev.tamis.cli.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTest {

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("file.block");
  }

  @Test
  void theSummaryOfABuildAddsUp() throws IOException {
    Path list =
        write("list", "# spam\na.example\n\nA.example.\nco.uk\n0.0.0.0 b.example c.example\n");
    Path other = write("other", "joe@mail.example");
    Path allow = write("allow", "mail.b.example\n");
    Path good = write("good", "ann@a.example\nbob@fine.example\n\n");
    Object[] options = {"--skip-bad -p 1e-7 --allow", allow, "--known-good", good};
    Cli.run("block build -o", file, options, list, other)
        .ok()
        .says(
            "warning: skipped: %s:5: expected a name below 'co.uk', a public suffix, got 'co.uk'\n"
                + "warning: conflict: %s:1: 'ann@a.example' is known good, but listed as"
                + " 'a.example' in list; it will be allowed\n"
                + "lines=7 used=4 blank=2 bad=1 ...entries=4 repeats=1 allow=2 ...known-good=2"
                + "...clear=1 ...false-positives=0 ...conflicts=1 ...exceptions=0 ...bytes=%d ...",
            list, good, Files.size(file));
    Cli.run("block build -o", file, "--json", other).says("{\"lines\":1,...\"entries\":1...");
  }

  @Test
  void aListOfAllFormsBlocksWhatItSaysAndItsSummaryAddsUp() throws IOException {
    Path list =
        write(
            "mixed",
            """
            [Adblock Plus 2.0]
            ! Title: mixed
            192.0.2.7
            198.51.100.0/24
            2001:db8::/32
            ||203.0.113.9^
            ||malware.example^$all
            ||host.example/bad/
            ||host.example:811/86.exe$all
            http://other.example/x.exe
            other.example/x.exe?
            0.0.0.0 tracker.example
            joe@mail.example
            ||script.example^$script,third-party
            ||script.example^$popup
            @@||good.example^
            page.example##.banner
            ||ads.example/a*b
            /banner[0-9]+/
            198.51.100.1/24
            0.0.0.0/0
            ftp://files.example/x
            two words
            """);
    Path allow = write("allow", "198.51.100.128/25\n||host.example/bad/but-fine\n");
    Result built = Cli.run("block build -o", file, "-x", "--allow", allow, "--skip-bad", list).ok();
    assertThat(built.err())
        .contains(
            "warning: skipped: "
                + list
                + ":20: expected zeros after the prefix: 198.51.100.0/24, or 198.51.100.1 for one"
                + " address, got '198.51.100.1/24'");
    String summary = built.err().lines().reduce((first, last) -> last).orElseThrow();
    assertThat(summary)
        .startsWith(
            "lines=23 used=11 blank=2 bad=10 bad-exception=1 bad-cosmetic=1 bad-options=2"
                + " bad-wildcard=1 bad-pattern=1 bad-too-wide=1 bad-network=1 bad-url=1"
                + " bad-malformed=1 entries=10 repeats=1 allow=2 ");
    String blocked =
        """
        192.0.2.7
        ::ffff:198.51.100.127
        joe@[IPv6:2001:db8::7]
        http://[2001:db8::7]:8080/
        https://203.0.113.9/x
        http://www.malware.example/x
        http://a.host.example/bad/x?y
        http://host.example:811/86.exe
        HTTP://other.example/%58.exe#x
        tracker.example
        """;
    String others =
        """
        192.0.2.8
        198.51.100.128
        2001:db9::
        host.example
        http://host.example/bad/but-fine/x
        http://host.example/86.exe
        http://other.example/x.exes
        http://script.example/
        """;
    Result check = Cli.runOn(blocked + others, "block check", file);
    assertThat(check.out()).isEqualTo(blocked);
    assertThat(check.err())
        .startsWith("lines=18 allowed=2 blocked=10 probably-blocked=0 unlisted=6 blank=0 bad=0 ");
    Cli.run("block explain", file, "198.51.100.130", "http://b.HOST.example/bad/x")
        .prints(
            """
            198.51.100.130: allowed
              allowed as 198.51.100.128/25 (network) in allow
              listed as 198.51.100.0/24 (network) in mixed
            //b.host.example/bad/x: blocked
              listed as ||host.example/bad/ (domain-url) in mixed
            """);
    Cli.runOn("http://0x7f.1/\n192.0.2.0/24\n", "block check", file)
        .refused()
        .says("...or an IPv4 address such as 192.0.2.1, got 'http://0x7f.1/'...")
        .says("...a network is no query...");
  }

  @Test
  void badLinesAreAllNamedAndNothingIsWritten() throws IOException {
    Path list = write("list", "a.example\nco.uk\ntwo words\n");
    Path old = write("file.block", "old");
    Cli.run("block build -o", old, list)
        .refused(
            """
            tamis block build: %1$s:2: expected a name below 'co.uk', a public suffix, got 'co.uk'
            tamis block build: %1$s:3: expected one entry on the line..., got 'two words'
            ...nothing was written; fix the lines, or skip them with --skip-bad
            """,
            list);
    assertThat(old).hasContent("old");
  }

  @Test
  void ofManyBadLinesTheFirstAreNamed() throws IOException {
    Path list = write("list", "com\n".repeat(25));
    Result built = Cli.run("block build -o", file, list);
    assertThat(built.err()).hasLineCount(11).contains("and 15 more lines; nothing was written");
    assertThat(file).doesNotExist();
    Result skipped = Cli.run("block build -o", file, "--skip-bad", list).ok();
    assertThat(skipped.err()).hasLineCount(12).contains("and 15 more lines; see the summary");
  }

  @Test
  void noneOfTheKnownGoodIsBlocked() throws IOException {
    List<String> bad = IntStream.range(0, 2000).mapToObj(i -> "b" + i + "@mail.example").toList();
    List<String> good = IntStream.range(0, 2000).mapToObj(i -> "g" + i + "@mail.example").toList();
    Path list = Files.write(directory.resolve("list"), bad);
    Path known = Files.write(directory.resolve("good"), good);
    Result built = Cli.run("block build -o", file, "-p", "0.1", "--known-good", known, list);
    assertThat(Integer.parseInt(built.summary().get("false-positives"))).isBetween(60, 250);
    Cli.run("block check -q", file, known).exits(1);
    assertThat(Cli.run("block check -q", file, list).out().lines().toList()).isEqualTo(bad);
  }

  @Test
  void checkPrintsTheLinesAsTheyAreAndAccountsForAll() throws IOException {
    Path list = write("list", ".bad.example\n");
    Cli.run("block build -q -o", file, "--allow", write("allow", "x.bad.example"), list);
    String lines = "Joe@BAD.example \n\na@x.bad.example\ngood.example\r\nwww.bad.example";
    Cli.runOn(lines, "block check", file)
        .prints("Joe@BAD.example \nwww.bad.example\n")
        .says(
            "lines=5 allowed=1 blocked=0 probably-blocked=2 unlisted=1 blank=1 bad=0 seconds=...");
    Cli.runOn(lines, "block check -v --json", file)
        .prints("a@x.bad.example\ngood.example\r\n")
        .says("{\"lines\":5,\"allowed\":1,...");
    Cli.runOn("good.example", "block check -q", file).exits(1);
    Cli.runOn("a.bad.example\0", "block check -qz", file).prints("a.bad.example\0");
  }

  @Test
  void aLineThatIsNoQuestionIsAnErrorOnceAllOthersAreDone() throws IOException {
    Cli.runOn(".bad.example\n", "block build -q -o", file);
    Path first = write("first", "a.bad.example\n");
    Path second = write("second", "fine.example\nno question\n");
    Cli.run("block check -q", file, first, second, first)
        .prints("a.bad.example\na.bad.example\n")
        .exits(2)
        .says("warning: bad line: " + second + ":2: expected ...");
    Cli.run("block check --skip-bad", file, first, second)
        .ok()
        .says("...warning: skipped: ...lines=3 ...bad=1 ...");
  }

  @Test
  void explainTellsEachAddressApart() throws IOException {
    Path list = write("spam.txt", "joe@mail.example\n");
    Cli.run("block build -q -o", file, "--ignore-tags", list);
    Cli.run("block explain", file, "joe+x@mail.example", "mail.example")
        .prints(
            """
            joe+x@mail.example: probably-blocked
              probably-listed as joe@mail.example (address) in spam.txt
            mail.example: unlisted
            """);
    Cli.run("block explain", file, "mail.example").exits(1);
    Cli.run("block explain --json", file, "Joe@mail.example")
        .prints(
            "{\"query\":\"joe@mail.example\",\"verdict\":\"probably-blocked\",\"findings\":"
                + "[{\"list\":\"spam.txt\",\"form\":\"address\",\"entry\":\"joe@mail.example\","
                + "\"kind\":\"probably-listed\"}]}\n");
    Cli.run("block explain", file, "no question").refused("..., got 'no question'...");
  }

  @Test
  void listsOfOneNameAreRefused() throws IOException {
    Path here = write("list", "a.example\n");
    Path there = write(Files.createDirectory(directory.resolve("x")) + "/list", "b.example\n");
    Cli.run("block build -o", file, here, there)
        .refused("...two lists are named list: names must differ; rename one...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"block check", "block explain"})
  void aMissingOrDamagedBlockListIsAnErrorAndNotNothingFound(String command) throws IOException {
    Cli.run(command, file, "-").refused("..." + file + ": No such file or directory...");
    Cli.runOn("a.example\n", "block build -q -o", file);
    Faults.flip(file, 100);
    Cli.run(command, file, "-").refused("..." + file + "...the file is damaged...");
  }

  @Test
  void filesThatAreNotThereAreErrorsAndNothingIsWritten() throws IOException {
    Path missing = directory.resolve("missing");
    Path list = write("list", "a.example\n");
    for (Object[] args :
        new Object[][] {
          {missing},
          {"--allow", missing, list},
          {"--known-good", missing, list},
          {"--allow", directory, list}
        }) {
      Cli.run("block build -o", file, args).refused("tamis block build: " + directory + "...");
      assertThat(file).doesNotExist();
    }
    Cli.run("block build -o", missing.resolve("file"), list)
        .refused("...its directory does not exist...");
    Cli.runOn("a.example\n", "block build -p 1e-12 -o", file)
        .refused("...fpp must be at least 2.3...");
    assertThat(file).doesNotExist();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
