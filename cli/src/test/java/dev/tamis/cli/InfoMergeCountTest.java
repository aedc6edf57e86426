package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.cli.Cli.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoMergeCountTest {

  @TempDir Path directory;

  @Test
  void infoSaysWhatTheFilterIsAndHowFull() throws IOException {
    Path filter = build("a", 0, 1000, "-n", "1000", "-p", "0.01");
    JsonObject info = json("info", "--json", filter);
    assertThat(info.get("kind").getAsString()).isEqualTo("bloom");
    assertThat(info.get("layout").getAsString()).isEqualTo("split");
    assertThat(info.get("hashes").getAsInt()).isEqualTo(8);
    assertThat(info.get("seed").getAsLong()).isZero();
    assertThat(info.get("bytes").getAsLong()).isEqualTo(Files.size(filter));
    assertThat(info.get("expected_keys").getAsLong()).isEqualTo(1000);
    assertThat(info.get("fpp_asked").getAsDouble()).isEqualTo(0.01);
    assertThat(info.get("fpp").getAsDouble()).isBetween(0.005, 0.015);
    JsonObject keys = info.getAsJsonObject("keys");
    assertThat(keys.get("low").getAsDouble()).isLessThan(keys.get("value").getAsDouble());
    assertThat(keys.get("value").getAsDouble()).isBetween(950.0, 1050.0);
    double ones = info.get("ones").getAsDouble();
    assertThat(info.get("filled").getAsDouble()).isEqualTo(ones / info.get("bits").getAsDouble());
    assertThat(info.get("checksum").getAsString()).isEqualTo(trailer(filter));
  }

  @Test
  void infoForPeopleHasARowForEach() throws IOException {
    Path filter = build("a", 0, 1000, "-n", "1000", "-p", "0.01");
    assertThat(Cli.run("info", filter).out())
        .contains("kind           bloom\n", "layout         split\n", "fpp asked      0.01\n")
        .containsPattern("\nkeys           \\d+ \\(\\d+ to \\d+\\)\n")
        .endsWith("checksum       " + trailer(filter) + "\n");
  }

  @Test
  void infoOfAFilterThatGrewShowsItsStages() throws IOException {
    Path filter = build("a", 0, 1000, "-n", "100", "-t", "scalable");
    JsonObject info = json("info", "--json", filter);
    assertThat(info.get("kind").getAsString()).isEqualTo("scalable");
    assertThat(info.getAsJsonArray("stages")).hasSize(4);
    assertThat(
            info.getAsJsonArray("stages").get(1).getAsJsonObject().get("expected_keys").getAsLong())
        .isEqualTo(200);
    assertThat(Cli.run("info", filter).out())
        .contains("\nstage 1    layout=", "\nstage 4    layout=");
  }

  @Test
  void infoOfSomethingElseIsRefused() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "x".repeat(1000));
    Result result = Cli.run("info", text);
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tamis info: " + text + ": not a valid filter: magic at byte 0: expected ")
        .endsWith("; it is damaged, or was not written by tamis\n")
        .hasLineCount(1);
  }

  @Test
  void mergeIsLikePuttingBoth() throws IOException {
    Path first = build("1", 0, 500, "-n", "1000");
    Path second = build("2", 300, 800, "-n", "1000");
    Path both = build("both", 0, 800, "-n", "1000");
    Path merged = directory.resolve("merged");
    Result result = Cli.run("merge", "-o", merged, first, second);
    assertThat(result.exit()).isZero();
    assertThat(result.account()).containsEntry("filters", "2").containsKeys("keys", "fpp");
    assertThat(Files.readAllBytes(merged)).isEqualTo(Files.readAllBytes(both));
  }

  @Test
  void mergeMayReplaceOneOfItsInputs() throws IOException {
    Path first = build("1", 0, 500, "-n", "1000");
    Path second = build("2", 500, 800, "-n", "1000");
    assertThat(Cli.run("merge", "-q", "-o", first, first, second, second).err()).isEmpty();
    assertThat(Files.readAllBytes(first))
        .isEqualTo(Files.readAllBytes(build("both", 0, 800, "-n", "1000")));
  }

  @Test
  void mergeWarnsOfAUnionThatIsTooFull() throws IOException {
    Path first = build("1", 0, 1000, "-n", "1000");
    Path second = build("2", 1000, 2000, "-n", "1000");
    assertThat(Cli.run("merge", "-o", first, first, second).err())
        .startsWith("tamis merge: warning: the filter is for 1000 keys and holds ");
  }

  @Test
  void mergeNamesTheFieldAndTheFilesThatDiffer() throws IOException {
    Path first = build("1", 0, 10, "-n", "1000");
    Path larger = build("2", 0, 10, "-n", "2000");
    Path classic = build("3", 0, 10, "-n", "1000", "-t", "classic");
    Path output = directory.resolve("out");
    Result bits = Cli.run("merge", "-o", output, first, larger);
    assertThat(bits.exit()).isEqualTo(2);
    assertThat(bits.err())
        .matches(
            "tamis merge: \\Q"
                + first
                + " and "
                + larger
                + "\\E: cannot be combined: number of bits differs: \\d+ and \\d+; build both with"
                + " the same -n, -p and -t\n");
    assertThat(Cli.run("merge", "-o", output, first, classic).err())
        .contains("layout differs: two-lines and classic");
    assertThat(output).doesNotExist();
  }

  @Test
  void oneFilterIsNotEnoughToMerge() throws IOException {
    Path first = build("1", 0, 10, "-n", "1000");
    Result result = Cli.run("merge", "-o", directory.resolve("out"), first);
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).isEqualTo("tamis merge: give two filters or more, got 1\n");
  }

  @Test
  void countEstimatesOneFilterWithAnInterval() throws IOException {
    Path filter = build("a", 0, 100_000, "-n", "100k", "-p", "0.01");
    JsonObject keys = json("count", "--json", filter).getAsJsonObject("keys");
    assertThat(keys.get("low").getAsDouble()).isBetween(99_000.0, 100_100.0);
    assertThat(keys.get("high").getAsDouble()).isBetween(99_900.0, 101_000.0);
    assertThat(Cli.run("count", filter).out()).matches("keys  \\d+ \\(\\d+ to \\d+\\)\n");
  }

  @Test
  void countEstimatesAFilterThatGrew() throws IOException {
    Path filter = build("a", 0, 10_000, "-t", "scalable", "-n", "100");
    JsonObject keys = json("count", "--json", filter).getAsJsonObject("keys");
    assertThat(keys.get("value").getAsDouble()).isBetween(9_900.0, 10_100.0);
  }

  @Test
  void countSaysWhatTwoFiltersShare() throws IOException {
    Path first = build("1", 0, 60_000, "-n", "100k", "-p", "0.01");
    Path second = build("2", 40_000, 100_000, "-n", "100k", "-p", "0.01");
    JsonObject counts = json("count", "--json", first, second);
    assertThat(counts.keySet()).containsExactly("first", "second", "union", "intersection");
    assertHolds(counts.getAsJsonObject("first"), 60_000);
    assertHolds(counts.getAsJsonObject("second"), 60_000);
    assertHolds(counts.getAsJsonObject("union"), 100_000);
    assertHolds(counts.getAsJsonObject("intersection"), 20_000);
    assertThat(Cli.run("count", first, second).out())
        .matches(
            "first         \\d+ \\(.*\\)\nsecond        .*\nunion         .*\nintersection  .*\n");
  }

  @Test
  void aFullFilterCannotBeCounted() throws IOException {
    Path filter = build("a", 0, 20_000, "-m", "64B", "-n", "1");
    assertThat(Cli.run("count", filter).out()).matches("keys  not estimable \\(at least \\d+\\)\n");
    JsonObject keys = json("count", "--json", filter).getAsJsonObject("keys");
    assertThat(keys.get("value").isJsonNull()).isTrue();
    assertThat(keys.get("high").isJsonNull()).isTrue();
    assertThat(keys.get("low").getAsDouble()).isPositive();
  }

  @Test
  void countRefusesFiltersThatDoNotMatch() throws IOException {
    Path first = build("1", 0, 10, "-n", "1000");
    Path larger = build("2", 0, 10, "-n", "2000");
    Result result = Cli.run("count", first, larger);
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains(first + " and " + larger + ": cannot be combined: number of bits");
  }

  private static void assertHolds(JsonObject estimate, double truth) {
    double margin = estimate.get("high").getAsDouble() - estimate.get("value").getAsDouble();
    assertThat(margin).isPositive().isLessThan(2000);
    assertThat(estimate.get("value").getAsDouble())
        .isBetween(truth - 2.5 * margin, truth + 2.5 * margin); // 5 standard deviations
  }

  private Path build(String name, int from, int to, Object... options) throws IOException {
    Path lines = Files.write(directory.resolve(name + ".txt"), Lines.numbers(from, to));
    Path filter = directory.resolve(name + ".tamis");
    Object[] args = new Object[options.length + 5];
    args[0] = "build";
    args[1] = "-q";
    args[2] = "-o";
    args[3] = filter;
    System.arraycopy(options, 0, args, 4, options.length);
    args[args.length - 1] = lines;
    Result result = Cli.run(args);
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    return filter;
  }

  private static JsonObject json(Object... args) {
    return JsonParser.parseString(Cli.run(args).out()).getAsJsonObject();
  }

  private static String trailer(Path filter) throws IOException {
    byte[] bytes = Files.readAllBytes(filter);
    int checksum =
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - Integer.BYTES);
    return String.format(Locale.ROOT, "%08x", checksum);
  }
}
