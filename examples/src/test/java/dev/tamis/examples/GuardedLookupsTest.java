package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardedLookupsTest {

  @Test
  void theSecondRunNeedsNoRebuildAndReadsOnlyWhatIsThere(@TempDir Path directory) throws Exception {
    List<String> links = Files.readAllLines(Path.of("links.txt")).stream().distinct().toList();
    Path some = Files.write(directory.resolve("some.txt"), links.subList(0, 300));

    String first = run(some, directory);
    assertThat(first).startsWith("rebuilt from 0 rows");
    // each link not found and put, then found; the same link with "?print" not found
    assertThat(first).containsPattern("skipped=(59\\d|600), found=300");

    String second = run(some, directory);
    assertThat(second).doesNotContain("rebuilt").containsPattern("skipped=(29\\d|300), found=600");
  }

  private static String run(Path file, Path directory) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    GuardedLookups.run(file, directory, new PrintStream(printed, true, UTF_8));
    return printed.toString(UTF_8);
  }
}
