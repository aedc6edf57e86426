package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardedLookupsTest {

  @Test
  void theSecondRunNeedsNoRebuildAndReadsOnlyWhatIsThere(@TempDir Path directory) throws Exception {
    String first = run(directory);
    assertThat(first).startsWith("rebuilt from 0 rows").contains("The guard ");
    // 2695 links put, found, and not found with "?print"
    assertThat(first).containsPattern("skipped=5\\d{3}, found=26\\d{2}");

    String second = run(directory);
    assertThat(second).doesNotContain("rebuilt").containsPattern("skipped=26\\d{2}, found=5390");
  }

  private static String run(Path directory) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    GuardedLookups.run(Path.of("links.txt"), directory, new PrintStream(printed, true, UTF_8));
    return printed.toString(UTF_8);
  }
}
