package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader in Python answers as the filters do that wrote the files, for each single key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PythonReaderTest {

  private static final String EACH =
      """
      import struct, sys
      from tamis_reader import FormatError, parse
      while length := sys.stdin.buffer.read(4):
          size, = struct.unpack("<I", length)
          try:
              parse(sys.stdin.buffer.read(size), clock=lambda: 0)
              print("read")
          except FormatError:
              print("refused")
      """;

  private static final String VECTORS =
      """
      import json, sys
      from tamis_kinds import LAYOUTS, Places
      vectors = json.load(open(sys.argv[1]))
      assert [row["id"] for row in vectors["layouts"]] == list(LAYOUTS)
      ids = {row["layout"]: row["id"] for row in vectors["layouts"]}
      for row in vectors["positions"]:
          places = object.__new__(Places)
          places.set_shape(ids[row["layout"]], row["hashes"], row["bits"])
          assert list(places.positions(int(row["hash"], 16))) == row["positions"], row
      """;

  private final List<byte[]> keys = Samples.keys(1);
  private final List<Sample> samples = new Samples(keys).all();
  private Path scratch;
  private Python python;
  private Path lines;
  private Path secret;

  @BeforeAll
  void needsPython(@TempDir Path folder) throws IOException, InterruptedException {
    scratch = folder;
    python = new Python(scratch);
    python.assumeInstalled();
    lines = write("lines", joined(keys));
    secret = write("secret", (Samples.SECRET + "\n").getBytes(US_ASCII));
  }

  List<Sample> samples() {
    return samples;
  }

  @Test
  void asksMoreThanAHundredThousandQuestions() {
    assertThat(samples.size() * keys.size()).isGreaterThan(100_000);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void answersForEachKeyAsTheFilterDoes(Sample sample) throws Exception {
    String expected = sample.answers(keys);
    Path file = write("file", sample.content().toByteArray());
    Python.Run run = python.reader(file, lines, options(sample));
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(expected);
    assertThat(run.exit()).isEqualTo(expected.isEmpty() ? 1 : 0);
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.examples.DamagedFiles#golden")
  void readsTheGoldenFiles(Path file) throws Exception {
    List<byte[]> names =
        IntStream.range(0, 3_000).mapToObj(i -> ("key-" + i).getBytes(US_ASCII)).toList();
    String expected = DamagedFiles.sample(Files.readAllBytes(file)).answers(names);
    Python.Run run = python.reader(file.toAbsolutePath(), write("names", joined(names)), List.of());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(expected);
  }

  @Test
  void positionsAreThoseOfTheVectors() throws Exception {
    Path vectors = Path.of("../docs/vectors.json").toAbsolutePath();
    Python.Run run = python.run(List.of("-c", VECTORS, vectors.toString()), scratch);
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
  }

  @Test
  void checksADistinctCounterAndSaysWhatItIs() throws Exception {
    Path file = DamagedFiles.GOLDEN.resolve("v1-distinct.tamis").toAbsolutePath();
    Python.Run told = python.reader(file, lines, List.of("--info"));
    assertThat(told.out().lines())
        .startsWith("kind: distinct counter", "hash: XXH3-64, seed 42", "precision: 6");
    Python.Run asked = python.reader(file, lines, List.of());
    assertThat(asked.exit()).isEqualTo(2);
    assertThat(asked.err()).contains("cannot tell which keys");
  }

  @Test
  void refusesEveryTruncationAndAFlippedBitInEveryByte() throws Exception {
    List<byte[]> damaged = DamagedFiles.withWrongChecksums();
    assertThat(verdicts(damaged)).hasSameSizeAs(damaged).containsOnly("refused");
  }

  @Test
  void refusesAndReadsFramesWithRightChecksumsAsThisLibraryDoes() throws Exception {
    List<byte[]> changed = DamagedFiles.withRightChecksums();
    List<String> expected = changed.stream().map(DamagedFiles::verdict).toList();
    assertThat(expected).contains("read", "refused");
    assertThat(verdicts(changed)).isEqualTo(expected);
  }

  @Test
  void saysWhatIsWrongAndEndsWithStatus2() throws Exception {
    byte[] sound = samples.get(0).content().toByteArray();
    byte[] flipped = sound.clone();
    flipped[sound.length / 2] ^= 1;
    assertError(Arrays.copyOf(sound, sound.length - 1), "cut off");
    assertError(flipped, "the checksum of the file is wrong");
    assertError(Arrays.copyOf(sound, sound.length + 1), "1 bytes follow the frame");
    assertError("no filter at all".getBytes(US_ASCII), "no Tamis file");
    assertError(keyed().content().toByteArray(), "needs the secret key of id");
    Python.Run missing = python.reader(scratch.resolve("missing"), lines, List.of());
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("missing");
  }

  @Test
  void refusesTheWrongSecretKey() throws Exception {
    Path file = write("file", keyed().content().toByteArray());
    Path wrong = write("wrong", "00".repeat(16).getBytes(US_ASCII));
    Python.Run run = python.reader(file, lines, List.of("--key-file", wrong.toString()));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("needs the secret key of id", "not of id");
  }

  @Test
  @Tag("thorough")
  void findsTheShardOfAKey() throws Exception {
    int present = 1 << 22; // from here on there are two shards
    FuseFilterBuilder<byte[]> builder = FuseFilter.<byte[]>builder(KeyHasher.bytes());
    FuseFilter<byte[]> filter = builder.fingerprintBits(4).putAll(names(0, present)).build();
    List<byte[]> asked = names(present - 50_000, 100_000).toList();
    String expected = new Sample("fuse of shards", filter).answers(asked);
    Path file = write("file", filter.toByteArray());
    Python.Run run = python.reader(file, write("names", joined(asked)), List.of());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(expected);
    assertThat(python.reader(file, lines, List.of("--info")).out()).contains("shards: 2");
  }

  private static Stream<byte[]> names(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(i -> ("name-" + i).getBytes(US_ASCII));
  }

  private Sample keyed() {
    return samples.stream().filter(Sample::isKeyed).findFirst().orElseThrow();
  }

  private void assertError(byte[] file, String message) throws Exception {
    Python.Run run = python.reader(write("file", file), lines, List.of());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message).hasLineCount(1);
  }

  /** Reads all files in one run, as a start of Python for each would take minutes. */
  private List<String> verdicts(List<byte[]> files) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] file : files) {
      all.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(file.length).array());
      all.writeBytes(file);
    }
    Python.Run run = python.run(List.of("-c", EACH), write("files", all.toByteArray()));
    assertThat(run.err()).isEmpty();
    return run.out().lines().toList();
  }

  private List<String> options(Sample sample) {
    List<String> options = new ArrayList<>(List.of("--now", Samples.nanosOfNow()));
    if (sample.isKeyed()) {
      options.addAll(List.of("--key-file", secret.toString()));
    }
    return options;
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(scratch.resolve(name), bytes);
  }

  private static byte[] joined(List<byte[]> lines) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    lines.forEach(line -> Sample.print(all, line));
    return all.toByteArray();
  }
}
