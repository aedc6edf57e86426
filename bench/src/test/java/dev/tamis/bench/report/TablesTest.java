package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TablesTest {

  private static final About ABOUT =
      new About("bench/peers quick", "2026-11-20", "Some CPU, 2 cores", "Some VM 17");

  @TempDir Path folder;

  @BeforeEach
  void measureLongs() throws IOException {
    canned(Part.LONG, "a.json", "LongKeys", "tamis", "20000000", 20, 2.5, 3.5);
    canned(Part.LONG, "b.json", "LongKeys", "tamis-simd", "20000000", 10, 2, 2);
    canned(Part.LONG, "c.json", "LongKeys", "guava", "20000000", 125, 25, 14);
    canned(Part.LONG, "d.json", "LongKeys", "fastfilter-blocked", "20000000", 25, 2, 2.94);
    canned(Part.LONG, "e.json", "LongKeys", "tamis", "100000", 12, 2, 2);
  }

  @Test
  void everyFilterHasARowWithWhatItTakesAndShows() throws IOException {
    assertThat(tables())
        .contains("### Long keys", "`bench/peers quick`, 2026-11-20. Some CPU, 2 cores.")
        .contains(
            "| filter | bits a key | fpp | put | hit | miss | mixed | B a put | B a hit | B a miss"
                + " |")
        .contains("\n2e7 keys:\n", "\n1e5 keys:\n")
        .contains("| Tamis | 10.10 | 1.00 % | 20.0 | 2.5 | ~3.5 |  | 24 | 0 | 0 |")
        .contains("| Guava | 10.10 | 1.00 % | 125 | 25.0 | ~14.0 |  | 24 | 0 | 0 |");
  }

  @Test
  void targetsAreRatiosOfTheSameRun() throws IOException {
    assertThat(tables())
        .contains(
            "| put / hit / miss, long keys, 2e7 | Guava | ≥ 6 / 5 / 5 × | 6.25 / 10.00 / 4.00 × |"
                + " yes / yes / no | ≥ 18 / 10 / 12 × | 12.50 / 12.50 / 7.00 × | no / yes / no |")
        .contains(
            "| put / hit / miss, long keys, 2e7 | best peer | ≥ 0.8 × | 1.25 / 0.80 / 0.84 × |"
                + " yes / yes / yes | ≥ 1.6 × | 2.50 / 1.00 / 1.47 × | yes / no / no |");
  }

  @Test
  void garbageIsCountedInWholeBytes() throws IOException {
    canned(Part.TEXT, "a.json", "TextKeys", "tamis", "10000000", 30, 20, 20);
    canned(Part.TEXT, "b.json", "TextKeys", "guava", "10000000", 30, 90, 50);
    assertThat(tables())
        .contains(
            "| bytes allocated by hit / miss, addresses, 1e7 | nothing | ≤ 0 B | 0.00 / 0.00 B |"
                + " yes / yes | ≤ 0 B | not measured |  |")
        .contains("| hit / miss, addresses, 1e7 | Guava | ≥ 4 × | 4.50 / 2.50 × | yes / no |");
  }

  @Test
  void whatWasNotMeasuredIsNotMet() throws IOException {
    assertThat(tables())
        .contains(
            "| bulk hit / miss, filter of 1024 MiB | loads of lines | ≤ 2 × | not measured |  |"
                + " ≤ 1.4 × | not measured |  |")
        .contains("| fuse hit / miss, 2e7 | classic layout | ≥ 1.6 × | not measured |  |  |  |  |")
        .doesNotContain("### Several threads", "### What memory allows");
  }

  @Test
  void aPeerThatShowsMoreThanItShouldIsNoMatch() throws IOException {
    String json = Files.readString(file(Part.LONG, "d.json"), UTF_8);
    Files.writeString(file(Part.LONG, "d.json"), json.replace("0.0100", "0.0235"), UTF_8);
    assertThat(tables())
        .contains("| put / hit / miss, long keys, 2e7 | best peer | ≥ 0.8 × | 6.25 / 10.00 / 4.00");
  }

  @Test
  void theVersionsOfThePeersAreNamed() throws IOException {
    assertThat(tables()).containsPattern("Guava \\d+\\.\\d.*, Spark \\d").doesNotContain("${");
  }

  @Test
  void theChartHasALineForEachFilterInBothPanels() throws IOException {
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    LookupChart.write(Results.read(folder), svg);
    String text = svg.toString(UTF_8);
    assertThat(text).startsWith("<?xml").contains("<svg").endsWith("</svg>\n");
    String guava = "rgb(217,48,37)";
    String tamis = "rgb(11,87,208)";
    String nobody = "rgb(141,110,99)"; // Parquet, which was not measured
    assertThat(text).contains(guava, tamis).doesNotContain(nobody);
    assertThat(text.split(Pattern.quote(guava), -1)).hasSizeGreaterThan(2);
  }

  @Test
  void aChartOfNothingIsRefused() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Results none = Results.read(empty);
    assertThatThrownBy(() -> LookupChart.write(none, new ByteArrayOutputStream()))
        .hasMessage("there are no results to draw for hit");
  }

  @Test
  void resultsThatAreNoneAreNamed() throws IOException {
    Files.writeString(file(Part.LONG, "a.json"), "[{\"benchmark\": \"x.LongKeys.hit\"}]", UTF_8);
    assertThatThrownBy(() -> Results.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.json is not a result of JMH: there is no primaryMetric");
    Files.writeString(file(Part.LONG, "a.json"), "[{", UTF_8);
    assertThatThrownBy(() -> Results.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.json is not a result of JMH");
  }

  private String tables() throws IOException {
    return Tables.of(Results.read(folder), "lookups.svg");
  }

  private Path file(Part part, String name) {
    return folder.resolve(part.id()).resolve(name);
  }

  /** Writes three operations as JMH does; the iterations of the last have a spread of 50 %. */
  private void canned(
      Part part,
      String file,
      String benchmark,
      String contender,
      String keys,
      double put,
      double hit,
      double miss)
      throws IOException {
    Files.createDirectories(folder.resolve(part.id()));
    Results.writeAbout(folder.resolve(part.id()), ABOUT);
    double all = Double.parseDouble(keys);
    String parameters = "{\"contender\": \"" + contender + "\", \"keys\": \"" + keys + "\"}";
    Files.writeString(
        file(part, file),
        "["
            + result(benchmark, "put", parameters, put * all, put * all, 24 * all)
            + ","
            + result(benchmark, "hit", parameters, hit, hit, 0.001)
            + ","
            + result(benchmark, "miss", parameters, 0.8 * miss, 1.2 * miss, 0.001)
            + "]",
        UTF_8);
  }

  private static String result(
      String benchmark,
      String operation,
      String parameters,
      double fastest,
      double slowest,
      double bytes) {
    return """
    {"benchmark": "dev.tamis.bench.peers.BENCHMARK.OPERATION", "params": PARAMETERS,
     "primaryMetric": {"scoreUnit": "ns/op", "rawData": [[SLOWEST, FASTEST]]},
     "secondaryMetrics": {
       "bitsAKey": {"score": 10.1}, "fpp": {"score": 0.0100},
       "gc.alloc.rate.norm": {"score": BYTES}}}\
    """
        .replace("BENCHMARK", benchmark)
        .replace("OPERATION", operation)
        .replace("PARAMETERS", parameters)
        .replace("SLOWEST", String.valueOf(slowest))
        .replace("FASTEST", String.valueOf(fastest))
        .replace("BYTES", String.valueOf(bytes));
  }
}
