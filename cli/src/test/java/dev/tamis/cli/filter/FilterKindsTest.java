package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tamis.Storable;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code info}, {@code merge} and {@code count} make of each kind of file. */
class FilterKindsTest {

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GUAVA", "SPARK", "SPARK_V1", "PARQUET", "DCSO"})
  void infoSaysOfEveryTypeHowFullItIs(FilterType type) throws IOException {
    Path filter = build("a", type.toString(), 0, 2000);
    JsonObject info = info(filter);
    assertThat(info.get("bytes").getAsLong()).isEqualTo(Files.size(filter));
    assertThat(info.get("hash").getAsString()).isEqualTo("xxh3");
    assertThat(info.get("seed").getAsString()).isEqualTo("0");
    assertThat(info.get("checksum").getAsString()).matches("[0-9a-f]{8}");
    assertThat(info.get("requested_fpp").getAsDouble()).isEqualTo(0.001);
    assertThat(info.get("fpp").getAsDouble()).isBetween(1e-4, 1.1e-3);
    JsonObject keys = info.getAsJsonObject("keys");
    assertThat(keys.get("value").getAsDouble()).isBetween(1950.0, 2050.0);
    assertThat(keys.get("low").getAsDouble()).isLessThanOrEqualTo(keys.get("high").getAsDouble());
    assertThat(Cli.run("info", filter).out()).startsWith("kind ").contains("\nchecksum ");
    assertThat(Cli.run("count", filter).out())
        .matches("keys        \\d+ \\(\\d+ to \\d+\\)\nconfidence  0.95\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "counting | counter_bits=4 hashes=8 saturated_counters=0 expected_keys=2000 layout=split",
        "cuckoo | fingerprint_bits=13 buckets=544 slots=2176 expected_keys=2000",
        "windowed | window=2006_puts generation=34 generations=59 hashes=15",
        "fuse | arity=3 fingerprint_bits=10 shards=1",
        "ribbon | layers=2",
      })
  void infoSaysTheParametersOfTheKind(String kind, String parameters) throws IOException {
    JsonObject info = info(build("a", kind, 0, 2000));
    assertThat(info.get("kind").getAsString()).isEqualTo(kind);
    for (String parameter : parameters.split(" ", -1)) {
      String[] parts = parameter.split("=", -1);
      assertThat(info.get(parts[0]).getAsString().replace(' ', '_'))
          .as(parts[0])
          .isEqualTo(parts[1]);
    }
  }

  @Test
  void infoReadsAWindowOfTime() throws IOException {
    Path path =
        write(
            WindowedBloomFilter.<Line>builder(Line.HASHER)
                .window(Duration.ofDays(1))
                .expectedKeys(100)
                .fpp(0.01)
                .clock(InstantSource.system())
                .build());
    JsonObject info = info(path);
    assertThat(Duration.parse(info.get("window").getAsString()))
        .isBetween(Duration.ofDays(1), Duration.ofDays(1).plusSeconds(1));
    assertThat(info.get("generation").getAsString()).startsWith("PT");
    assertThat(info.get("expected_keys").getAsLong()).isGreaterThanOrEqualTo(100);
    Cli.runOn("a\n", "check", path).exits(1);
  }

  @Test
  void infoReadsSketches() throws IOException {
    CountMinSketch<Line> counts =
        CountMinSketch.<Line>builder(Line.HASHER).epsilon(0.01).delta(0.01).build();
    counts.putHash(42, 7);
    JsonObject info = info(write(counts));
    assertThat(info.get("kind").getAsString()).isEqualTo("count-min");
    assertThat(info.get("total_count").getAsLong()).isEqualTo(7);
    assertThat(info.get("depth").getAsInt()).isEqualTo(counts.depth());
    assertThat(info.get("width").getAsInt()).isEqualTo(counts.width());
    DistinctCounter<Line> distinct = DistinctCounter.create(Line.HASHER, 10);
    distinct.putHash(42);
    info = info(write(distinct));
    assertThat(info.get("kind").getAsString()).isEqualTo("distinct");
    assertThat(info.get("precision").getAsInt()).isEqualTo(10);
    assertThat(info.getAsJsonObject("keys").get("value").getAsDouble()).isBetween(0.9, 1.1);
  }

  @Test
  void aSketchIsNoFilterToCheck() throws IOException {
    Path path = write(DistinctCounter.<Line>create(Line.HASHER, 5));
    Cli.runOn("a\n", "check", path)
        .refused(
            "..."
                + path
                + ": not a valid filter: kind at byte 10: expected a filter, got distinct...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "scalable"})
  void filtersOfOneKindThatCanBeMergedAre(String type) throws IOException {
    Path first = build("1", type, 0, 800);
    Path second = build("2", type, 800, 1500);
    Path merged = directory.resolve("merged");
    Result result = Cli.run("merge -o", merged, first, second).ok();
    assertThat(result.summary()).containsEntry("filters", "2");
    assertThat(Integer.parseInt(result.summary().get("keys"))).isBetween(1450, 1550);
    byte[] all = Lines.numbers(0, 1500);
    assertThat(Cli.runOn(all, "check", merged).bytes()).isEqualTo(all);
    assertThat(info(merged).get("kind").getAsString()).isEqualTo(type);
  }

  @Test
  void countingFiltersOfDifferentSizeAreNotMerged() throws IOException {
    Path first = build("1", "counting", 0, 10);
    Path second = build("2", "counting", 0, 10, "-p", "0.5");
    Cli.run("merge -o", first, first, second)
        .refused(
            "tamis merge: "
                + first
                + " and "
                + second
                + ": the two are not compatible: ...; build both with the same -n, -p and -t\n");
  }

  @Test
  void scalableFiltersWhoseFppWouldPassOneAreNotMerged() throws IOException {
    Path first = build("1", "scalable", 0, 10, "-p", "0.95");
    Path second = build("2", "scalable", 0, 10, "-p", "0.9");
    Cli.run("merge -o", first, first, second)
        .refused(
            "tamis merge: " + first + " and " + second + ": the filters are not compatible...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuckoo", "windowed", "fuse", "ribbon"})
  void otherKindsAreRefusedByName(String type) throws IOException {
    Path first = build("1", type, 0, 10);
    Path second = build("2", "blocked", 0, 10);
    String expected =
        "tamis merge: "
            + first
            + ": "
            + type
            + " filters cannot be merged; build one filter of all lines\n";
    Path output = directory.resolve("out");
    Cli.run("merge -o", output, first, first).says(expected);
    Cli.run("merge -o", output, first, second).says(expected);
    Cli.run("merge -o", output, second, first).says(expected);
    assertThat(output).doesNotExist();
  }

  @Test
  void filtersOfTwoKindsAreRefusedWithBoth() throws IOException {
    Path first = build("1", "blocked", 0, 10);
    Path second = build("2", "counting", 0, 10);
    Cli.run("merge -o", first, first, second)
        .refused(
            "tamis merge: %s and %s: cannot be merged: the first is a bloom filter, the second a"
                + " counting one; build both with the same -t\n",
            first, second);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuckoo", "windowed", "fuse", "ribbon"})
  void whatTwoOfOtherKindsShareIsRefused(String type) throws IOException {
    Path first = build("1", type, 0, 10);
    Cli.run("count", first, first)
        .refused(
            "tamis count: %s: kind: must be bloom, counting, scalable, foreign or distinct to be"
                + " compared, got %s; build both with -t blocked\n",
            first, type);
  }

  private Path build(String name, String type, int from, int to, Object... options)
      throws IOException {
    Path filter = directory.resolve(name + ".tamis");
    List<Object> args = new ArrayList<>(List.of("build", "-q", "-t", type, "-o", filter));
    if (!List.of("fuse", "ribbon", "static").contains(type)) {
      Collections.addAll(args, "-n", "2000");
    }
    if (options.length == 0) {
      Collections.addAll(args, "-p", "0.001");
    }
    Collections.addAll(args, options);
    Cli.runOn(Lines.numbers(from, to), args.toArray()).says("").ok();
    return filter;
  }

  private Path write(Storable stored) throws IOException {
    return Files.write(directory.resolve("stored"), stored.toByteArray());
  }

  private static JsonObject info(Path file) {
    return JsonParser.parseString(Cli.run("info --json", file).out()).getAsJsonObject();
  }
}
