package dev.tamis.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of known formats other than ours are named, with the command that reads them. */
class FileSnifferTest {

  @TempDir Path directory;

  @Test
  void aBlockListIsNamed() throws IOException {
    Path list = directory.resolve("spam.block");
    Cli.runOn("spam.example\n", "block build -q -o", list).ok();
    assertNamed(list, "it looks like a block list; see tamis block check");
  }

  @Test
  void aCacheDigestIsNamed() {
    Path digest = directory.resolve("x.digest");
    Cli.runOn("http://a/\n", "digest make -q -n 1 -o", digest).ok();
    assertNamed(digest, "it looks like a cache digest; see tamis digest show");
  }

  @ParameterizedTest
  @CsvSource({"guava, Guava", "spark, Spark", "dcso, DCSO"})
  void aFilterOfAnotherProgramIsNamed(String format, String program) {
    Path ours = directory.resolve("ours");
    Path theirs = directory.resolve("theirs");
    Cli.runOn("a\n", "build -q -n 9 -t", format, "-o", ours).ok();
    Cli.run("convert -q --from tamis --to", format, ours, theirs).ok();
    assertNamed(
        theirs,
        "it looks like a "
            + program
            + " filter. Try: tamis convert --from "
            + format
            + " --to tamis FILE OUT");
  }

  @Test
  void packedBytesAreNamed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
      packed.write(1);
    }
    Path file = Files.write(directory.resolve("x.gz"), bytes.toByteArray());
    assertNamed(file, "it looks like gzip; unpack it first");
  }

  @Test
  void whatNobodyKnowsIsNoValidFilter() throws IOException {
    Path file =
        Files.writeString(directory.resolve("notes"), "These are notes, and no filter. ".repeat(9));
    assertThat(Cli.run("info", file).err())
        .contains("not a valid filter: magic at byte 0: ", "; the file is damaged, or of another");
  }

  private static void assertNamed(Path file, String what) {
    for (String command : new String[] {"info", "count"}) {
      Cli.run(command, file)
          .refused("tamis " + command + ": " + file + ": is not a Tamis filter; " + what + "\n");
    }
  }
}
