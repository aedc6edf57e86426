package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.interop.ParquetBloomFilter;
import dev.tamis.interop.SparkBloomFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other programs' filters go into our files and out again, and the commands work on them. */
class ConvertTest {

  /** What those programs made, of the texts key-0 to key-99: see core's tests. */
  private static final Path MADE_THERE =
      Path.of("..", "core", "src", "test", "resources", "interop");

  private static final String KEYS = keys(0, 100);

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "guava, guava-33.8.0.bin",
    "spark, spark-4.2.0-v1.bin",
    "spark, spark-4.2.0-v2.bin",
    "parquet, parquet-1.18.1.bin",
    "dcso, dcso/plain.bloom",
    "dcso, dcso/data.bloom",
    "dcso, dcso/flor.bloom",
  })
  void whatIsWrappedAnswersAndComesOutAsItWas(String format, String file) throws IOException {
    Path there = MADE_THERE.resolve(file);
    Path wrapped = directory.resolve("wrapped");
    Path back = directory.resolve("back");

    Result in = Cli.run("convert --from", format, "--to", "tamis", there, wrapped).ok();
    assertThat(in.summary()).containsEntry("format", format).containsKeys("bits", "keys", "fpp");
    if (file.endsWith(".bin")) {
      Path stored = MADE_THERE.resolve("v1-" + file.replace(".bin", ".tamis"));
      assertThat(wrapped).hasSameBinaryContentAs(stored);
    }

    Cli.runOn(KEYS + "other\n", "check", wrapped).prints(KEYS);
    Cli.runOn(KEYS + "other\n", "check -v", wrapped).prints("other\n");
    Cli.runOn(KEYS, "check -c", wrapped).prints("100\n");
    Cli.runOn("other\n", "check", wrapped).exits(1);
    assertThat(Cli.run("count", wrapped).out())
        .matches("keys +\\d+ \\(\\d+ to \\d+\\)\nconfidence  0.95\n");

    Cli.run("convert --from tamis --to", format, wrapped, back).ok();
    assertThat(back).hasSameBinaryContentAs(there);
  }

  @Test
  void aPackedFileIsUnpackedAndPackedAgainWhereTheNameSaysSo() throws IOException {
    Path packed = MADE_THERE.resolve("dcso/packed.bloom.gz");
    Path wrapped = directory.resolve("wrapped");
    Path back = directory.resolve("back.gz");
    Cli.run("convert --from dcso --to tamis", packed, wrapped)
        .sums("expected-keys=100 requested-fpp=0.01 hashes=7 bits=958 keys=... fpp=...");
    assertThat(Cli.run("info", wrapped).out()).contains("dcso", "fnv1-64");
    Cli.run("convert --from tamis --to dcso", wrapped, back).ok();
    try (InputStream unpacked = new GZIPInputStream(Files.newInputStream(back))) {
      assertThat(unpacked)
          .hasBinaryContent(Files.readAllBytes(MADE_THERE.resolve("dcso/plain.bloom")));
    }
  }

  @Test
  void infoTellsFormatAndVariant() {
    assertThat(Cli.run("info", guava()).out())
        .containsPattern("kind +foreign\n")
        .containsPattern("format +guava\n")
        .containsPattern("strategy +MURMUR128_MITZ_64\n")
        .containsPattern("hashes +7\n")
        .containsPattern("bits +960\n");
    JsonObject info = Cli.run("info --json", guava()).json();
    assertThat(info.get("hash").getAsString()).isEqualTo("murmur3-128");
    assertThat(info.getAsJsonObject("keys").get("value").getAsDouble()).isBetween(85.0, 115.0);
    assertThat(info.get("fpp").getAsDouble()).isBetween(0.003, 0.03);
    assertThat(Cli.run("info", MADE_THERE.resolve("v1-spark-4.2.0-v2.tamis")).out())
        .containsPattern("version +2\n")
        .containsPattern("seed +-77\n");
    assertThat(Cli.run("info", MADE_THERE.resolve("v1-parquet-1.18.1.tamis")).out())
        .contains("algorithm  split-block\n", "hash       xxh64\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"guava", "spark", "spark-v1", "parquet", "dcso"})
  void linesBecomeTheOtherProgramsFilter(String type) throws IOException {
    Path built = directory.resolve("built");
    Path out = directory.resolve("out");
    String format = type.replace("-v1", "");
    Cli.runOn(KEYS + "key-1\n", buildOf(type, built, 100)).sums("lines=101 unique=100");
    Cli.runOn(KEYS, "check", built).prints(KEYS);
    Cli.run("convert -q --from tamis --to", format, built, out);

    ForeignFilter<CharSequence> filter =
        switch (type) {
          case "guava" -> GuavaBloomFilter.create(KeyHasher.text(), 100, 0.001);
          case "spark" -> SparkBloomFilter.create(KeyHasher.text(), 100, 0.001);
          case "spark-v1" -> SparkBloomFilter.createVersion1(KeyHasher.text(), 100, 0.001);
          case "dcso" -> DcsoBloomFilter.create(KeyHasher.text(), 100, 0.001);
          default -> ParquetBloomFilter.create(KeyHasher.text(), 100, 0.001);
        };
    KEYS.lines().forEach(filter::put);
    assertThat(out).hasBinaryContent(filter.toForeignBytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"guava", "spark", "spark-v1", "parquet"})
  void mergeAndCountWorkOnTwoOfAKind(String type) throws IOException {
    Path first = build(type, "first", 0, 60, 500);
    Path second = build(type, "second", 40, 100, 500);
    Path both = build(type, "both", 0, 100, 500);
    Path merged = directory.resolve("merged");
    Cli.run("merge -q -o", merged, first, second).ok();
    assertThat(merged).hasSameBinaryContentAs(both);

    JsonObject shared = Cli.run("count --json", first, second).json();
    assertThat(shared.getAsJsonObject("union").get("value").getAsDouble()).isBetween(90.0, 110.0);
    assertThat(shared.getAsJsonObject("intersection").get("value").getAsDouble())
        .isBetween(10.0, 30.0);
  }

  @Test
  void whatCannotBeMergedIsRefusedByWhatDiffers() {
    Path small = build("guava", "small", 0, 10, 100);
    Path large = build("guava", "large", 0, 10, 1_000);
    Path spark = build("spark", "spark", 0, 10, 100);
    Path ours = build("classic", "ours", 0, 10, 100);
    Path out = directory.resolve("out");
    for (String command : new String[] {"merge", "count"}) {
      assertThat(run(command, out, small, large).err())
          .contains(small + " and " + large + ": the two are not compatible: bits differs: ");
      assertThat(run(command, out, small, spark).err()).contains("format differs: guava and spark");
    }
    assertThat(run("merge", out, spark, ours).err())
        .contains(spark + " and " + ours + ": cannot be merged: the first is a foreign filter,");
    assertThat(run("merge", out, ours, guava()).err())
        .contains("the first is a bloom filter, the second a foreign one");
    assertThat(run("count", out, spark, ours).err())
        .contains(spark + " and " + ours + ": cannot be compared: kind differs: foreign and bloom");
    assertThat(out).doesNotExist();
  }

  private static Path guava() {
    return MADE_THERE.resolve("v1-guava-33.8.0.tamis");
  }

  private static Result run(String command, Path out, Path first, Path second) {
    return command.equals("merge")
        ? Cli.run("merge -o", out, first, second)
        : Cli.run("count", first, second);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "guava | spark   | guava-33.8.0.bin | a guava filter cannot be converted to spark",
        "guava | guava   | guava-33.8.0.bin | must differ, got guava twice",
        "tamis | tamis   | v1-guava-33.8.0.tamis | must differ, got tamis twice",
        "spark | tamis   | guava-33.8.0.bin | format: must be spark as in --from, looks like guava;"
            + " see tamis convert --from guava",
        "parquet | tamis | spark-4.2.0-v2.bin | format: must be parquet as in --from, looks like"
            + " spark",
        "guava | tamis   | v1-guava-33.8.0.tamis | format: must be guava as in --from, looks like"
            + " tamis",
        "guava | tamis   | dcso/plain.bloom | format: must be guava as in --from, looks like dcso;"
            + " see tamis convert --from dcso",
        "spark | tamis   | dcso/packed.bloom.gz | format: must be spark as in --from, looks like"
            + " gzip; unpack it first",
        "guava | tamis   | parquet-1.18.1.bin | not a valid filter: ",
        "tamis | spark   | v1-guava-33.8.0.tamis | format: must be spark as in --to, got guava; use"
            + " --to guava",
        "xml   | tamis   | guava-33.8.0.bin | expected tamis, guava, spark, parquet",
      })
  void whatCannotBeConvertedIsRefused(String from, String to, String file, String message) {
    Path out = directory.resolve("out");
    Result result =
        Cli.run("convert --from", from, "--to", to, MADE_THERE.resolve(file), out).refused();
    assertThat(result.err()).startsWith("tamis convert: ").contains(message).hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  @Test
  void aFilterOfOursIsNobodyElses() {
    Path ours = build("classic", "ours", 0, 10, 100);
    Result result = Cli.run("convert --from tamis --to guava", ours, "-").refused();
    assertThat(result.err()).contains(ours + ": ", "bloom", "tamis build -t guava");
    assertThat(result.bytes()).isEmpty();
  }

  /** A negative length is that of what is cut off. */
  @ParameterizedTest
  @CsvSource({
    "guava, guava-33.8.0.bin, 0",
    "guava, guava-33.8.0.bin, 5",
    "guava, guava-33.8.0.bin, -1",
    "guava, guava-33.8.0.bin, 1000",
    "dcso, dcso/plain.bloom, -1",
    "dcso, dcso/packed.bloom.gz, -1",
  })
  void whatIsCutOffOrTooLongIsRefusedAndTheOldFileStays(String format, String file, int length)
      throws IOException {
    byte[] bytes = Files.readAllBytes(MADE_THERE.resolve(file));
    Path out = Files.writeString(directory.resolve("out"), "old");
    byte[] changed = Arrays.copyOf(bytes, length < 0 ? bytes.length + length : length);
    Path cut = Files.write(directory.resolve("cut"), changed);
    Cli.run("convert --from", format, "--to", "tamis", cut, out)
        .refused("..." + cut + ": not a valid filter: ...");
    assertThat(out).hasContent("old");
  }

  @Test
  void dashesAreStandardInputAndOutput() throws IOException {
    byte[] bytes = Files.readAllBytes(MADE_THERE.resolve("spark-4.2.0-v1.bin"));
    Result wrapped = Cli.runOn(bytes, "convert -q --from spark --to tamis - -").ok();
    assertThat(wrapped.err()).isEmpty();
    Result back = Cli.runOn(wrapped.bytes(), "convert -q --from tamis --to spark - -");
    assertThat(back.bytes()).isEqualTo(bytes);
  }

  @Test
  void aWholeParquetFileIsKnown() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "PAR1 and more");
    Cli.run("convert --from parquet --to tamis", file, "-")
        .refused("...looks like a whole Parquet file...");
  }

  @Test
  void aSecretKeyAndAnAmountOfMemoryAreRefused() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "00".repeat(16));
    Path out = directory.resolve("out");
    Cli.runOn("a\n", "build -t guava -n 1 --key-file", key, "-o", out)
        .says("...guava: secret key: must be none, got one; leave --key-file out...");
    Cli.runOn("a\n", "build -t spark -m 1K -o", out)
        .says("...-m cannot set the memory of a spark filter...");
    assertThat(out).doesNotExist();
    Path wrapped = MADE_THERE.resolve("v1-guava-33.8.0.tamis");
    Cli.runOn("a\n", "check --key-file", key, wrapped)
        .exits(2)
        .says("...secret key: must be none, got one; leave --key-file out");
  }

  private Path build(String type, String name, int from, int to, int expectedKeys) {
    Path path = directory.resolve(name);
    Cli.runOn(keys(from, to), buildOf(type, path, expectedKeys)).ok();
    return path;
  }

  private static Object[] buildOf(String type, Path path, int expectedKeys) {
    return new Object[] {"build", "-t", type, "-n", expectedKeys, "-p", "0.001", "-o", path};
  }

  private static String keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
  }
}
