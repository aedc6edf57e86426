package dev.tamis.cli.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of JSON compared by members. */
class DedupJsonTest {

  private static final String WITHOUT =
      """
      {"b":1}
      {"a":null}
      {"a":{"b":1}}
      {"a":[1]}

      [1]
      {"a":null}
      \r
      """;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "a       | {'a':'é'}               | { 'b':1, 'a' : '\\u00e9' }",
        "a       | {'a':'/'}               | {'a':'\\/'}",
        "a       | {'a':'😀'}              | {'a':'\\ud83d\\uDE00'}",
        "a       | {'a':1}                 | {'a':1.0}",
        "a       | {'a':1e2}               | {'a':100}",
        "a       | {'a':0}                 | {'a':-0.0}",
        "a       | {'a':true}              | {'\\u0061':true}",
        "a       | {'a':1}                 | {'a':2,'a':1}",
        "/m/0/u  | {'m':[{'u':'x'}]}       | {'m':[{'v':1,'u':'x'},2]}",
        "/a~1b   | {'a/b':1}               | {'c':2,'a/b':1}",
      })
  void equalValuesAreRepeatsHoweverTheyAreWritten(String member, String first, String second) {
    String lines = (first + "\n" + second + "\n").replace('\'', '"');
    Cli.runOn(lines, "dedup -q --json-key", member).prints(lines.lines().findFirst().get() + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a':1}          | {'a':'1'}",
        "{'a':true}       | {'a':'true'}",
        "{'a':false}      | {'a':0}",
        "{'a':''}         | {'a':' '}",
        "{'a':'\\ud800'}  | {'a':'\\ud801'}",
        "{'a':'\\ud800'}  | {'a':'?'}",
        "{'a':'A'}        | {'a':'a'}",
        "{'a':9007199254740993} | {'a':9007199254740992}",
      })
  void differentValuesAreNoRepeats(String first, String second) {
    String lines = (first + "\n" + second + "\n").replace('\'', '"');
    Cli.runOn(lines, "dedup -q --json-key a").prints(lines);
  }

  @Test
  void severalMembersAreAKeyThatIsUnambiguous() {
    String lines =
        """
        {"a":"x","b":"yz"}
        {"a":"xy","b":"z"}
        {"a":"","b":"xyz"}
        {"a":1,"b":"xyz"}
        """;
    String repeats =
        """
        {"b":"z","a":"xy"}
        {"b":"xyz","a":1.0}
        """;
    Cli.runOn(lines + repeats, "dedup --json-key a --json-key b")
        .prints(lines)
        .sums("lines=6 unique=4 duplicates=2 without-key=0");
    Cli.runOn("{\"a\":1}\n{\"a\":1}\n", "dedup --json-key a --json-key b")
        .prints("{\"a\":1}\n{\"a\":1}\n")
        .sums("unique=0 without-key=2");
  }

  @Test
  void caseIsIgnoredInValuesOnly() {
    String lines = "{\"a\":\"X\"}\n{\"A\":\"x\"}\n{\"a\":\"x\"}\n{\"a\":\"\\u0058\"}\n";
    Cli.runOn(lines, "dedup --json-key a -i")
        .prints("{\"a\":\"X\"}\n{\"A\":\"x\"}\n")
        .sums("unique=1 duplicates=2 without-key=1");
  }

  @Test
  void linesWithoutAKeyAreKeptAndCountedButNeverPut() throws IOException {
    Path state = directory.resolve("state");
    for (int run = 0; run < 2; run++) {
      Cli.runOn(WITHOUT, "dedup --json-key a -s", state)
          .prints(WITHOUT)
          .sums("lines=8 unique=0 duplicates=0 without-key=8");
    }
    Path file = Files.writeString(directory.resolve("in"), WITHOUT + "{\"a\":1}\n{\"a\":1}\n");
    for (String options : new String[] {"dedup", "dedup -x"}) {
      Cli.run(options + " --json-key a", file)
          .prints(WITHOUT + "{\"a\":1}\n")
          .sums("lines=10 unique=1 duplicates=1 without-key=8");
      Cli.run(options + " -d --json-key a", file)
          .prints("{\"a\":1}\n")
          .sums("lines=10 unique=1 duplicates=1 without-key=8");
    }
    JsonObject json = Cli.run("dedup --json --json-key a", file).jsonSummary();
    assertThat(json.get("without_key").getAsInt()).isEqualTo(8);
    Cli.run("dedup -q -x -c --json-key a", file)
        .prints(WITHOUT.replaceAll("(?m)^(?!\\z)", "      1 ") + "      2 {\"a\":1}\n");
  }

  @Test
  void linesPassThroughByteForByte() {
    byte[] lines =
        "\uFEFF{\"a\":1}\r\n \t{\"a\" : 2.50}\r\n{\"a\":\"\\u00e9\"}\n{\"a\":3}".getBytes(UTF_8);
    byte[] expected = (new String(lines, UTF_8) + "\n").getBytes(UTF_8);
    assertThat(Cli.runOn(lines, "dedup -q --json-key a").bytes()).isEqualTo(expected);
  }

  @Test
  void recordsThatEndWithNulHaveLineEnds() {
    Cli.runOn("{\"a\":\n1}\0{\"a\":1}\0{\"a\":2}\0", "dedup -q -z --json-key a")
        .prints("{\"a\":\n1}\0{\"a\":2}\0");
  }

  @Test
  void aMalformedLineIsRefusedWithFileLineAndByte() throws IOException {
    Path good = Files.writeString(directory.resolve("good"), "{\"a\":1}\n\n{\"a\":2}\n");
    Path bad = Files.writeString(directory.resolve("bad"), "{\"a\":3}\n{\"a\":,}\n");
    for (String options : new String[] {"dedup -q -o %s", "dedup -x -q -o %s"}) {
      Path out = directory.resolve("out");
      Cli.run(String.format(options, out) + " --json-key a", good, bad)
          .refused(
              "tamis dedup: %s: line 2: not a valid JSON record: syntax at byte 5: ...; correct it,"
                  + " or add --keep-malformed",
              bad);
      assertThat(out).doesNotExist();
    }
    Cli.runOn("{}{}\n", "dedup --json-key a")
        .refused("tamis dedup: standard input: line 1: not a valid JSON record: ...at byte 2: ...");
    String depth = "[".repeat(1_001) + "\n";
    Cli.runOn(depth, "dedup --json-key a").refused("...: line 1: ...: limit at byte 1001: ...");
  }

  @Test
  void theLineOfAMalformedRecordIsCountedInItsFileAcrossBlocks() throws IOException {
    String line = "{\"a\":\"" + "x".repeat(1_000) + "\"}\n";
    Path small = Files.writeString(directory.resolve("small"), "{}\n{}");
    Path large = Files.writeString(directory.resolve("large"), line.repeat(5_000) + "{\n{}\n");
    for (String command : new String[] {"dedup --parallel 3", "dedup --parallel 16", "dedup -x"}) {
      Result result =
          Cli.run(command + " -q --json-key a -o", directory.resolve("o"), small, large);
      result.refused("tamis dedup: %s: line 5001: ...", large);
    }
  }

  @Test
  void malformedLinesAreKeptAndCountedIfWanted() throws IOException {
    String lines = "{\"a\":1}\n{\"a\":\nnull,\n{\"a\":1}\n\u0000\n{\"b\":1}\n";
    Path file = Files.writeString(directory.resolve("in"), lines);
    for (String command : new String[] {"dedup", "dedup -x"}) {
      Cli.run(command + " --keep-malformed --json-key a", file)
          .prints(lines.replace("null,\n{\"a\":1}\n", "null,\n"))
          .sums("lines=6 unique=1 duplicates=1 without-key=1 malformed=3");
    }
    JsonObject json = Cli.run("dedup --json --keep-malformed --json-key a", file).jsonSummary();
    assertThat(json.get("malformed").getAsInt()).isEqualTo(3);
  }

  /** Compared with another reader and a set of values. */
  @Test
  void theOutputIsThatOfASetWhateverTheThreads() throws IOException {
    Random random = new Random(33);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      String[] values = {
        "" + random.nextInt(3_000),
        random.nextInt(3_000) + ".0",
        "\"" + random.nextInt(3_000) + "\"",
        "\"\\u003" + random.nextInt(10) + random.nextInt(300) + "\"",
        "null",
        "{}"
      };
      String text = "x".repeat(random.nextInt(300));
      String value = values[random.nextInt(values.length)];
      lines.add("{\"id\":" + i + ",\"m\":{\"k\":" + value + "},\"text\":\"" + text + "\"}");
    }
    StringBuilder expected = new StringBuilder();
    Set<Object> seen = new HashSet<>();
    for (String line : lines) {
      JsonObject object = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("m");
      JsonElement value = object.get("k");
      if (!value.isJsonPrimitive() || seen.add(comparable(value))) {
        expected.append(line).append('\n');
      }
    }
    Path file = Files.write(directory.resolve("in"), lines);
    for (int threads : new int[] {1, 2, 16}) {
      Cli.run("dedup -q -n 20000 -p 1e-9 --json-key /m/k --parallel", threads, file)
          .prints(expected.toString());
    }
    Cli.run("dedup -q -x --json-key /m/k", file).prints(expected.toString());
  }

  @Test
  void repeatsOfMembersAreFoundInATemporaryFileToo() throws IOException {
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      String text = "\\u00e9".repeat(20) + "x".repeat(200) + i;
      first.append(i % 7 == 0 ? "{}" : "{\"k\":\"" + text + "\"}").append('\n');
      second.append("{\"id\":1,\"k\":\"" + text.replace("\\u00e9", "é") + "\"}\n");
    }
    Path file = Files.writeString(directory.resolve("in"), first.toString() + second);
    Cli.Result found = Cli.run("dedup -x -S 1MiB --json-key k", file).ok();
    assertThat(found.out()).startsWith(first);
    assertThat(found.out().substring(first.length()).lines())
        .hasSize(1_429)
        .allMatch(line -> Integer.parseInt(line.replaceAll(".*x|\"}", "")) % 7 == 0);
    found.sums("lines=20000 unique=10000 duplicates=8571 without-key=1429");
    assertThat(found.summary().get("temporary")).isNotEqualTo("0B");
  }

  private static Object comparable(JsonElement value) {
    return value.getAsJsonPrimitive().isNumber()
        ? new BigDecimal(value.getAsString()).stripTrailingZeros()
        : value.getAsString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--json-key a                | --no-decompress             | --json-key",
        "--json-key a                | --json-key b                | --json-key",
        "--json-key a                | --json-key a --json-key b   | --json-key",
        "--json-key a --json-key b   | --json-key b --json-key a   | --json-key",
        "--json-key a                | --json-key /a               | --json-key",
        "--json-key a                | --json-key a -i             | -i",
        "--json-key a                | --json-key a --part 1/2     | --part",
        "--json-key a --part 1/2     | --json-key a --part 2/2     | --part",
        "--json-key a -i             | --json-key a                | -i",
        "--json-key a                | --csv -k 1                  | --csv",
      })
  void aStateOfOtherKeysIsRefusedByName(String made, String options, String name)
      throws IOException {
    Path state = directory.resolve("state");
    Cli.runOn("{\"a\":1}\n", "dedup " + made.strip(), "-s", state).ok();
    byte[] before = Files.readAllBytes(state);
    Cli.runOn("{\"a\":2}\n", "dedup " + options.strip(), "-s", state)
        .refused(
            "tamis dedup: %s: %s differs: it was filled by ... give the same ...", state, name);
    assertThat(state).hasBinaryContent(before);
  }

  @Test
  void aStateContinuesWithTheSameMembers() {
    Path state = directory.resolve("state");
    String member = "/a b\\é";
    Cli.runOn("{\"a b\\\\é\":1}\n", "dedup -q -s", state, "--json-key", member).ok();
    Cli.runOn("{\"a b\\\\é\":1.0}\n{\"a b\\\\é\":2}\n", "dedup -q -s", state, "--json-key", member)
        .prints("{\"a b\\\\é\":2}\n");
    assertThat(Cli.run("info", state).out())
        .containsPattern("rule +--json-key /a\\\\x20b\\\\\\\\\\\\xc3\\\\xa9\n");
    Cli.runOn("{}\n", "dedup -s", state, "--json-key", "n".repeat(50))
        .refused(
            "tamis dedup: --json-key: a filter has room for 60 characters of options, got 61...");
    Cli.runOn("{}\n", "dedup -q -s", directory.resolve("s"), "--json-key", "n".repeat(49)).ok();
  }

  @Test
  void optionsThatContradictAreRefused() {
    Cli.run("dedup --json-key a -k 1").refused("...--json-key finds the key in JSON, and -k...");
    Cli.run("dedup --json-key a --csv")
        .refused("...--json-key finds the key in JSON, and --csv...");
    Cli.run("dedup --json-key a -t ,").refused("...--json-key finds the key in JSON, and -t...");
    Cli.run("dedup --keep-malformed").refused("...--json-key is not given; leave it out");
    Cli.run("dedup --json-key", "").refused("tamis dedup: --json-key: a path must be ...");
    Cli.run("dedup --json-key /a~2").refused("...a pointer must have ~0 for ~ and ~1 for /...");
  }
}
