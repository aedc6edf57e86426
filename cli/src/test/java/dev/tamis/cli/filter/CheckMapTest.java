package dev.tamis.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tamis check --map} prints what {@code tamis check} prints. */
class CheckMapTest {

  @TempDir Path directory;
  private Path filter;

  @BeforeEach
  void nameTheFilter() {
    filter = directory.resolve("filter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic", "partitioned", "fuse"})
  void printsTheSame(String type) throws IOException {
    byte[] in = Lines.hard(1, 1000, (byte) '\n');
    byte[] other = Lines.hard(2, 1000, (byte) '\n');
    Path lines = Files.write(directory.resolve("lines"), in);
    Cli.run("build -q -o", filter, "-t", type, "-p", "0.3", lines);
    for (byte[] asked : new byte[][] {in, other}) {
      for (String option : new String[] {"-c", "-v", "-cv", "--debug"}) {
        Result read = Cli.runOn(asked, "check", option, filter);
        Result mapped = Cli.runOn(asked, "check", option, "--map", filter);
        assertThat(mapped.bytes()).isEqualTo(read.bytes());
        assertThat(mapped.exit()).isEqualTo(read.exit());
        assertThat(mapped.err()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "cuckoo", "scalable", "windowed"})
  void otherTypesAreRefusedAndNotRead(String type) {
    Cli.runOn("a\n", "build -q -o", filter, "-t", type, "-n", "3");
    Cli.runOn("a\n", "check --map", filter)
        .refused(
            "tamis check: %s: is of kind %s, which cannot be mapped and has to be read in; bloom"
                + " and fuse can; leave --map out\n",
            filter, type);
  }

  @Test
  void aCutFileIsRefusedAndADamagedOneIsNotNoticed() throws IOException {
    Cli.runOn("a\n", "build -q -o", filter, "-n", "1000");
    byte[] bytes = Files.readAllBytes(filter);
    bytes[bytes.length - 1] ^= 1;
    Files.write(filter, bytes);
    Cli.runOn("a\n", "check", filter).refused();
    Cli.runOn("a\n", "check --map", filter).prints("a\n");
    Files.write(filter, Arrays.copyOf(bytes, bytes.length - 1));
    Cli.runOn("a\n", "check --map", filter)
        .refused(
            "tamis check: %s: not a valid filter: ...; the file was cut short, or is damaged",
            filter);
    Files.write(filter, Arrays.copyOf(bytes, 600));
    Cli.runOn("a\n", "check", filter)
        .refused(
            "...: expected at most 600 bytes, got ...; the file was cut" + " short, or is damaged");
  }

  @Test
  void aMissingKeyIsNamed() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "00".repeat(16));
    Cli.runOn("a\n", "build -q -o", filter, "-n", "3", "--key-file", key);
    Cli.runOn("a\n", "check --map --key-file", key, filter).prints("a\n");
    Cli.runOn("a\n", "check --map", filter).refused("...secret key: must have id ...");
  }

  /** Standing in for a failing disk, too, which looks the same to the JVM. */
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "Windows does not shorten a mapped file")
  void aFileThatIsMadeShorterMeanwhileIsAnErrorAndNotNothingFound() {
    Cli.runOn("a\n", "build -q -o", filter, "-n", "1000000");
    byte[] lines = Lines.hard(1, 100_000, (byte) '\n');

    Cli.runInto(
            OutputStream.nullOutputStream(),
            new Shortening(lines, filter),
            "check -c --map",
            filter)
        .refused(
            "tamis check: the mapped filter could not be read: its file was truncated, or the disk"
                + " failed; discard the output and rerun without --map\n");
  }

  /** Makes a file shorter when it is read from. */
  private static final class Shortening extends ByteArrayInputStream {

    private final Path path;

    Shortening(byte[] bytes, Path path) {
      super(bytes);
      this.path = path;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(1 << 14);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.read(target, offset, length);
    }
  }
}
