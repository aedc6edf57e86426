package dev.tamis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Manual pages and completion scripts as a distribution has them. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
class ShippedFilesTest {

  @TempDir private static Path folder;

  @BeforeAll
  static void write() throws IOException {
    ShippedFiles.main(new String[] {folder.toString(), "1.2.3", "2026-11-20"});
  }

  @Test
  void everyCommandHasAPageWithItsOptionsAndItsCommands() throws Exception {
    assumeTrue(runs("man", "--version"), "man is not installed");
    for (CommandSpec command : Commands.all().values()) {
      Path page = page(command);
      Result shown = run("man", "-l", page.toString());
      assertThat(shown.exit()).isZero();
      // what a hyphen is, and whether words are underlined, depends on the terminal
      String text = shown.out().replaceAll(".\b", "").replace('\u2010', '-');
      assertThat(text).contains("tamis 1.2.3", "2026-11-20", "NAME", "SYNOPSIS", "Example:");
      for (OptionSpec option : command.options()) {
        assertThat(text).as(page.toString()).contains(option.names());
      }
      command.subcommands().keySet().forEach(next -> assertThat(text).contains("       " + next));
    }
  }

  @Test
  void pagesHaveNoFaultsOfTheirOwn() throws Exception {
    List<String> pages = new ArrayList<>();
    for (CommandSpec command : Commands.all().values()) {
      pages.add(page(command).toString());
    }
    assumeTrue(runs("groff", "--version") || runs("mandoc", "-Tlint"), "no groff, no mandoc");
    if (runs("groff", "--version")) {
      List<String> command = new ArrayList<>(List.of("groff", "-man", "-Tutf8", "-ww", "-z"));
      command.addAll(pages);
      assertThat(run(command.toArray(String[]::new)).out()).isEmpty();
    }
    if (run("sh", "-c", "command -v mandoc").exit() == 0) {
      List<String> command = new ArrayList<>(List.of("mandoc", "-Tlint", "-Wwarning"));
      command.addAll(pages);
      assertThat(run(command.toArray(String[]::new)).out().lines())
          .filteredOn(line -> !line.contains("referenced manual not found"))
          .isEmpty();
    }
  }

  @Test
  void examplesInAPageAreThoseOfTheHelp() throws IOException {
    String page = Files.readString(page(Commands.of("dedup")), UTF_8);
    assertThat(page)
        .contains(".nf\n$ printf \\(aqb\\ena\\enb\\en\\(aq | tamis dedup\nb\na\nlines=3 ");
  }

  @Test
  void filesAreTheSameWhenTheyAreBuiltAgain(@TempDir Path again) throws IOException {
    ShippedFiles.main(new String[] {again.toString(), "1.2.3", "2026-11-20"});
    assertThat(contents(again)).isEqualTo(contents(folder)).hasSizeGreaterThan(30);
  }

  private static Map<String, String> contents(Path root) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(root.relativize(file).toString(), Files.readString(file, UTF_8));
      }
    }
    return contents;
  }

  private static Path page(CommandSpec command) {
    return folder.resolve("man/man1").resolve(command.qualifiedName("-") + ".1");
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return run(command).exit() == 0;
    } catch (IOException e) {
      return false; // it is not installed
    }
  }

  private static Result run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("MANWIDTH", "120");
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out);
  }

  private record Result(int exit, String out) {}
}
