package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters of the installed {@code bloom} are read here and ours there, and not one answer differs.
 *
 * <p>For Debian's {@code golang-github-dcso-bloom-cli}, and {@code python3-flor} beside it.
 */
class DcsoProgramTest {

  private static final int PRESENT = 20_000;
  private static final int ASKED = 100_000;
  private static final long MAX_BYTES = 1 << 24;
  private static final long MAX_SECONDS = 60;

  private static final String FLOR =
      """
      import flor, sys
      f = flor.BloomFilter()
      f.read(open(sys.argv[1], "rb"))
      for line in sys.stdin.buffer:
          if f.check(line[:-1]):
              sys.stdout.buffer.write(line)
      """;

  @TempDir private Path folder;

  @BeforeEach
  void needsTheProgram() throws Exception {
    assumeTrue(isThere("bloom", "--version"), "bloom is installed");
  }

  @ParameterizedTest
  @CsvSource({"0.1, false", "0.01, false", "0.001, true"})
  void whatIsMadeThereIsReadHere(String fpp, boolean packed) throws Exception {
    Path file = folder.resolve("there.bloom");
    String create = packed ? "--gzip create" : "create";
    run(lines(keys(PRESENT)), "bloom " + create + " -n " + PRESENT + " -p " + fpp + " " + file);
    DcsoBloomFilter<byte[]> here = read(file);
    assertThat(answers(here)).isEqualTo(answersThere(file, packed));
    DcsoBloomFilter<byte[]> same = filled(Double.parseDouble(fpp));
    assertThat(same.toForeignBytes()).isEqualTo(here.toForeignBytes());
  }

  @ParameterizedTest
  @CsvSource({"0.1, false", "0.01, true", "0.0001, false"})
  void whatIsMadeHereIsReadThere(double fpp, boolean packed) throws Exception {
    DcsoBloomFilter<byte[]> here = filled(fpp);
    Path file = folder.resolve("here.bloom");
    byte[] bytes = here.toForeignBytes();
    Files.write(file, packed ? DcsoFiles.packed(bytes) : bytes);
    assertThat(answersThere(file, packed)).isEqualTo(answers(here));
  }

  @Test
  void whatIsPutInThereIsSeenHere() throws Exception {
    DcsoBloomFilter<byte[]> here = DcsoBloomFilter.create(KeyHasher.bytes(), PRESENT, 0.01);
    here.setData("kept".getBytes(UTF_8));
    Path file = Files.write(folder.resolve("here.bloom"), here.toForeignBytes());
    run(lines(keys(PRESENT)), "bloom insert " + file);
    keys(PRESENT).forEach(here::put);
    assertThat(Files.readAllBytes(file)).isEqualTo(here.toForeignBytes());
    assertThat(run(new byte[0], "bloom get-data " + file)).isEqualTo("kept");
  }

  @Test
  void mergesToTheBytesThatTheProgramJoins() throws Exception {
    DcsoBloomFilter<byte[]> first = filled(0.01);
    DcsoBloomFilter<byte[]> second = DcsoBloomFilter.create(KeyHasher.bytes(), PRESENT, 0.01);
    keys(ASKED).subList(PRESENT / 2, PRESENT * 3 / 2).forEach(second::put);
    Path joined = Files.write(folder.resolve("first"), first.toForeignBytes());
    Path other = Files.write(folder.resolve("second"), second.toForeignBytes());
    run(new byte[0], "bloom join " + joined + " " + other);
    first.putAll(second);
    assertThat(Files.readAllBytes(joined)).isEqualTo(first.toForeignBytes());
  }

  @Test
  void sizesAreThoseOfTheProgram() throws Exception {
    for (long keys : new long[] {1, 2, 3, 10, 27, 100, 513, 4_095, 33_333, 250_000}) {
      for (String fpp : new String[] {"0.5", "0.3", "0.03", "0.01", "1e-4", "1e-9"}) {
        Path file = folder.resolve("size.bloom");
        run(new byte[0], "bloom create -n " + keys + " -p " + fpp + " " + file);
        assertThat(Files.readAllBytes(file))
            .as("%d keys at %s", keys, fpp)
            .isEqualTo(
                DcsoBloomFilter.create(KeyHasher.bytes(), keys, Double.parseDouble(fpp))
                    .toForeignBytes());
      }
    }
  }

  @Test
  void florAnswersAsWeDo() throws Exception {
    // Debian's package is for Debian's Python, which need not be the first on the path
    String python = "/usr/bin/python3";
    assumeTrue(isThere(python, "-c", "import flor"), "flor is installed");
    DcsoBloomFilter<byte[]> here = filled(0.01);
    Path file = Files.write(folder.resolve("here.bloom"), here.toForeignBytes());
    String there = run(lines(keys(ASKED)), List.of(python, "-c", FLOR, file.toString()));
    assertThat(there).isEqualTo(answers(here));
  }

  private static DcsoBloomFilter<byte[]> filled(double fpp) {
    DcsoBloomFilter<byte[]> filter = DcsoBloomFilter.create(KeyHasher.bytes(), PRESENT, fpp);
    keys(PRESENT).forEach(filter::put);
    return filter;
  }

  private static DcsoBloomFilter<byte[]> read(Path file) throws IOException {
    return DcsoBloomFilter.readFrom(Files.newInputStream(file), KeyHasher.bytes(), MAX_BYTES);
  }

  private String answersThere(Path file, boolean packed) throws Exception {
    return run(lines(keys(ASKED)), "bloom " + (packed ? "--gzip " : "") + "check " + file);
  }

  private static String answers(DcsoBloomFilter<byte[]> filter) {
    return new String(
        lines(keys(ASKED).stream().filter(filter::mightContain).toList()), ISO_8859_1);
  }

  /** Half of them numbered, half random bytes: any but line feeds and carriage returns. */
  private static List<byte[]> keys(int count) {
    SplittableRandom random = new SplittableRandom(7);
    List<byte[]> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] key = ("https://example.org/" + i).getBytes(UTF_8);
      if (i % 2 == 1) {
        key = new byte[random.nextInt(6, 40)];
        random.nextBytes(key);
        for (int j = 0; j < key.length; j++) {
          key[j] = Set.of((byte) '\n', (byte) '\r').contains(key[j]) ? 0 : key[j];
        }
      }
      keys.add(key);
    }
    return keys;
  }

  private static byte[] lines(List<byte[]> keys) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      lines.writeBytes(key);
      lines.write('\n');
    }
    return lines.toByteArray();
  }

  private static boolean isThere(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String run(byte[] input, String command) throws Exception {
    return run(input, Arrays.asList(command.split(" ", -1)));
  }

  /** Returns the output of a program, a character for each byte. */
  private String run(byte[] input, List<String> command) throws Exception {
    Path in = Files.write(folder.resolve("in"), input);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(err).isEmptyFile();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out, ISO_8859_1);
  }
}
