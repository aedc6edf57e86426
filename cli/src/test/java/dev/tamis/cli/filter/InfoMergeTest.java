package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoMergeTest {

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
    assertThat(info.get("requested_fpp").getAsDouble()).isEqualTo(0.01);
    assertThat(info.get("fpp").getAsDouble()).isBetween(0.005, 0.015);
    JsonObject keys = info.getAsJsonObject("keys");
    assertThat(keys.get("low").getAsDouble()).isLessThan(keys.get("value").getAsDouble());
    assertThat(keys.get("value").getAsDouble()).isBetween(950.0, 1050.0);
    double setBits = info.get("set_bits").getAsDouble();
    assertThat(info.get("filled").getAsDouble())
        .isEqualTo(setBits / info.get("bits").getAsDouble());
    assertThat(info.get("checksum").getAsString()).isEqualTo(trailer(filter));
  }

  @Test
  void infoForPeopleHasARowForEach() throws IOException {
    Path filter = build("a", 0, 1000, "-n", "1000", "-p", "0.01");
    assertThat(Cli.run("info", filter).out())
        .contains("kind           bloom\n", "layout         split\n", "requested fpp  0.01\n")
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
        .contains("\nstage 1        layout=", "\nstage 4        layout=");
  }

  @Test
  void infoOfSomethingElseIsRefused() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "x".repeat(1000));
    Cli.run("info", text)
        .refused(
            "tamis info: "
                + text
                + ": not a valid filter: magic at byte 0: expected ...; the file is damaged, or of"
                + " another kind\n");
  }

  @Test
  void mergeIsLikePuttingBoth() throws IOException {
    Path first = build("1", 0, 500, "-n", "1000");
    Path second = build("2", 300, 800, "-n", "1000");
    Path both = build("both", 0, 800, "-n", "1000");
    Path merged = directory.resolve("merged");
    Cli.run("merge -o", merged, first, second).ok().sums("filters=2 keys=... fpp=...");
    assertThat(Files.readAllBytes(merged)).isEqualTo(Files.readAllBytes(both));
  }

  @Test
  void mergeMayReplaceOneOfItsInputs() throws IOException {
    Path first = build("1", 0, 500, "-n", "1000");
    Path second = build("2", 500, 800, "-n", "1000");
    Cli.run("merge -q -o", first, first, second, second).says("");
    assertThat(Files.readAllBytes(first))
        .isEqualTo(Files.readAllBytes(build("both", 0, 800, "-n", "1000")));
  }

  @Test
  void mergeWarnsOfAUnionThatIsTooFull() throws IOException {
    Path first = build("1", 0, 1000, "-n", "1000");
    Path second = build("2", 1000, 2000, "-n", "1000");
    Cli.run("merge -o", first, first, second)
        .says("tamis merge: warning: filter is over capacity: sized for 1000 keys, at least ...");
  }

  @Test
  void mergeNamesTheFieldAndTheFilesThatDiffer() throws IOException {
    Path first = build("1", 0, 10, "-n", "1000");
    Path larger = build("2", 0, 10, "-n", "2000");
    Path classic = build("3", 0, 10, "-n", "1000", "-t", "classic");
    Path output = directory.resolve("out");
    Result bits = Cli.run("merge -o", output, first, larger).refused();
    assertThat(bits.err())
        .matches(
            "tamis merge: \\Q"
                + first
                + " and "
                + larger
                + "\\E: the two are not compatible: bits differs: \\d+ and \\d+; build both with"
                + " the same -n, -p and -t\n");
    Cli.run("merge -o", output, first, classic)
        .refused("...layout differs: split-pair and classic...");
    assertThat(output).doesNotExist();
  }

  @Test
  void oneFilterIsNotEnoughToMerge() throws IOException {
    Path first = build("1", 0, 10, "-n", "1000");
    Cli.run("merge -o", directory.resolve("out"), first)
        .refused("tamis merge: filters: must be two or more, got 1\n");
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
    Cli.run(args).says("").ok();
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
