package dev.tamis.cli.filter;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.tamis.Storable;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
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
    byte[] bytes = Files.readAllBytes(filter);
    int checksum = ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).getInt(bytes.length - Integer.BYTES);
    JsonObject info = info(filter);
    assertThat(info.get("bytes").getAsLong()).isEqualTo(bytes.length);
    assertThat(info.get("hash").getAsString()).isEqualTo("xxh3");
    assertThat(info.get("seed").getAsString()).isEqualTo("0");
    assertThat(info.get("checksum").getAsString())
        .isEqualTo(String.format(Locale.ROOT, "%08x", checksum));
    assertThat(info.get("requested_fpp").getAsDouble()).isEqualTo(0.001);
    assertThat(info.get("fpp").getAsDouble()).isBetween(1e-4, 1.1e-3);
    JsonObject keys = info.getAsJsonObject("keys");
    assertThat(keys.get("value").getAsDouble()).isBetween(1950.0, 2050.0);
    assertThat(keys.get("low").getAsDouble()).isLessThanOrEqualTo(keys.get("high").getAsDouble());
    if (info.has("filled")) {
      assertThat(info.get("filled").getAsDouble())
          .isEqualTo(info.get("set_bits").getAsDouble() / info.get("bits").getAsDouble());
    }
    assertThat(Cli.run("info", filter).out())
        .startsWith("kind ")
        .containsPattern("\nkeys +\\d+ \\(\\d+ to \\d+\\)\n")
        .containsPattern("\nchecksum +" + info.get("checksum").getAsString() + "\n$");
    assertThat(Cli.run("count", filter).out())
        .matches("keys        \\d+ \\(\\d+ to \\d+\\)\nconfidence  0.95\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bloom | layout=split hashes=8 expected_keys=2000",
        "counting | counter_bits=4 hashes=8 saturated_counters=0 expected_keys=2000 layout=split",
        "cuckoo | fingerprint_bits=13 buckets=544 slots=2176 expected_keys=2000",
        "windowed | window=2002_puts generation=286 blocks_per_key=2 blocks=50",
        "fuse | arity=3 fingerprint_bits=10 shards=1",
        "ribbon | layers=2",
      })
  void infoSaysTheParametersOfTheKind(String kind, String parameters) throws IOException {
    JsonObject info = info(build("a", kind.replace("bloom", "blocked"), 0, 2000));
    assertThat(info.get("kind").getAsString()).isEqualTo(kind);
    for (String parameter : parameters.split(" ", -1)) {
      String[] parts = parameter.split("=", -1);
      assertThat(info.get(parts[0]).getAsString().replace(' ', '_'))
          .as(parts[0])
          .isEqualTo(parts[1]);
    }
  }

  @Test
  void infoOfAFilterThatGrewShowsItsStages() throws IOException {
    Path filter = build("a", "scalable", 0, 1000, "-p 0.001 -n 100");
    JsonArray stages = info(filter).getAsJsonArray("stages");
    assertThat(stages).hasSize(4);
    assertThat(stages.get(1).getAsJsonObject().get("expected_keys").getAsLong()).isEqualTo(200);
    assertThat(Cli.run("info", filter).out())
        .contains("\nstage 1        layout=", "\nstage 4        layout=");
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
  @ValueSource(strings = {"blocked", "counting", "scalable"})
  void filtersOfOneKindThatCanBeMergedAre(String type) throws IOException {
    Path first = build("1", type, 0, 800);
    Path second = build("2", type, 800, 1500);
    Path merged = directory.resolve("merged");
    Result result = Cli.run("merge -o", merged, first, second).ok().sums("filters=2 fpp=...");
    assertThat(Integer.parseInt(result.summary().get("keys"))).isBetween(1450, 1550);
    byte[] all = Lines.numbers(0, 1500);
    assertThat(Cli.runOn(all, "check", merged).bytes()).isEqualTo(all);
    Cli.run("merge -q -o", first, first, second).ok().says(""); // in place of one of them
    assertThat(first).hasSameBinaryContentAs(merged);
    if (!type.equals("scalable")) {
      assertThat(merged).hasSameBinaryContentAs(build("both", type, 0, 1500));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "blocked  | -n 1000         | blocked  | -n 2000 | the two are not compatible: bits"
            + " differs",
        "blocked  | -n 1000 -p 1e-6 | classic  | -n 1000 -p 1e-6 | layout differs: split-pair and"
            + " c",
        "counting | -n 2000         | counting | -p 0.5  | the two are not compatible: ",
        "scalable | -p 0.95         | scalable | -p 0.9  | the filters are not compatible",
        "blocked  | -n 2000         | counting | -n 2000 | cannot be merged: the first is a bloom"
            + " filter, the second a counting one",
      })
  void filtersThatDifferAreNotMerged(
      String type, String options, String otherType, String otherOptions, String message)
      throws IOException {
    Path first = build("1", type, 0, 10, options);
    Path second = build("2", otherType, 0, 10, otherOptions);
    Path output = directory.resolve("out");
    Cli.run("merge -o", output, first, second)
        .refused("tamis merge: %s and %s: ...%s...", first, second, message);
    assertThat(output).doesNotExist();
    Cli.run("merge -o", output, first).refused("tamis merge: filters: must be two or more, got 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuckoo", "windowed", "fuse", "ribbon"})
  void otherKindsAreRefusedByName(String type) throws IOException {
    Path first = build("1", type, 0, 10);
    Path second = build("2", "blocked", 0, 10);
    Path output = directory.resolve("out");
    for (Path[] two : new Path[][] {{first, first}, {first, second}, {second, first}}) {
      Cli.run("merge -o", output, two[0], two[1])
          .refused(
              "tamis merge: %s: %s filters cannot be merged; build one filter of all lines",
              first, type);
    }
    assertThat(output).doesNotExist();
    Cli.run("count", first, first)
        .refused(
            "tamis count: %s: kind: must be bloom, counting, scalable, foreign or distinct to be"
                + " compared, got %s; build both with -t blocked\n",
            first, type);
  }

  private Path build(String name, String type, int from, int to, String... options)
      throws IOException {
    Path filter = directory.resolve(name + ".tamis");
    boolean isStatic = List.of("fuse", "ribbon", "static").contains(type);
    String sized = isStatic || String.join(" ", options).contains("-n") ? "" : " -n 2000";
    String fpp = options.length == 0 ? " -p 0.001" : "";
    byte[] lines = Lines.numbers(from, to);
    Cli.runOn(lines, "build -q -t " + type + sized + fpp, "-o", filter, options).ok().says("");
    return filter;
  }

  private Path write(Storable stored) throws IOException {
    return Files.write(directory.resolve("stored"), stored.toByteArray());
  }

  private static JsonObject info(Path file) {
    return Cli.run("info --json", file).json();
  }
}
