package dev.tamis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's program does what the README says. */
class ReadmeTest {

  private static final Path README = Path.of("..", "README.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");

  @Test
  void theProgramInTheReadmePrintsWhatStandsBelowIt(@TempDir Path folder) throws Exception {
    Matcher blocks = BLOCK.matcher(Files.readString(README, UTF_8));
    assertThat(blocks.results().anyMatch(block -> block.group(1).equals("java"))).isTrue();
    blocks.reset();
    while (blocks.find() && !blocks.group(1).equals("java")) {}
    String program = blocks.group(2);
    assertThat(blocks.find()).as("a block with the output follows").isTrue();

    assertThat(run(program, folder)).isEqualTo(blocks.group(2));
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(README, UTF_8)).hasSizeLessThan(150);
  }

  /** Compiles and runs statements, with their imports, in a JVM of their own. */
  private static String run(String program, Path folder) throws Exception {
    Path source = folder.resolve("Readme.java");
    Files.write(
        source,
        List.of(
            lines(program, true),
            "class Readme {",
            "  public static void main(String[] args) {",
            lines(program, false),
            "  }",
            "}"));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=en", // for the decimal point
                "-cp",
                System.getProperty("java.class.path"),
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.waitFor();
    return Files.readString(output, UTF_8);
  }

  private static String lines(String program, boolean imports) {
    return program
        .lines()
        .filter(line -> line.startsWith("import ") == imports)
        .collect(Collectors.joining("\n"));
  }
}
