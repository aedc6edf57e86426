package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.cli.Cli.Result;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizeTest {

  @Test
  void aBillionKeysAtOneInTenThousandAreGigabytes() {
    Result result = Cli.run("size", "-n", "1e9", "-p", "1e-4");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).isEmpty();
    List<String> rows = result.out().lines().toList();
    assertThat(rows).hasSize(6);
    assertThat(rows.get(0))
        .isEqualTo(
            "type               layout  bits/key      size       bytes        keys   k     fpp");
    assertThat(rows.get(1)).startsWith("classic            -          19.17  2.397 GB  2396619493");
    assertThat(rows.get(2)).startsWith("partitioned        -          19.17  2.397 GB");
    assertThat(rows.get(3)).startsWith("blocked            split      22.88  2.861 GB");
    assertThat(rows.get(4)).startsWith("classic formula    -          19.17  2.396 GB  2396264595");
    assertThat(rows.get(5)).startsWith("information bound  -          13.29  1.661 GB  1660964048");
  }

  @Test
  void jsonHasTheExactNumbersOfTheLibrary() {
    JsonArray rows = rows("-n", "1e6", "-p", "0.01");
    Sizing classic = Sizing.ask().expectedKeys(1_000_000).fpp(0.01).layout(Layout.CLASSIC).answer();
    JsonObject row = rows.get(0).getAsJsonObject();
    assertThat(row.get("type").getAsString()).isEqualTo("classic");
    assertThat(row.get("bits").getAsLong()).isEqualTo(classic.shape().bits());
    assertThat(row.get("hashes").getAsInt()).isEqualTo(classic.shape().hashes());
    assertThat(row.get("bits_per_key").getAsDouble()).isEqualTo(classic.bitsPerKey());
  }

  @Test
  void memoryAndKeysGiveTheFpp() {
    JsonArray rows = rows("-m", "1MB", "-n", "1e6");
    assertThat(rows.get(0).getAsJsonObject().get("fpp").getAsDouble()).isBetween(0.021, 0.022);
    JsonObject bound = rows.get(4).getAsJsonObject();
    assertThat(bound.get("type").getAsString()).isEqualTo("information bound");
    assertThat(bound.get("fpp").getAsDouble()).isEqualTo(Math.pow(2, -8));
  }

  @Test
  void memoryAndFppGiveTheKeys() {
    JsonArray rows = rows("-m", "1MB", "-p", "0.01");
    assertThat(rows.get(0).getAsJsonObject().get("expected_keys").getAsLong())
        .isBetween(830_000L, 835_000L);
    assertThat(rows.get(4).getAsJsonObject().get("expected_keys").getAsLong())
        .isEqualTo((long) (8_000_000 / (Math.log(100) / Math.log(2))));
  }

  @Test
  void hashesCanBeFixedToo() {
    JsonArray rows = rows("-n", "1e6", "-p", "0.01", "-k", "4");
    assertThat(rows).hasSize(4); // no classic formula, which has a k of its own
    assertThat(rows.get(0).getAsJsonObject().get("hashes").getAsInt()).isEqualTo(4);
    assertThat(rows.get(2).getAsJsonObject().get("layout").getAsString()).isEqualTo("two-lines");
    assertThat(rows("-n", "1e6", "-k", "8")).hasSize(3);
    assertThat(rows("-m", "1M", "-k", "8")).hasSize(3);
  }

  @Test
  void aTypeThatCannotBeSoIsSaidToBeUnderTheTable() {
    Result result = Cli.run("size", "-n", "1e6", "-p", "1e-6", "-k", "17");
    assertThat(result.out())
        .contains("classic ")
        .doesNotContain("blocked")
        .endsWith("hashes of layout two-lines must be 2 to 32 in steps of 2, got 17\n");
  }

  @Test
  void sizesThatCannotBeHadAreRefusedWithTheLimit() {
    Result result = Cli.run("size", "-n", "1e12", "-p", "1e-6");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("tamis size: 1000000000000 keys at fpp 1.0E-6 need about ")
        .contains("more than the 137438952448 that a filter can have")
        .hasLineCount(1);
  }

  @Test
  void tooLittleAndTooMuchAreRefused() {
    String expected = "tamis size: give two of -n, -p and -m, or -k and one of -n and -m\n";
    assertThat(Cli.run("size").err()).isEqualTo(expected);
    assertThat(Cli.run("size", "-n", "10").err()).isEqualTo(expected);
    assertThat(Cli.run("size", "-p", "0.1", "-k", "3").err()).isEqualTo(expected);
    assertThat(Cli.run("size", "-n", "1", "-p", "0.1", "-m", "1").err()).isEqualTo(expected);
    assertThat(Cli.run("size", "-n", "1", "-p", "0.1", "-m", "1").exit()).isEqualTo(2);
  }

  private static JsonArray rows(Object... options) {
    Object[] args = new Object[options.length + 2];
    args[0] = "size";
    args[1] = "--json";
    System.arraycopy(options, 0, args, 2, options.length);
    return JsonParser.parseString(Cli.run(args).out()).getAsJsonObject().getAsJsonArray("sizes");
  }
}
