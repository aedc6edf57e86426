package dev.tamis.cli.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
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

/** DCSO's files go into ours and out again, packed or not. */
class ConvertDcsoTest {

  /** What DCSO's program made, of the lines key-0 to key-99, and what it answered: see core. */
  private static final Path MADE_THERE =
      Path.of("..", "core", "src", "test", "resources", "interop", "dcso");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "plain.bloom, plain",
    "packed.bloom.gz, plain",
    "data.bloom, plain",
    "flor.bloom, flor"
  })
  void whatIsWrappedAnswersForEachLineAsThere(String file, String answers) throws IOException {
    Path wrapped = wrap(file);
    Cli.runOn(keys(0, 10_000), "check", wrapped)
        .prints(Files.readString(MADE_THERE.resolve(answers + ".answers")));
    assertThat(Cli.run("info", wrapped).out()).contains("dcso", "fnv1-64");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain.bloom", "data.bloom", "flor.bloom"})
  void whatIsWrappedComesOutAsItWas(String file) {
    Path back = directory.resolve("back");
    Cli.run("convert --from tamis --to dcso", wrap(file), back).ok();
    assertThat(back).hasSameBinaryContentAs(MADE_THERE.resolve(file));
  }

  @Test
  void comesOutPackedWhereTheNameSaysSo() throws IOException {
    Path back = directory.resolve("back.gz");
    Path wrapped = wrap("packed.bloom.gz");
    Cli.run("convert --from tamis --to dcso", wrapped, back).ok();
    try (InputStream unpacked = new GZIPInputStream(Files.newInputStream(back))) {
      assertThat(unpacked.readAllBytes())
          .isEqualTo(Files.readAllBytes(MADE_THERE.resolve("plain.bloom")));
    }
    Path again = directory.resolve("again");
    Cli.run("convert --from dcso --to tamis", back, again).ok();
    assertThat(again).hasSameBinaryContentAs(wrapped);
  }

  @Test
  void buildsWhatTheProgramBuilds() {
    Path built = directory.resolve("built");
    Path out = directory.resolve("out");
    Cli.runOn(keys(0, 100), "build -t dcso -n 100 -p 0.01 -o", built).ok();
    Cli.run("convert --from tamis --to dcso", built, out).ok();
    assertThat(out).hasSameBinaryContentAs(MADE_THERE.resolve("plain.bloom"));
  }

  @Test
  void theSummaryHasWhatTheFilterWasMadeFor() {
    Cli.run("convert --from dcso --to tamis", there("plain.bloom"), unused())
        .sums("expected-keys=100 requested-fpp=0.01 hashes=7 bits=958 keys=... fpp=...");
  }

  @Test
  void mergesAndKeepsTheDataOfTheFirst() {
    Path merged = directory.resolve("merged");
    Path back = directory.resolve("back");
    Path first = wrap("data.bloom");
    Cli.run("merge -o", merged, first, first).ok();
    Cli.run("convert --from tamis --to dcso", merged, back).ok();
    assertThat(back).binaryContent().endsWith("{\"from\":\"a test\"}\n".getBytes(UTF_8));
  }

  @Test
  void saysWhatAFileIsInsteadOfReadingItAsAnother() {
    Cli.run("convert --from guava --to tamis", there("plain.bloom"), unused())
        .refused(
            "...format: must be guava as in --from, looks like dcso; see tamis convert --from"
                + " dcso...");
    Cli.run("convert --from spark --to tamis", there("packed.bloom.gz"), unused())
        .says("...format: must be spark as in --from, looks like gzip; unpack it first...");
    assertThat(unused()).doesNotExist();
  }

  @Test
  void aDamagedFileIsAnErrorWithItsName() throws IOException {
    for (String name : new String[] {"plain.bloom", "packed.bloom.gz"}) {
      byte[] bytes = Files.readAllBytes(there(name));
      Path cut = directory.resolve("cut-" + name);
      Files.write(cut, Arrays.copyOf(bytes, bytes.length - 1));
      Result result = Cli.run("convert --from dcso --to tamis", cut, unused()).refused();
      assertThat(result.err())
          .contains(cut.toString())
          .containsPattern("unexpected end of input|got the end of the input");
      assertThat(unused()).doesNotExist();
    }
  }

  private Path wrap(String file) {
    Path wrapped = directory.resolve("wrapped");
    Cli.run("convert --from dcso --to tamis", there(file), wrapped).says("...format=dcso...").ok();
    return wrapped;
  }

  private Path unused() {
    return directory.resolve("unused");
  }

  private static Path there(String file) {
    return MADE_THERE.resolve(file);
  }

  private static String keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
  }
}
