package dev.tamis.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.RedisProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords of a server: where they come from, and that none is ever printed. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is used on Linux only")
@Timeout(600)
class RedisPasswordOptionTest {

  private static final String PASSWORD = "xyzzy-plugh";
  private static final String VARIABLE = "TAMIS_REDIS_PASSWORD";
  private static final int MAX_BYTES = 1 << 14;

  /** What a URL needs escaped, a command line quoted, and ASCII does not have. */
  private static final String AWKWARD = "a:b@c/d%20 ?#[e]'\"\\&= é€\uD83D\uDE00";

  @RegisterExtension
  private static final RedisProcess server =
      new RedisProcess(
          "requirepass " + PASSWORD,
          "user worker on >" + PASSWORD + " ~* +@all",
          "user awkward on \">" + escaped(AWKWARD) + "\" ~* +@all");

  @TempDir private Path directory;
  private Path file;
  private final String url = server.url("seen");
  private final String missing = server.url("missing");
  private final String withPassword = url.replace("127", ":" + PASSWORD + "@127");

  private static String escaped(String text) {
    return "\\x" + HexFormat.ofDelimiter("\\x").formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeEach
  void writePassword() throws IOException {
    file = privateFile("password", PASSWORD + "\n");
  }

  private Path privateFile(String name, String text) throws IOException {
    Path path = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    return path;
  }

  @Test
  void everyCommandReadsItFromAFile() {
    Object[] option = {"--redis-password-file", file};
    Path copy = directory.resolve("copy");
    Cli.runOn("a\n", "build -q -n 9 -o", url, option).ok().says("").prints("");
    Cli.runOn("a\n", "dedup -q -d -s", url, option).ok().says("").prints("a\n");
    Cli.runOn("a\n", "check", url, option).ok().says("").prints("a\n");
    assertThat(Cli.run("info", url, option).ok().out()).contains("keys");
    Cli.run("count", url, url, option).ok();
    Cli.run("merge -q -o", copy, url, url, option).ok().says("").prints("");
    Cli.run("merge -q -o", url, copy, url, option).ok().says("").prints("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n"})
  void theLineBreakAtTheEndIsNotPartOfIt(String end) throws IOException {
    Path ended = privateFile("ended", PASSWORD + end);
    Cli.run("info --redis-password-file", ended, missing).refused("...check the name...");
  }

  @Test
  void aUrlMayNameTheUserAlone() throws IOException {
    String there = missing.replace("127", "worker@127");
    Cli.run("info --redis-password-file", file, there).refused("...check the name...");
    Cli.run("info", there)
        .refused(
            "tamis info: %s: password: must be given with a user, got none; set"
                + " TAMIS_REDIS_PASSWORD or name its file with --redis-password-file\n",
            missing);
  }

  @Test
  void anyPasswordCanBeInAFileOrInTheEnvironment() throws Exception {
    String there = missing.replace("127", "awkward@127");
    Path awkward = privateFile("awkward", AWKWARD);
    Cli.run("info --redis-password-file", awkward, there).refused("...check the name...");
    assertThat(run(Map.of(VARIABLE, AWKWARD, "LC_ALL", "C.UTF-8"), "info", there))
        .contains("check the name");
  }

  @Test
  void theEnvironmentComesAfterTheCommandLine() throws Exception {
    String there = missing;
    String inUrl = there.replace("127", ":" + PASSWORD + "@127");
    Map<String, String> right = Map.of(VARIABLE, PASSWORD);
    Map<String, String> wrong = Map.of(VARIABLE, "wrong-" + PASSWORD);
    assertThat(run(right, "info", there)).contains("check the name");
    assertThat(run(wrong, "info", there)).contains("WRONGPASS").doesNotContain(PASSWORD);
    assertThat(run(wrong, "info", inUrl)).contains("check the name");
    assertThat(run(wrong, "info", "--redis-password-file", file, there)).contains("check the name");
    assertThat(run(Map.of(VARIABLE, ""), "info", there)).contains("NOAUTH");
  }

  @Test
  void aUrlWithOneAndAFileAreRefused() {
    Cli.run("info --redis-password-file", file, withPassword)
        .refused(
            "tamis info: %s: password: must be in the URL or in %s, got both; leave one out\n",
            url, file);
  }

  @Test
  void aServerWithoutAPasswordAcceptsAny() {
    try (RedisProcess open = new RedisProcess()) {
      Cli.run("info --redis-password-file", file, open.url("seen")).refused("...check the name...");
    }
  }

  @Test
  void aFileThatOthersMayReadIsReportedOnce() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    String warning = "tamis: " + file + ": others may read the password; chmod 600 " + file + "\n";
    Cli.runOn("a\n", "build -q -n 9 -o", withPassword).ok().says("");
    Cli.run("count --redis-password-file", file, url, url).ok().says(warning);
  }

  @ParameterizedTest
  @CsvSource({
    "'', one line, none",
    "'\n', one line, none",
    "'P\nP', one line, several",
    "'P\n\n', one line, several",
    "'P\u00ff', UTF-8, other bytes",
  })
  void aFileThatHoldsNoPasswordIsRefusedAndNotShown(String content, String rule, String found)
      throws IOException {
    Files.writeString(file, content.replace("P", PASSWORD), StandardCharsets.ISO_8859_1);
    assertNoPassword("must be " + rule + ", got " + found);
  }

  @Test
  void aFileThatCannotBeReadIsRefusedBeforeTheServerIsAsked() throws IOException {
    assertUnreadable(directory.resolve("none"), "No such file or directory; check the name");
    assertUnreadable(directory, "Is a directory; name the files in it");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    if (!Files.isReadable(file)) { // to a superuser it is
      assertUnreadable(file, "Permission denied; check who may read it");
    }
  }

  private void assertUnreadable(Path path, String why) {
    for (String command :
        List.of("info", "dedup -n 9 -s", "crawl http://a/ -n 9 --queue Q --seen")) {
      String words = command.replace("Q", directory.resolve("queue").toString());
      Cli.run(words + " " + url + " --redis-password-file", path)
          .refused("tamis ...: %s: %s\n", path, why);
    }
  }

  private void assertNoPassword(String why) {
    Result result = Cli.run("info --debug --redis-password-file", file, url).refused();
    String advice = "; write the password to the file and nothing else\n";
    assertThat(result.err())
        .startsWith("tamis info: " + file + ": password: " + why + advice)
        .doesNotContain(PASSWORD);
  }

  @Test
  void aFileHasALimit() throws IOException {
    for (int length : new int[] {MAX_BYTES - 1, MAX_BYTES}) {
      Files.writeString(file, "p".repeat(length));
      Cli.run("info --redis-password-file", file, url).says("...WRONGPASS...");
    }
    Files.writeString(file, "p".repeat(MAX_BYTES + 1));
    assertNoPassword("must have at most 16384 bytes, got more");
  }

  /** Words; P is the password, and U a URL with it of a server that is not there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        // wrong syntax, mostly of passwords that are not escaped
        "info redis://me:P@127.0.0.1/seen#P;info redis://me:P@127.0.0.1/seen?password=P",
        "info redis://me:P@P@127.0.0.1/seen;info redis://me:12/P@127.0.0.1/seen",
        "info redis://me:99999/P@127.0.0.1/seen;info redis://me:12?P@127.0.0.1/seen",
        "info redis://me:12#P@127.0.0.1/seen;info redis://me:a_b_P@127.0.0.1/seen",
        "info redis://me:%zzP@127.0.0.1/seen;info redis://me:a//P@127.0.0.1/seen",
        "info redis:/me:P@127.0.0.1/seen;info redis:/me:a//P@127.0.0.1/seen",
        "info reddis://me:P@127.0.0.1/seen;info RedisS:///me:P@127.0.0.1/seen",
        // no server
        "info U;check U;count U;count U U;dedup -n 9 -s U;build -n 9 -o U;merge -o U U U",
        "merge -o file U U;check --map U;dedup -n 9 -s U -o file;build -t fuse -o U",
        // unknown options and those of another type
        "info U --frob;info --frob U;info --frob=U;dedup -ZU;dedup -dZU;dedup -dU;dedup -n U",
        "dedup -p U;dedup -m=U;build -t U;count --confidence U;dedup -n 9 -s U -s U;dedup -xs",
        "info --json=U U;--debug=U info U",
        // where a file or a command is expected, and one argument too many
        "U;dedup U;check file U;info U U;size U;size -n U;stats U;stats lines U;convert U U",
        "queue U stats;block check U;block explain U U;digest show U;digest check U;key new U",
        "key U;dedup -o U;dedup --key-file U;info --key-file U U;info @U",
        "info --redis-password-file U redis://127.0.0.1:1/seen",
      })
  void noErrorShowsThePasswordOfAUrl(String lines) {
    String there = "redis://me:" + PASSWORD + "@127.0.0.1:1/seen";
    for (String line : lines.split(";", -1)) {
      for (String debug : List.of("", " --debug")) {
        String[] words = (line + debug).replace("P", PASSWORD).split(" ", -1);
        Arrays.setAll(words, i -> words[i].replace('_', ' ').replace("U", there));
        Result result = Cli.runOn("a\n", (Object[]) words).refused();
        assertThat(result.err()).isNotEmpty().doesNotContain(PASSWORD);
        assertThat(result.out()).doesNotContain(PASSWORD);
      }
    }
  }

  @Test
  void aWrongPasswordIsNotShown() throws IOException {
    String wrong = "wrong-" + PASSWORD;
    Object[] option = {"--redis-password-file", privateFile("wrong", wrong)};
    for (Object[] debug : new Object[][] {{}, {"--debug"}}) {
      for (Result result :
          List.of(
              Cli.run("info", url.replace("127", ":" + wrong + "@127"), debug),
              Cli.run("info", url.replace("127", "worker:" + wrong + "@127"), debug),
              Cli.run("info", url, debug, option),
              Cli.run("dedup -n 9 -s", url, debug, option),
              Cli.run("info --frob", url, debug, option))) {
        assertThat(result.refused().err())
            .containsPattern("WRONGPASS|--frob")
            .doesNotContain(PASSWORD);
        assertThat(result.out()).isEmpty();
      }
    }
  }

  @Test
  void whatIsNotPartOfAUrlIsShownAsItIs() {
    Cli.run("info me@example redis://:e@127.0.0.1:1/seen")
        .refused(
            "tamis info: unexpected argument: 'redis://***@127.0.0.1:1/seen'; see tamis"
                + " info --help\n");
    Cli.run("info me@example").refused("tamis info: me@example: No such...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis:/", "redis:", "a", ":", ":/", "/", "@", "://@"})
  void argumentsOfAnyLengthAreSearchedInLinearTime(String part) {
    String repeated = part.repeat(20_000);
    for (String argument : List.of(repeated, "redis://@" + repeated, repeated + "@")) {
      Cli.run("size -n", argument).refused();
    }
  }

  @Test
  void aFileMayBeginWithTheSignThatElsewhereReadsArgumentsFromIt() throws Exception {
    Files.writeString(directory.resolve("seen"), "--frob");
    Files.writeString(directory.resolve("@seen"), "a\n");
    assertThat(run(Map.of(), "dedup", "-q", "@seen")).isEqualTo("a\n");
  }

  /** Returns what a process prints on both streams. */
  private String run(Map<String, String> environment, Object... args) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(Cli.command(args)).directory(directory.toFile());
    builder.environment().remove(VARIABLE);
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
