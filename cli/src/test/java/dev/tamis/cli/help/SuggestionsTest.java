package dev.tamis.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Commands;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;

/** What a mistyped command line is answered with. */
class SuggestionsTest {

  @ParameterizedTest
  @CsvSource({
    "dedpu, dedup",
    "ded, dedup",
    "Dedup, dedup",
    "deduplicate, dedup",
    "stat, stats",
    "ifno, info",
    "mergge, merge",
    "contains, check",
    "test, check",
    "query, check",
    "exists, check",
    "create, build",
    "add, build",
    "bloom, build",
    "uniq, dedup",
    "sort, dedup",
    "union, merge",
    "co, 'count, convert, corpus or completion'",
    "block create, build",
    "queue todo add, push",
    "queue todo stat, stats",
    "digest create, make",
    "help bulid, build",
    "stats big, tamis stats lines big",
  })
  void aCommandThatDoesNotExistIsAnsweredWithTheOneThatWasMeant(String typed, String meant) {
    String last = typed.substring(typed.lastIndexOf(' ') + 1);
    Cli.run(typed).refused("...no such command: '%s', did you mean %s?; see tamis...", last, meant);
  }

  @ParameterizedTest
  @CsvSource({
    "dedup --exat, --exact",
    "dedup --EXACT, --exact",
    "dedup -exact, --exact",
    "dedup --expected=5, --expected-keys",
    "dedup --error=0.1, --fpp",
    "dedup --fpr=0.1, --fpp",
    "build --capacity=5, --expected-keys",
    "build --size=5, --expected-keys or --memory",
    "build --out=x, --output",
    "build --silent, --quiet",
    "check --inverse, --invert",
    "stats lines --errro=0.1, --error",
    "digest make --items=3, --capacity",
    "crawl --continue, --resume",
    "--verison, --version",
  })
  void anOptionThatDoesNotExistIsAnsweredWithTheOneThatWasMeant(String typed, String meant) {
    assertThat(Cli.run((Object[]) typed.split(" ", -1)).err())
        .contains("unknown option: '", "', did you mean " + meant + "?; see tamis")
        .hasLineCount(1);
  }

  @Test
  void nothingIsGuessed() {
    String words =
        "serve xyzzy frobnicate lorem foo bar a zz most list tree commit ls rm todo http://a/"
            + " words.txt - éèà ";
    for (String far : words.split(" ", -1)) {
      Cli.run(far).refused("tamis: no such command: '" + far + "'; see tamis --help");
      assertThat(Cli.run("dedup", "--" + far + "x").err()).doesNotContain("did you mean");
    }
    Cli.run("info --json-key").refused("tamis info: unknown option: '--json-key'; see ...");
  }

  /** A word of random letters is hardly ever near a command, so it must hardly ever get one. */
  @Test
  void suggestionsForRandomWordsAreWithinTwoEdits() {
    Random random = new Random(16);
    List<String> names = List.copyOf(Commands.of("").subcommands().keySet());
    for (int i = 0; i < 20_000; i++) {
      StringBuilder word = new StringBuilder("z"); // which begins no synonym
      for (int letters = 3 + random.nextInt(6); letters > 0; letters--) {
        word.append((char) ('a' + random.nextInt(26)));
      }
      for (String name : Suggestions.commands(word.toString(), names)) {
        assertThat(Suggestions.edits(word.toString(), name))
            .as("%s for %s", name, word)
            .isLessThanOrEqualTo(name.startsWith(word.toString()) ? 99 : 2);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "'', ab, 2",
    "ab, ab, 0",
    "ab, ba, 1",
    "abc, acb, 1",
    "dedup, ddeup, 1",
    "dedup, dedpu, 1",
    "kitten, sitting, 3",
    "check, chk, 2",
  })
  void editsAreThoseOfDamerauAndLevenshtein(String from, String to, int edits) {
    assertThat(Suggestions.edits(from, to)).isEqualTo(edits);
    assertThat(Suggestions.edits(to, from)).isEqualTo(edits);
  }

  @Test
  void everyOptionAndCommandStillLeadsToItself() {
    Commands.all()
        .forEach(
            (name, command) -> {
              for (OptionSpec option : command.options()) {
                assertThat(Suggestions.options(option.longestName(), List.of(option.names())))
                    .isEqualTo(
                        option.longestName().startsWith("--")
                            ? List.of(option.longestName())
                            : List.of());
              }
            });
  }

  @Test
  void theDirectoryOfAQueueComesFirst() {
    Cli.run("queue push todo")
        .refused(
            "tamis queue: DIR comes before the command: tamis queue todo push; see tamis queue"
                + " --help\n");
    Cli.run("queue poll --count 3")
        .refused("tamis queue: DIR comes before the command: tamis queue ...");
    Cli.run("queue push")
        .refused("tamis queue: DIR comes before the command: tamis queue DIR push; ...");
    Cli.run("queue").refused("tamis queue: missing required parameter: 'DIR'...");
  }

  @Test
  void aChoiceIsMadeInAnyCaseOrNamesTheChoices() {
    assertThat(Cli.runOn("a\n", "build -t BLOCKED -q -n 1 -o /dev/full").err())
        .doesNotContain("invalid value");
    Cli.run("build -t blokced -o x")
        .refused(
            "tamis build: invalid value for option '--type': expected blocked, classic,"
                + " partitioned, counting, cuckoo, scalable, windowed, fuse, ribbon, static, guava,"
                + " spark, spark-v1, parquet or dcso, got 'blokced'; see tamis build --help\n");
  }

  @Test
  void aCommandOfItsOwnIsListedIfThereAreFew() {
    Cli.run("block frobnicate")
        .refused(
            "tamis block: no such command: 'frobnicate', expected build, check or explain; see"
                + " tamis block --help\n");
    Cli.run("stats")
        .refused("tamis stats: no command given, expected lines; see tamis stats --help\n");
    Cli.run("info a b").refused("tamis info: unexpected argument: 'b'; see tamis info --help\n");
  }

  @Test
  void helpAndVersionAreCommandsToo() {
    Cli.run("help").prints(Cli.run("--help").out());
    Cli.run("help dedup").prints(Cli.run("dedup --help").out());
    assertThat(Cli.run("help queue push").out())
        .startsWith("Usage: tamis queue DIR push ")
        .isEqualTo(Cli.run("queue todo push --help").out());
    Cli.run("version").prints(Cli.run("--version").out());
    Cli.run("help dedup x")
        .refused("tamis dedup: unexpected argument: 'x'; see tamis dedup --help\n");
  }
}
