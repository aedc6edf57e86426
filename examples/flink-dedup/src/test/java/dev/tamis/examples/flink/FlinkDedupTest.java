package dev.tamis.examples.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The job in this process, over the links that come with the examples. */
@Timeout(180)
class FlinkDedupTest {

  private static final Path LINKS = Path.of("../links.txt");

  @Test
  void countsEachLineOnceAndTheRestAsDuplicates() throws Exception {
    Set<String> unique = new HashSet<>(Files.readAllLines(LINKS));
    int lines = Files.readAllLines(LINKS).size();
    assertThat(run(LINKS.toString()))
        .isEqualTo(
            "lines="
                + lines
                + " unique="
                + unique.size()
                + " duplicates="
                + (lines - unique.size()));
  }

  private static String run(String... arguments) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(printed, true, UTF_8)) {
      System.setOut(out);
      FlinkDedup.main(arguments);
    } finally {
      System.setOut(before);
    }
    return printed.toString(UTF_8).strip();
  }
}
