package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.bench.peers.Contender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;

class TablesTest {

  private static final String ABOUT =
      "`bench/peers quick`, 2026-11-20. Some CPU, 2 cores.\nSome VM 17.\n";

  @TempDir Path folder;

  @BeforeEach
  void measureLongs() throws IOException {
    canned("long", "a.json", "LongKeys", "tamis", "20000000", 20, 2.5, 3.5);
    canned("long", "b.json", "LongKeys", "tamis-simd", "20000000", 10, 2, 2);
    canned("long", "c.json", "LongKeys", "guava", "20000000", 125, 25, 14);
    canned("long", "d.json", "LongKeys", "fastfilter-blocked", "20000000", 25, 2, 2.94);
    canned("long", "e.json", "LongKeys", "tamis", "100000", 12, 2, 2);
  }

  @Test
  void everyFilterHasARowWithWhatItTakesAndShows() throws IOException {
    assertThat(tables())
        .contains("### Long keys", "`bench/peers quick`, 2026-11-20. Some CPU, 2 cores.")
        .contains(
            "| filter | bits per key | fpp | put | hit | miss | mixed | B per put | B per hit |"
                + " B per miss |")
        .contains("\n2e7 keys:\n", "\n1e5 keys:\n")
        .contains("| Tamis | 10.10 | 1.00 % | 20.0 | 2.5 | ~3.5 |  | 24 | 0 | 0 |")
        .contains("| Guava | 10.10 | 1.00 % | 125 | 25.0 | ~14.0 |  | 24 | 0 | 0 |");
  }

  @Test
  void targetsAreRatiosOfTheSameRun() throws IOException {
    assertThat(targets())
        .contains(
            "| LongKeys keys=20000000: put / hit / miss | tamis | guava | ≥ 6 / 5 / 5 × |"
                + " 6.25 / 10.00 / 4.00 × | met / met / **missed** |")
        .contains(
            "| LongKeys keys=20000000: put / hit / miss | tamis-simd | guava | ≥ 18 / 10 / 12 × |"
                + " 12.50 / 12.50 / 7.00 × | **missed** / met / **missed** |");
  }

  @Test
  void aThreadSafeFilterIsComparedWithASingleThreadedOne() throws IOException {
    canned("long", "f.json", "LongKeys", "tamis-single", "20000000", 16, 2, 3.5);
    assertThat(targets())
        .contains(
            "| LongKeys keys=20000000: put / hit / miss | tamis | tamis-single |"
                + " ≤ 1.25 / 1.1 / 1.1 × | 1.25 / 1.25 / 1.00 × | met / **missed** / met |")
        .contains(
            "| LongKeys keys=20000000: put / hit / miss | tamis-single | best-peer |"
                + " ≥ 0.8 / 0.8 / 0.8 × | 1.56 / 1.00 / 0.84 × | met |");
  }

  @Test
  void twoThreadsAreComparedWithOne() throws IOException {
    threads(1, 102, 40, 40);
    threads(2, 51, 25, 20);
    assertThat(targets())
        .contains(
            "| Threads keys=20000000 threads=2: put / hit / miss | tamis | threads=1 |"
                + " ≥ 1.8 / 1.8 / 1.8 × | 2.00 / 1.60 / 2.00 × | met / **missed** / met |");
    assertThat(tables())
        .contains("### Several threads")
        .contains("| Tamis | 102 | 51.0 | 2.00 | 40.0 | 25.0 | 1.60 | ~40.0 | ~20.0 | 2.00 |");
  }

  @Test
  void garbageIsCountedInWholeBytes() throws IOException {
    canned("text", "a.json", "TextKeys", "tamis", "10000000", 30, 20, 20);
    canned("text", "b.json", "TextKeys", "guava", "10000000", 30, 90, 50);
    assertThat(targets())
        .contains(
            "| TextKeys keys=10000000: hit / miss | tamis | nothing | ≤ 0 / 0 B | 0.00 / 0.00 B |"
                + " met |")
        .contains(
            "| TextKeys keys=10000000: hit / miss | tamis-simd | nothing | ≤ 0 / 0 B | – / – B |"
                + " not measured |")
        .contains(
            "| TextKeys keys=10000000: hit / miss | tamis | guava | ≥ 4 / 4 × | 4.50 / 2.50 × |"
                + " met / **missed** |");
  }

  @Test
  void whatWasNotMeasuredIsNotMet() throws IOException {
    assertThat(targets())
        .contains(
            "| BulkLookup mebibytes=*: bulkHit / bulkMiss | tamis | .loads | ≤ 2 / 2 × | – / – × |"
                + " not measured |")
        .containsPattern("Bounds: met=3, missed=3, not measured=\\d+\\.");
    assertThat(tables()).doesNotContain("### Several threads", "### Random loads");
  }

  @Test
  void everyTargetHasARuleAFilterAndABoundForEachOperation() throws IOException {
    assertThat(Target.all(Results.read(folder)))
        .isNotEmpty()
        .allSatisfy(
            target -> {
              assertThat(target.rule()).isIn("speedup", "time", "bytes");
              assertThat(target.bounds()).hasSameSizeAs(target.operations());
              assertThat(Contender.named(target.filter()).isOurs()).isTrue();
              if (!target.comparedWith().matches("best-peer|nothing|\\..*|.*=.*")) {
                assertThat(Contender.named(target.comparedWith())).isNotNull();
              }
              Class<?> benchmark = Class.forName("dev.tamis.bench.peers." + target.benchmark());
              assertThat(benchmark.getMethods())
                  .filteredOn(method -> method.isAnnotationPresent(Benchmark.class))
                  .extracting(Method::getName)
                  .containsAll(target.operations());
            });
  }

  @Test
  void aPeerWithAHigherFppIsNoMatch() throws IOException {
    canned("long", "f.json", "LongKeys", "tamis-single", "20000000", 20, 2.5, 3.5);
    String json = Files.readString(file("long", "d.json"), UTF_8);
    Files.writeString(file("long", "d.json"), json.replace("0.0100", "0.0235"), UTF_8);
    assertThat(targets())
        .contains("| tamis-single | best-peer | ≥ 0.8 / 0.8 / 0.8 × | 6.25 / 10.00");
  }

  @Test
  void roundsAreOneMeasurement() throws IOException {
    canned("long", "a-2.json", "LongKeys", "tamis", "20000000", 40, 3.5, 3.5);
    assertThat(tables()).contains("| Tamis | 10.10 | 1.00 % | ~30.0 | ~3.0 | ~3.5 |");
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
    Files.writeString(
        file("long", "a.json"), "[{\"benchmark\": \"x.LongKeys.hit\", \"params\": {}}]", UTF_8);
    assertThatThrownBy(() -> Results.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "a.json is not a result of JMH: times in ns/op, params and metrics needed");
    Files.writeString(file("long", "a.json"), "[{", UTF_8);
    assertThatThrownBy(() -> Results.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.json is not a result of JMH");
  }

  private String tables() throws IOException {
    return Tables.of(Results.read(folder), "lookups.svg");
  }

  private String targets() throws IOException {
    return Target.table(Results.read(folder));
  }

  private void threads(int threads, double put, double hit, double miss) throws IOException {
    String file = threads + ".json";
    canned("threads", file, "Threads", "tamis", "20000000", put, hit, miss);
    String json = Files.readString(file("threads", file), UTF_8);
    String parameter = "\"contender\": \"tamis\", \"threads\": \"" + threads + "\"";
    Files.writeString(
        file("threads", file), json.replace("\"contender\": \"tamis\"", parameter), UTF_8);
  }

  private Path file(String part, String name) {
    return folder.resolve(part).resolve(name);
  }

  /** Writes three operations as JMH does; the iterations of the last have a spread of 50 %. */
  private void canned(
      String part,
      String file,
      String benchmark,
      String contender,
      String keys,
      double put,
      double hit,
      double miss)
      throws IOException {
    Files.createDirectories(folder.resolve(part));
    Files.writeString(folder.resolve(part).resolve(Results.ABOUT), ABOUT, UTF_8);
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
       "bitsPerKey": {"score": 10.1}, "fpp": {"score": 0.0100},
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
