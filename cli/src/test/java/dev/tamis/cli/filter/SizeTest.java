package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.size.MachineMemory;
import dev.tamis.cli.size.Sizer;
import dev.tamis.sizing.CuckooSizing;
import dev.tamis.sizing.FuseSizing;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.RibbonSizing;
import dev.tamis.sizing.Sizing;
import dev.tamis.sizing.WindowSizing;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTest {

  @TempDir Path directory;

  @Test
  void aBillionKeysAtOneInTenThousandAreGigabytes() {
    Result result = Cli.run("size -n 1e9 -p 1e-4").ok();
    assertThat(result.err()).isEmpty();
    List<String> rows = result.out().lines().toList();
    assertThat(rows.get(0))
        .isEqualTo(
            "type               layout  bits/key       size        bytes        keys   k     fpp");
    assertThat(rows.subList(1, rows.size()))
        .extracting(row -> row.substring(0, 35))
        .containsExactly(
            "blocked            split      22.88",
            "classic            -          19.17",
            "partitioned        -          19.17",
            "counting           split      91.54",
            "cuckoo             -          17.89",
            "scalable           -          33.64",
            "windowed           -          32.36",
            "fuse               -          15.80",
            "ribbon             -          13.38",
            "classic formula    -          19.17",
            "information bound  -          13.29");
    assertThat(rows.get(2)).contains(" 2.397 GB   2396619493 ");
    assertThat(rows.get(11)).contains(" 1.661 GB   1660964048 ");
  }

  @Test
  void jsonHasTheExactNumbersOfTheLibrary() {
    Sizing classic =
        Sizing.builder().expectedKeys(1_000_000).fpp(0.01).layout(Layout.CLASSIC).solve();
    JsonObject row = row("classic", "-n 1e6 -p 0.01");
    assertThat(row.get("bits").getAsLong()).isEqualTo(classic.shape().bits());
    assertThat(row.get("hashes").getAsInt()).isEqualTo(classic.shape().hashes());
    assertThat(row.get("bits_per_key").getAsDouble()).isEqualTo(classic.bitsPerKey());
  }

  @Test
  void everyTypeHasTheBitsOfTheLibrary() {
    String asked = "-n 1e6 -p 0.01";
    assertThat(bits("cuckoo", asked)).isEqualTo(CuckooSizing.forKeys(1_000_000, 0.01).bits());
    assertThat(bits("windowed", asked))
        .isEqualTo(WindowSizing.builder().window(1_000_000).fpp(0.01).solve().bits());
    assertThat(bits("fuse", asked)).isEqualTo(FuseSizing.forKeys(1_000_000, 3).slots() * 7);
    assertThat(bits("ribbon", asked))
        .isEqualTo((long) Math.ceil(RibbonSizing.bits(1_000_000, 0.01)));
    assertThat(bits("counting", asked)).isEqualTo(4 * bits("blocked", asked));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "blocked",
        "classic",
        "partitioned",
        "counting",
        "cuckoo",
        "windowed",
        "fuse",
        "ribbon"
      })
  void aBuiltFilterIsAsLargeAsItsRow(String type) {
    long bytes = row(type, "-n 20000 -p 0.001").get("bytes").getAsLong();
    boolean isStatic = type.equals("fuse") || type.equals("ribbon");
    String size = isStatic ? "" : " -n 20000";
    String options = "build --json -p 0.001 -t " + type + size + " -o";
    JsonObject built =
        Cli.runOn(Lines.numbers(0, 20_000), options, directory.resolve("filter")).jsonSummary();
    assertThat(built.get("memory_bytes").getAsLong())
        .isBetween(bytes - bytes / 100, bytes + bytes / 100);
  }

  @Test
  void memoryAndKeysGiveTheFpp() {
    String asked = "-m 1MB -n 1e6";
    assertThat(row("classic", asked).get("fpp").getAsDouble()).isBetween(0.021, 0.022);
    assertThat(row("information bound", asked).get("fpp").getAsDouble()).isEqualTo(Math.pow(2, -8));
    assertThat(row("fuse", asked).get("fpp").getAsDouble())
        .isCloseTo(Math.pow(2, -7), within(1e-9));
    assertThat(row("ribbon", asked).get("fpp").getAsDouble()).isBetween(1 / 256.0, 1 / 240.0);
    for (String type : new String[] {"cuckoo", "windowed", "fuse", "ribbon"}) {
      JsonObject row = row(type, asked);
      assertThat(row.get("bytes").getAsLong()).isBetween(850_000L, 1_000_000L);
      String p = row.get("fpp").getAsString();
      assertThat(bits(type, "-n 1e6 -p " + p)).isEqualTo(row.get("bits").getAsLong());
    }
  }

  @Test
  void memoryAndFppGiveTheKeys() {
    String asked = "-m 1MB -p 0.01";
    assertThat(keys("classic", asked)).isBetween(830_000L, 835_000L);
    assertThat(keys("information bound", asked))
        .isEqualTo((long) (8_000_000 / (Math.log(100) / Math.log(2))));
    for (String type : new String[] {"cuckoo", "windowed", "fuse", "ribbon"}) {
      long most = keys(type, asked);
      assertThat(bits(type, "-p 0.01 -n " + most)).isLessThanOrEqualTo(8_000_000);
      assertThat(bits(type, "-p 0.01 -n " + (most + 1))).isGreaterThan(8_000_000);
    }
  }

  @Test
  void hashesCanBeFixedToo() {
    String asked = "-n 1e6 -p 0.01 -k 4";
    assertThat(types(asked)) // no classic formula, which has a k of its own
        .containsExactly("blocked", "classic", "partitioned", "counting", "information bound");
    assertThat(row("classic", asked).get("hashes").getAsInt()).isEqualTo(4);
    assertThat(row("blocked", asked).get("layout").getAsString()).isEqualTo("line");
    assertThat(types("-n 1e6 -k 8")).hasSize(4);
    assertThat(types("-m 1M -k 8")).hasSize(4);
  }

  @Test
  void typesThatCannotBeSoSayWhyUnderTheTable() {
    assertThat(Cli.run("size -n 1e6 -p 1e-10").out())
        .contains("\nwindowed ")
        .doesNotContain("\nfuse ", "\nribbon ", "\ncuckoo ")
        .contains("\ncuckoo: fpp must be at least 1.77e-9, ", "\nribbon: fpp must be at least")
        .contains("\nfuse: fpp must be at least 2^-32 (2.33e-10), got 1e-10\n");
    assertThat(Cli.run("size -n 10 -m 2").out())
        .contains("\ncuckoo: memory: 2 bytes are too few for 10 keys at any fpp\n");
    assertThat(Cli.run("size -p 0.01 -m 2").out())
        .contains("\nwindowed: memory: 2 bytes are too few for one key at fpp 0.01\n");
    assertThat(Cli.run("size -n 9e12 -p 0.45").out())
        .contains("\ncounting: ", "\nfuse: bits: must be at most 17592186044416, got 2");
    assertThat(Cli.run("size -n 1e6 -p 1e-6 -k 17").out())
        .contains("classic ")
        .doesNotContain("\nblocked ")
        .endsWith("hashes of layout split-pair must be 16 to 32 in steps of 16, got 17\n");
    assertThat(Cli.run("size -n 1e12 -p 1e-6").ok().says("").out())
        .contains(
            "information bound ",
            "\nclassic: 1000000000000 keys at fpp 1e-6 need more than the 17592186044416 bits that"
                + " a filter can have; ");
    assertThat(Cli.run("size -n 9e18 -p 0.5").out())
        .contains("information bound  -           1.00  1.125 EB  1125000000000000000  ")
        .contains("\nclassic formula: 9000000000000000000 keys at fpp 0.5 need 2^63 bits or more\n")
        .doesNotContain("classic formula  ");
  }

  @Test
  void sizesThatNoMachineHereHasAreListedAndMarked() {
    Result result = Cli.run("size -n 4e11 -p 0.01").ok();
    assertThat(result.out().lines().skip(1))
        .hasSize(11)
        .allMatch(row -> row.matches(".* more than the [0-9.]+ [kMGT]B of this machine"));
    assertThat(rows("-n 4e11 -p 0.01")).allMatch(row -> row.get("exceeds_memory").getAsBoolean());
  }

  @Test
  void aRowIsMarkedFromTheFirstByteThatTheMachineLacks() {
    Sizer.Request request = new Sizer.Request(1_000_000_000L, 1e-4, null, null);
    long classic = 2_396_619_493L;
    assertThat(classicRow(request, classic - 1))
        .endsWith(" more than the 2.397 GB of this machine");
    assertThat(classicRow(request, classic)).endsWith(" 0.0001");
    assertThat(classicRow(request, classic + 1)).endsWith(" 0.0001");
    assertThat(new Size.SizeRows(request, new MachineMemory(classic)).json())
        .contains(
            "\"bytes\":2396619493,\"expected_keys\":1000000000,\"fpp\":1.0E-4,\"hashes\":13}");
  }

  private static String classicRow(Sizer.Request request, long machineBytes) {
    return new Size.SizeRows(request, new MachineMemory(machineBytes))
        .table()
        .lines()
        .filter(row -> row.startsWith("classic  "))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " -n 10", " -p 0.1 -k 3", " -n 1 -p 0.1 -m 1"})
  void tooLittleAndTooMuchAreRefused(String options) {
    Cli.run("size" + options)
        .refused("tamis size: give two of -n, -p and -m, or -k and one of -n and -m");
  }

  private static long bits(String type, String options) {
    return row(type, options).get("bits").getAsLong();
  }

  private static long keys(String type, String options) {
    return row(type, options).get("expected_keys").getAsLong();
  }

  private static JsonObject row(String type, String options) {
    return rows(options)
        .filter(row -> row.get("type").getAsString().equals(type))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> types(String options) {
    return rows(options).map(row -> row.get("type").getAsString()).toList();
  }

  private static Stream<JsonObject> rows(String options) {
    JsonArray sizes = Cli.run("size --json " + options).json().getAsJsonArray("sizes");
    return sizes.asList().stream().map(JsonElement::getAsJsonObject);
  }
}
