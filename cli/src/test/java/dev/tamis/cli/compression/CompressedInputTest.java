package dev.tamis.cli.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed files through the real command. */
class CompressedInputTest {

  private static final byte NEWLINE = '\n';
  private static final byte[] LINES = lines();

  /** Few bytes for those tests that read them hundreds of times. */
  private static final byte[] FEW = Lines.numbers(0, 500);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void aCompressedFileHasTheLinesOfItsData(Compression compression) throws IOException {
    byte[] packed = packed(compression, LINES);
    Path file = file(packed);
    byte[] expected = Lines.firsts(LINES, NEWLINE);
    assertThat(Cli.run("dedup", file).bytes()).isEqualTo(expected);
    assertThat(Cli.run("dedup --exact", file).bytes()).isEqualTo(expected);
    assertThat(Cli.runOn(packed, "dedup").bytes()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void whatTheProgramsWriteIsRead(Compression compression) throws Exception {
    Path file = file(LINES);
    Path packed = directory.resolve("packed");
    program(file, packed, compression.label(), "-c");
    assertThat(Cli.run("dedup", packed).bytes()).isEqualTo(Lines.firsts(LINES, NEWLINE));
  }

  @ParameterizedTest
  @EnumSource
  void theProgramsReadWhatIsWritten(Compression compression) throws Exception {
    Path packed = directory.resolve("out" + suffix(compression));
    Cli.run("dedup -q -o", packed, file(LINES)).ok();
    Path unpacked = directory.resolve("unpacked");
    program(packed, unpacked, compression.label(), "-dc");
    assertThat(Files.readAllBytes(unpacked)).isEqualTo(Lines.firsts(LINES, NEWLINE));
  }

  @ParameterizedTest
  @EnumSource
  void streamsOneAfterTheOtherAreAllRead(Compression compression) throws IOException {
    Path file =
        file(packed(compression, "a\nb"), packed(compression, ""), packed(compression, "c\nd\n"));
    Cli.run("dedup", file).prints("a\nbc\nd\n");
  }

  @ParameterizedTest
  @EnumSource
  void noDataHasNoLines(Compression compression) throws IOException {
    Cli.run("dedup", file(packed(compression, ""))).ok().sums("lines=0");
  }

  @ParameterizedTest
  @EnumSource
  void aTruncatedFileIsAnError(Compression compression) throws IOException {
    truncate(compression, 0.1);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("thorough")
  void aTruncatedFileIsAnErrorWhereverItEnds(Compression compression) throws IOException {
    truncate(compression, 1);
  }

  private void truncate(Compression compression, double share) throws IOException {
    byte[] packed = packed(compression, FEW);
    Path output = directory.resolve("out");
    for (int length : positions(Compression.PARTIAL_MAGIC_BYTES, packed.length, share)) {
      Path file = file(Arrays.copyOf(packed, length));
      Result result = Cli.run("dedup -o", output, file);
      assertThat(result.exit()).as("%d bytes", length).isEqualTo(2);
      assertThat(result.err())
          .startsWith("tamis dedup: " + file + ": " + compression.label() + " data ")
          .contains("byte " + length);
      assertThat(output).doesNotExist();
    }
  }

  /** Returns a seeded sample of the positions in a file, with the last one. */
  private static int[] positions(int from, int to, double share) {
    SplittableRandom random = new SplittableRandom(1);
    return IntStream.range(from, to)
        .filter(i -> i == to - 1 || random.nextDouble() < share)
        .toArray();
  }

  @ParameterizedTest
  @EnumSource
  void aChangedByteIsAnErrorOrChangesNothing(Compression compression) throws IOException {
    change(compression, 0.05);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("thorough")
  void anyChangedByteIsAnErrorOrChangesNothing(Compression compression) throws IOException {
    change(compression, 1);
  }

  private void change(Compression compression, double share) throws IOException {
    byte[] packed = packed(compression, FEW);
    Path output = directory.resolve("out");
    for (int i : positions(Compression.MAGIC_BYTES, packed.length, share)) {
      byte[] changed = packed.clone();
      changed[i] ^= (byte) (1 << (i % Byte.SIZE));
      Path file = file(changed);
      Result result = Cli.run("dedup -o", output, file);
      if (result.exit() == 2) {
        assertThat(result.err()).startsWith("tamis dedup: " + file + ": ").contains("byte ");
        assertThat(output).doesNotExist();
      } else {
        assertThat(Files.readAllBytes(output)).as("byte %d", i).isEqualTo(FEW);
        Files.delete(output);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatFollowsTheDataMustBeOfItsKind(Compression compression) throws IOException {
    Path file = file(packed(compression, "a\n"), bytes("no more of this kind, but text\n"));
    String error = "tamis dedup: " + file + ": " + compression.label() + " data ...";
    Cli.run("dedup", file).refused().prints("a\n").says(error);
  }

  /** As tapes and block devices have them; the program zstd refuses them too. */
  @ParameterizedTest
  @EnumSource(names = "ZSTD", mode = EnumSource.Mode.EXCLUDE)
  void zerosMayFollowTheData(Compression compression) throws IOException {
    byte[] packed = packed(compression, "a\n");
    for (int zeros : new int[] {1, 4, 100_000}) {
      Cli.run("dedup", file(packed, new byte[zeros])).ok().prints("a\n");
    }
    Path file = file(packed, new byte[4], packed(compression, "b\n"), new byte[7]);
    Cli.run("dedup", file).ok().prints("a\nb\n");
    Cli.run("dedup", file(packed, new byte[4], bytes("no more of this kind")))
        .refused()
        .prints("a\n")
        .says("...data ends before byte ..., and what follows is something else...");
  }

  @ParameterizedTest
  @EnumSource
  void theBytesAreReadAsTheyAreOnRequest(Compression compression) throws IOException {
    byte[] packed = packed(compression, FEW);
    assertThat(Cli.run("dedup --no-decompress", file(packed)).bytes())
        .isEqualTo(Lines.firsts(packed, NEWLINE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"BZh", "BZh9\n", "BZh9 is bzip2\n", "\u001f", "P*M", "P*Mx\n", "7zXZ\n"})
  void textThatBeginsAlmostLikeAMagicNumberIsText(String text) {
    assertThat(Cli.runOn(text, "dedup").out().strip()).isEqualTo(text.strip());
  }

  @Test
  void aNameWithoutEndInAHeaderOfGzipIsAnError() throws IOException {
    byte[] file = new byte[8 << 20];
    Arrays.fill(file, (byte) 'a');
    System.arraycopy(new byte[] {0x1F, (byte) 0x8B, 8, 8, 0, 0, 0, 0, 0, 0}, 0, file, 0, 10);
    Cli.run("dedup", file(file)).refused("...header is longer than 4194304 bytes...");
    Cli.run("dedup", file(packed(Compression.GZIP, "a\n"), file))
        .refused()
        .prints("a\n")
        .says("...header is longer than 4194304 bytes...");
  }

  /** Twice what {@code xz -9} needs is allowed; the header of this one says 1.5 GiB. */
  @Test
  void xzThatNeedsTooMuchMemoryIsAnError() throws IOException {
    byte[] packed = packed(Compression.XZ, "a\n");
    int header = 12;
    int headerBytes = 4 * (packed[header] + 1);
    packed[header + 4] = 37;
    CRC32 checksum = new CRC32();
    checksum.update(packed, header, headerBytes - 4);
    ByteBuffer.wrap(packed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(header + headerBytes - 4, (int) checksum.getValue());
    Cli.run("dedup", file(packed))
        .refused(
            "...: xz data needs too much memory at byte ...131072 KiB...; pipe it through the"
                + " program xz\n");
  }

  /** A single frame without content whose window is of 256 MiB. */
  @Test
  void zstdThatNeedsTooMuchMemoryIsAnError() {
    byte[] frame = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, (byte) (18 << 3), 1, 0, 0};
    Cli.runOn(frame, "dedup")
        .refused(
            "tamis dedup: standard input: zstd data needs too much memory at byte ...; pipe it"
                + " through the program zstd\n");
    frame[5] = (byte) (17 << 3);
    Cli.runOn(frame, "dedup").sums("lines=0");
  }

  @ParameterizedTest
  @EnumSource
  void everyCommandThatReadsLinesDecompresses(Compression compression) throws IOException {
    byte[] urls = packed(compression, "http://a.example/\nhttp://b.example/\nhttp://a.example/\n");
    Path file = file(urls);
    Path filter = directory.resolve("filter");
    Cli.run("build -o", filter, file).sums("lines=3");
    Cli.run("check -c", filter, file).prints("3\n");
    Cli.run("queue", directory.resolve("queue"), "push", file).says("...pushed=3 ...");
    assertThat(Cli.run("stats lines", file).out()).contains("3");
    Path digest = directory.resolve("digest");
    Cli.run("digest make -o", digest, file).ok();
    assertThat(Cli.run("digest check", digest, file).out()).hasLineCount(3);
    Path hosts = file(packed(compression, "a.example\n"));
    Path list = directory.resolve("list");
    Cli.run("block build -q -o", list, hosts).ok();
    Cli.run("block check -q", list, hosts).prints("a.example\n");
  }

  @ParameterizedTest
  @EnumSource
  void theSizeOfAGrowingFilterIsGuessedFromTheData(Compression compression) throws IOException {
    byte[] lines = Lines.numbers(0, 60_000);
    String memory = Cli.run("dedup", file(lines)).summary().get("memory");
    assertThat(Cli.run("dedup", file(packed(compression, lines))).summary())
        .containsEntry("memory", memory);
  }

  private static byte[] lines() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(Lines.numbers(0, 20_000));
    all.writeBytes(Lines.numbers(10_000, 30_000));
    return all.toByteArray();
  }

  private void program(Path input, Path output, String... command) throws Exception {
    Path program = Path.of("/usr/bin", command[0]);
    assumeTrue(Files.isExecutable(program), program + " is not installed");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private static String suffix(Compression compression) {
    return switch (compression) {
      case GZIP -> ".gz";
      case ZSTD -> ".zst";
      case BZIP2 -> ".bz2";
      case XZ -> ".xz";
    };
  }

  private static byte[] packed(Compression compression, String data) throws IOException {
    return packed(compression, bytes(data));
  }

  private static byte[] packed(Compression compression, byte[] data) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = compression.compressed(bytes)) {
      out.write(data);
    }
    return bytes.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Path file(byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return Files.write(directory.resolve("in"), all.toByteArray());
  }
}
