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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords of a server: where they come from, and that none is ever printed. */
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class RedisPasswordOptionTest {

  private static final String PASSWORD = "xyzzy-plugh";
  private static final String VARIABLE = "TAMIS_REDIS_PASSWORD";
  private static final int MAX_BYTES = 1 << 14;

  /** What a URL needs escaped, a command line quoted, and ASCII does not have. */
  private static final String AWKWARD = "a:b@c/d%20 ?#[e]'\"\\&= é€\uD83D\uDE00";

  private static RedisProcess server;

  @TempDir private Path directory;
  private Path file;
  private String url;

  @BeforeAll
  static void start() {
    server =
        new RedisProcess(
            "requirepass " + PASSWORD,
            "user worker on >" + PASSWORD + " ~* +@all",
            "user awkward on \">" + escaped(AWKWARD) + "\" ~* +@all");
  }

  private static String escaped(String text) {
    return "\\x" + HexFormat.ofDelimiter("\\x").formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void writePassword() throws IOException {
    file = privateFile("password", PASSWORD + "\n");
    url = server.url("seen");
  }

  private Path privateFile(String name, String text) throws IOException {
    Path path = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    return path;
  }

  @Test
  void everyCommandReadsItFromAFile() {
    Object[] option = {"-q", "--redis-password-file", file};
    Path copy = directory.resolve("copy");
    assertPrinted("", "build", option, "-n", 9, "-o", url);
    assertPrinted("a\n", "dedup", option, "-d", "-s", url);
    Object[] quiet = {"--redis-password-file", file};
    assertPrinted("a\n", "check", quiet, url);
    assertThat(Cli.run("info", "--redis-password-file", file, url).out()).contains("keys");
    Cli.run("count", "--redis-password-file", file, url, url).ok();
    assertPrinted("", "merge", option, "-o", copy, url, url);
    assertPrinted("", "merge", option, "-o", url, copy, url);
  }

  private static void assertPrinted(
      String expected, String command, Object[] option, Object... args) {
    List<Object> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(option));
    words.addAll(List.of(args));
    Result result = Cli.runOn("a\n", words.toArray());
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    assertThat(result.out()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n"})
  void theLineBreakAtTheEndIsNotPartOfIt(String end) throws IOException {
    Path ended = privateFile("ended", PASSWORD + end);
    assertThat(Cli.run("info", "--redis-password-file", ended, missing(url)).err())
        .contains("check the name");
  }

  private static String missing(String url) {
    return url + "-that-is-not-there";
  }

  @Test
  void aUrlMayNameTheUserAlone() throws IOException {
    String there = missing(url).replace("127", "worker@127");
    assertThat(Cli.run("info", "--redis-password-file", file, there).err())
        .contains("check the name");
    assertThat(Cli.run("info", there).err())
        .isEqualTo(
            "tamis info: %s: password: must be given with a user, got none; set"
                + " TAMIS_REDIS_PASSWORD or name its file with --redis-password-file\n",
            missing(url));
  }

  @Test
  void anyPasswordCanBeInAFileOrInTheEnvironment() throws Exception {
    String there = missing(url).replace("127", "awkward@127");
    Path awkward = privateFile("awkward", AWKWARD);
    assertThat(Cli.run("info", "--redis-password-file", awkward, there).err())
        .contains("check the name");
    assertThat(run(Map.of(VARIABLE, AWKWARD, "LC_ALL", "C.UTF-8"), "info", there))
        .contains("check the name");
  }

  @Test
  void theEnvironmentComesAfterTheCommandLine() throws Exception {
    String there = missing(url);
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
    String there = url.replace("127", ":" + PASSWORD + "@127");
    Result result = Cli.run("info", "--redis-password-file", file, there).refused();
    assertThat(result.err())
        .isEqualTo(
            "tamis info: %s: password: must be in the URL or in %s, got both; leave one out\n",
            url, file);
  }

  @Test
  void aServerWithoutAPasswordAcceptsAny() {
    try (RedisProcess open = new RedisProcess()) {
      assertThat(Cli.run("info", "--redis-password-file", file, open.url("seen")).err())
          .contains("check the name");
    }
  }

  @Test
  void aFileThatOthersMayReadIsReportedOnce() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    String warning = "tamis: " + file + ": others may read the password; chmod 600 " + file + "\n";
    assertPrinted("", "build", new Object[] {"-q"}, "-n", 9, "-o", withPassword());
    Result result = Cli.run("count", "--redis-password-file", file, url, url).ok();
    assertThat(result.err()).isEqualTo(warning);
  }

  private String withPassword() {
    return url.replace("127", ":" + PASSWORD + "@127");
  }

  @Test
  void aFileThatHoldsNoPasswordIsRefusedAndNotShown() throws IOException {
    assertNoPassword(new byte[0], "must be one line, got none");
    assertNoPassword(bytes("\n"), "must be one line, got none");
    assertNoPassword(bytes(PASSWORD + "\n" + PASSWORD), "must be one line, got several");
    assertNoPassword(bytes(PASSWORD + "\n\n"), "must be one line, got several");
    assertNoPassword(new byte[] {'p', (byte) 0xff}, "must be UTF-8, got other bytes");
  }

  private void assertNoPassword(byte[] content, String why) throws IOException {
    Files.write(file, content);
    Result result = Cli.run("info", "--debug", "--redis-password-file", file, url).refused();
    assertThat(result.err())
        .startsWith(
            "tamis info: "
                + file
                + ": password: "
                + why
                + "; write the password to the file and nothing else\n")
        .doesNotContain(PASSWORD);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aFileHasALimit() throws IOException {
    for (int length : new int[] {MAX_BYTES - 1, MAX_BYTES}) {
      Files.write(file, bytes("p".repeat(length)));
      assertThat(Cli.run("info", "--redis-password-file", file, url).err()).contains("WRONGPASS");
    }
    assertNoPassword(bytes("p".repeat(MAX_BYTES + 1)), "must have at most 16384 bytes, got more");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    Path missing = directory.resolve("missing");
    assertThat(Cli.run("info", "--redis-password-file", missing, url).err())
        .isEqualTo("tamis info: " + missing + ": No such file or directory; check the name\n");
    assertThat(Cli.run("info", "--redis-password-file", directory, url).err())
        .isEqualTo("tamis info: " + directory + ": Is a directory; name the files in it\n");
  }

  /** A bar ends each word; P is the password, and U a URL with it of a server that is not there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        // wrong syntax, most of it of passwords that are not escaped
        "info|redis://me:P@127.0.0.1:x/seen",
        "info|redis://me:P@127.0.0.1:0/seen",
        "info|redis://me:P@127.0.0.1/",
        "info|redis://me:P@/seen",
        "info|redis://me:P@127.0.0.1/se en",
        "info|redis://me:P@127.0.0.1/seen?password=P",
        "info|redis://me:P@127.0.0.1/seen#P",
        "info|redis://me:P@P@127.0.0.1/seen",
        "info|redis://me:12/P@127.0.0.1/seen",
        "info|redis://me:99999/P@127.0.0.1/seen",
        "info|redis://me:12?P@127.0.0.1/seen",
        "info|redis://me:12#P@127.0.0.1/seen",
        "info|redis://me:a b P@127.0.0.1/seen",
        "info|redis://me:%zzP@127.0.0.1/seen",
        "info|redis://me:a//P@127.0.0.1/seen",
        "info|redis:/me:P@127.0.0.1/seen",
        "info|redis:/me:a//P@127.0.0.1/seen",
        "info|reddis://me:P@127.0.0.1/seen",
        "info|RedisS:///me:P@127.0.0.1/seen",
        // no server
        "info|U",
        "check|U",
        "count|U",
        "count|U|U",
        "dedup|-n|9|-s|U",
        "build|-n|9|-o|U",
        "merge|-o|U|U|U",
        "merge|-o|file|U|U",
        "check|--map|U",
        "dedup|-n|9|-s|U|-o|file",
        "build|-t|fuse|-o|U",
        // unknown options and those of another type
        "info|U|--frob",
        "info|--frob|U",
        "info|--frob=U",
        "dedup|-ZU",
        "dedup|-dZU",
        "dedup|-dU",
        "dedup|-n|U",
        "dedup|-p|U",
        "dedup|-m=U",
        "build|-t|U",
        "count|--confidence|U",
        "dedup|-n|9|-s|U|-s|U",
        "dedup|-xs",
        "info|--json=U|U",
        "--debug=U|info|U",
        // where a file or a command is expected, and one argument too many
        "U",
        "dedup|U",
        "check|file|U",
        "info|U|U",
        "size|U",
        "size|-n|U",
        "stats|U",
        "stats|lines|U",
        "convert|U|U",
        "queue|U|stats",
        "block|check|U",
        "block|explain|U|U",
        "digest|show|U",
        "digest|check|U",
        "key|new|U",
        "key|U",
        "dedup|-o|U",
        "dedup|--key-file|U",
        "info|--key-file|U|U",
        "info|--redis-password-file|U|redis://127.0.0.1:1/seen",
        "info|@U",
      })
  void noErrorShowsThePasswordOfAUrl(String line) {
    String there = "redis://me:" + PASSWORD + "@127.0.0.1:1/seen";
    for (String debug : List.of("", "|--debug")) {
      Object[] words = (line + debug).replace("P", PASSWORD).replace("U", there).split("\\|", -1);
      Result result = Cli.runOn("a\n", words);
      assertThat(result.exit()).as(result.err()).isEqualTo(2);
      assertThat(result.err()).isNotEmpty().doesNotContain(PASSWORD);
      assertThat(result.out()).doesNotContain(PASSWORD);
    }
  }

  @Test
  void aWrongPasswordIsNotShown() throws IOException {
    String wrong = "wrong-" + PASSWORD;
    Path wrongFile = privateFile("wrong", wrong);
    List<List<Object>> ways =
        List.of(
            List.of("info", url.replace("127", ":" + wrong + "@127")),
            List.of("info", url.replace("127", "worker:" + wrong + "@127")),
            List.of("info", "--redis-password-file", wrongFile, url),
            List.of("dedup", "-n", 9, "--redis-password-file", wrongFile, "-s", url),
            List.of("info", "--redis-password-file", wrongFile, url, "--frob"));
    for (List<Object> words : ways) {
      List<Object> debug = new ArrayList<>(words);
      debug.add("--debug");
      for (List<Object> all : List.of(words, debug)) {
        Result result = Cli.run(all.toArray()).refused();
        assertThat(result.err()).containsPattern("WRONGPASS|--frob").doesNotContain(PASSWORD);
        assertThat(result.out()).isEmpty();
      }
    }
  }

  @Test
  void whatIsNotPartOfAUrlIsShownAsItIs() {
    assertThat(Cli.run("info", "me@example", "redis://:e@127.0.0.1:1/seen").err())
        .isEqualTo(
            "tamis info: unexpected argument: 'redis://***@127.0.0.1:1/seen'; see tamis"
                + " info --help\n");
    assertThat(Cli.run("info", "me@example").err()).startsWith("tamis info: me@example: No such");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis:/", "redis:", "a", ":", ":/", "/", "@", "://@"})
  void argumentsOfAnyLengthAreSearchedInLinearTime(String part) {
    String repeated = part.repeat(20_000);
    for (String argument : List.of(repeated, "redis://@" + repeated, repeated + "@")) {
      Cli.run("size", "-n", argument).refused();
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
