package dev.tamis.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.tamis.Storable;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Faults;
import dev.tamis.cli.Lines;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tamis count} on one file and on two. */
class CountTest {

  private static final String[] OF_TWO = {
    "first", "second", "union", "intersection", "jaccard", "confidence"
  };

  @TempDir Path directory;

  @Test
  void oneFilterHasItsKeysWithAnInterval() throws IOException {
    Path filter = build("a", 0, 100_000, "-n", "100k", "-p", "0.01");
    JsonObject keys = json("count", "--json", filter).getAsJsonObject("keys");
    assertThat(keys.get("low").getAsDouble()).isBetween(99_000.0, 100_100.0);
    assertThat(keys.get("high").getAsDouble()).isBetween(99_900.0, 101_000.0);
    assertThat(Cli.run("count", filter).out())
        .matches("keys        \\d+ \\(\\d+ to \\d+\\)\nconfidence  0\\.95\n");
    Path grown = build("b", 0, 10_000, "-t", "scalable", "-n", "100");
    keys = json("count", "--json", grown).getAsJsonObject("keys");
    assertThat(keys.get("value").getAsDouble()).isBetween(9_900.0, 10_100.0);
  }

  @Test
  void moreConfidenceIsAWiderInterval() throws IOException {
    Path filter = build("a", 0, 100_000, "-n", "100k", "-p", "0.01");
    double half = width(json("count", "--json", "--confidence", "0.5", filter), "keys");
    double usual = width(json("count", "--json", filter), "keys");
    double sure = width(json("count", "--json", "--confidence", "0.999", filter), "keys");
    assertThat(usual / half).isBetween(2.7, 3.1); // 1.96 / 0.674 but for whole keys
    assertThat(sure / usual).isBetween(1.6, 1.75); // 3.29 / 1.96
    assertThat(
            json("count", "--json", "--confidence", "0.999", filter)
                .get("confidence")
                .getAsDouble())
        .isEqualTo(0.999);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "95", "-0.5", "NaN", "much"})
  void aConfidenceThatIsNoneIsRefused(String confidence) throws IOException {
    Result result =
        Cli.run("count", "--confidence=" + confidence, build("a", 0, 10, "-n", "10")).refused();
    assertThat(result.err())
        .contains("'--confidence'", "a probability between 0 and 1", "'" + confidence + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic", "counting", "scalable", "partitioned"})
  void twoFiltersOfAKindAreCompared(String type) throws IOException {
    Path first = build("1", 0, 60_000, "-n", "100k", "-p", "0.01", "-t", type);
    Path second = build("2", 40_000, 100_000, "-n", "100k", "-p", "0.01", "-t", type);
    JsonObject counts = json("count", "--json", first, second);
    assertThat(counts.keySet()).containsExactly(OF_TWO);
    assertHolds(counts.getAsJsonObject("first"), 60_000, 2_000);
    assertHolds(counts.getAsJsonObject("second"), 60_000, 2_000);
    assertHolds(counts.getAsJsonObject("union"), 100_000, 2_000);
    assertHolds(counts.getAsJsonObject("intersection"), 20_000, 2_000);
    assertHolds(counts.getAsJsonObject("jaccard"), 0.2, 0.02);
    assertThat(Cli.run("count", first, second).out())
        .matches(
            """
            first         \\d+ \\(.*\\)
            second        \\d+ \\(.*\\)
            union         \\d+ \\(.*\\)
            intersection  \\d+ \\(.*\\)
            jaccard       0\\.\\d+ \\(0\\.\\d+ to 0\\.\\d+\\)
            confidence    0\\.95
            """);
  }

  @Test
  void twoDistinctCountersAreCompared() throws IOException {
    Path first = distinct("1", 0, 60_000);
    Path second = distinct("2", 40_000, 100_000);
    JsonObject counts = json("count", "--json", first, second);
    assertThat(counts.keySet()).containsExactly(OF_TWO);
    assertHolds(counts.getAsJsonObject("union"), 100_000, 5_000);
    assertHolds(counts.getAsJsonObject("intersection"), 20_000, 5_000);
    assertHolds(counts.getAsJsonObject("jaccard"), 0.2, 0.05);
    assertHolds(json("count", "--json", first).getAsJsonObject("keys"), 60_000, 3_000);
  }

  @Test
  void disjointAndEqualSetsStayWithinWhatCanBe() throws IOException {
    Path first = build("1", 0, 1_000, "-n", "1000");
    Path second = build("2", 1_000, 2_000, "-n", "1000");
    JsonObject disjoint = json("count", "--json", first, second);
    assertThat(low(disjoint, "intersection")).isZero();
    assertThat(low(disjoint, "jaccard")).isZero();
    JsonObject equal = json("count", "--json", first, first);
    JsonObject jaccard = equal.getAsJsonObject("jaccard");
    assertThat(jaccard.get("value").getAsDouble()).isEqualTo(1);
    assertThat(jaccard.get("high").getAsDouble()).isEqualTo(1);
    assertThat(jaccard.get("low").getAsDouble()).isBetween(0.99, 0.9999);
    assertThat(equal.get("intersection")).isEqualTo(equal.get("first"));
  }

  @Test
  void emptyFiltersHaveNoJaccardIndex() throws IOException {
    Path empty = build("1", 0, 0, "-n", "1000");
    assertThat(Cli.run("count", empty, empty).out())
        .contains("intersection  0 (0 to 0)\n")
        .contains("jaccard       not estimable (0 to 1), because both are empty\n");
    JsonObject jaccard = json("count", "--json", empty, empty).getAsJsonObject("jaccard");
    assertThat(jaccard.get("value").isJsonNull()).isTrue();
    assertThat(jaccard.get("reason").getAsString()).isEqualTo("both are empty");
  }

  @Test
  void nothingIsGuessedOfAFullFilterOrUnion() throws IOException {
    Path full = build("1", 0, 20_000, "-m", "64B", "-n", "1", "--allow-overfull");
    assertThat(Cli.run("count", full).out())
        .matches("keys        not estimable \\(at least \\d+\\)\nconfidence  0.95\n");
    JsonObject keys = json("count", "--json", full).getAsJsonObject("keys");
    assertThat(keys.get("value").isJsonNull()).isTrue();
    assertThat(keys.get("high").isJsonNull()).isTrue();
    assertThat(keys.get("low").getAsDouble()).isPositive();
    Path other = build("2", 0, 10, "-m", "64B", "-n", "1", "--allow-overfull");
    assertThat(Cli.run("count", full, other).out())
        .containsPattern("union         not estimable \\(at least \\d+\\)\n")
        .containsPattern(
            "intersection  not estimable \\(0 to \\d+\\), because it is too full to count\n")
        .contains("jaccard       not estimable (0 to 1), because it is too full to count\n");
    JsonObject counts = json("count", "--json", full, other);
    for (String name : new String[] {"union", "intersection", "jaccard"}) {
      assertThat(counts.getAsJsonObject(name).get("value").isJsonNull()).as(name).isTrue();
      assertThat(counts.getAsJsonObject(name).get("reason").getAsString())
          .isEqualTo("it is too full to count");
    }
    Path both = build("3", 0, 20_000, "-m", "64B", "-n", "1", "--allow-overfull");
    assertThat(
            json("count", "--json", full, both)
                .getAsJsonObject("intersection")
                .get("high")
                .isJsonNull())
        .isTrue();
  }

  @Test
  void filtersThatDoNotMatchAreRefusedByTheFieldAndBothValues() throws IOException {
    Path first = build("1", 0, 10, "-n", "1000");
    Path larger = build("2", 0, 10, "-n", "2000");
    Path classic = build("3", 0, 10, "-n", "1000", "-t", "classic");
    Path counting = build("4", 0, 10, "-n", "1000", "-t", "counting");
    Path grown = build("5", 0, 1000, "-n", "100", "-t", "scalable");
    Path scalable = build("6", 0, 10, "-n", "100", "-t", "scalable");
    assertRefused(first, larger, "bits differs: \\d+ and \\d+; build both .*");
    assertRefused(first, classic, "layout differs: split-pair and classic; build both .*");
    assertRefused(first, counting, "kind differs: bloom and counting; build both .*");
    assertRefused(
        grown, scalable, "the number of stages must be 1 in both filters, got 4 and 1; build .*");
    assertRefused(first, distinct("7", 0, 10), "kind differs: bloom and distinct");
    assertRefused(countMin("8", 1), distinct("9", 0, 10), "kind differs: count-min and distinct");
  }

  @Test
  void countersOfAnotherSeedAreRefused() throws IOException {
    DistinctCounter<byte[]> other =
        DistinctCounter.<byte[]>builder(KeyHasher.bytes()).precision(10).seed(5).build();
    assertRefused(
        distinct("1", 0, 10), write("2", other), "seed differs: 0 and 5; build both with .*");
  }

  @Test
  void putsOfCountMinSketchesAreCounted() throws IOException {
    Path first = countMin("1", 3);
    Path second = countMin("2", 4);
    Cli.run("count", first).prints("puts  3\n");
    Cli.run("count", first, second).prints("first puts   3\nsecond puts  4\nputs         7\n");
    assertThat(json("count", "--json", first, second).get("puts").getAsLong()).isEqualTo(7);
  }

  @Test
  void damagedSketchesAreRefused() throws IOException {
    Path file = distinct("1", 0, 100);
    Faults.flip(file, 100);
    Cli.run("count", file).refused("tamis count: " + file + ": ...");
  }

  private void assertRefused(Path first, Path second, String reason) {
    Result result = Cli.run("count", first, second).refused();
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .matches(
            "tamis count: \\Q"
                + first
                + " and "
                + second
                + "\\E: (cannot be compared|the two are not compatible): "
                + reason
                + "\n");
  }

  private Path distinct(String name, int from, int to) throws IOException {
    DistinctCounter<byte[]> counter = DistinctCounter.create(KeyHasher.bytes(), 13);
    for (int i = from; i < to; i++) {
      counter.put(String.valueOf(i).getBytes(StandardCharsets.US_ASCII));
    }
    return write(name, counter);
  }

  private Path countMin(String name, int puts) throws IOException {
    CountMinSketch<byte[]> sketch = CountMinSketch.create(KeyHasher.bytes(), 0.1, 0.1);
    for (int i = 0; i < puts; i++) {
      sketch.putHash(KeyHasher.longs().hash((long) i, HashFunction.xxh3(0)));
    }
    return write(name, sketch);
  }

  private Path write(String name, Storable stored) throws IOException {
    return Files.write(directory.resolve(name), stored.toByteArray());
  }

  private static void assertHolds(JsonObject estimate, double truth, double widest) {
    double margin = estimate.get("high").getAsDouble() - estimate.get("value").getAsDouble();
    assertThat(margin).isPositive().isLessThan(widest);
    assertThat(estimate.get("value").getAsDouble())
        .isBetween(truth - 2.5 * margin, truth + 2.5 * margin); // 5 standard deviations
  }

  private static double low(JsonObject counts, String name) {
    return counts.getAsJsonObject(name).get("low").getAsDouble();
  }

  private static double width(JsonObject counts, String name) {
    return counts.getAsJsonObject(name).get("high").getAsDouble() - low(counts, name);
  }

  private Path build(String name, int from, int to, Object... options) throws IOException {
    Path filter = directory.resolve(name + ".tamis");
    List<Object> args = new ArrayList<>(List.of("build", "-q", "-o", filter));
    args.addAll(List.of(options));
    Cli.runOn(Lines.numbers(from, to), args.toArray()).ok();
    return filter;
  }

  private static JsonObject json(Object... args) {
    return Cli.run(args).json();
  }
}
