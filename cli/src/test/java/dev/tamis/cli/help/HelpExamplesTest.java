package dev.tamis.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Commands;
import dev.tamis.cli.Site;
import dev.tamis.cli.TamisOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;

/** What the help of a command shows can be pasted, and prints what the help says. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs the GNU commands of Linux")
class HelpExamplesTest {

  @TempDir Path directory;

  /** All commands but the one that runs until Ctrl-C, see {@code ExploreTest}. */
  static List<String> commands() {
    return Commands.all().keySet().stream().filter(name -> !name.startsWith("explore")).toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void examplesPrintWhatTheHelpSays(String command) throws Exception {
    List<HelpText.Example> examples = examples(Commands.of(command));
    assertThat(examples).as("every command has an example").isNotEmpty();
    Path bin = Files.createDirectory(directory.resolve("bin"));
    TamisOnPath.in(bin);
    Path folder = Files.createDirectory(directory.resolve("empty"));
    try (Site site = site()) {
      String address = "localhost:" + site.port();
      for (HelpText.Example example : examples) {
        ShellSession.parse(example.lines())
            .with("localhost:8000", address)
            .with("localhost:3128", address)
            .run(folder, bin);
      }
    }
  }

  private static List<HelpText.Example> examples(CommandSpec command) {
    return HelpText.of(command).blocks().stream()
        .filter(HelpText.Example.class::isInstance)
        .map(HelpText.Example.class::cast)
        .toList();
  }

  /** Serves the site that {@code crawl} visits and the digest that {@code digest fetch} reads. */
  private Site site() throws IOException {
    Path file = directory.resolve("digest");
    String urls =
        IntStream.range(0, 751)
            .mapToObj(i -> "http://a.example/" + i + "\n")
            .collect(Collectors.joining());
    Cli.runOn(urls, "digest make -q -n 740 -o", file);
    byte[] digest = Files.readAllBytes(file);
    return new Site(
        path ->
            switch (path) {
              case "/" ->
                  Site.Answer.html(200, "<a href='/about'>About</a> <a href='/gone'>Gone</a>");
              case "/about" -> Site.Answer.html(200, "<a href='/'>Home</a>");
              case "/squid-internal-periodic/store_digest" ->
                  new Site.Answer(200, "application/cache-digest", digest);
              default -> Site.Answer.html(404, "");
            });
  }

  @Test
  void outputIsComparedLineByLine() {
    assertThat(ShellSession.matches(List.of("a", "...", "z"), List.of("a", "z"))).isTrue();
    assertThat(ShellSession.matches(List.of("a", "...", "z"), List.of("a", "b", "c", "z")))
        .isTrue();
    assertThat(ShellSession.matches(List.of("a"), List.of("a", "b"))).isFalse();
    assertThat(ShellSession.matches(List.of("a", "b"), List.of("a"))).isFalse();
    assertThat(ShellSession.matches(List.of("n=3 ... z=1"), List.of("n=3 x=2 z=1"))).isTrue();
    assertThat(ShellSession.matches(List.of("n=3 ... z=1"), List.of("n=3 x=2 z=12"))).isFalse();
    assertThat(ShellSession.matches(List.of("n=3 ..."), List.of("n=4 x"))).isFalse();
    assertThat(ShellSession.matches(List.of("abc"), List.of("abcd"))).isFalse();
  }
}
