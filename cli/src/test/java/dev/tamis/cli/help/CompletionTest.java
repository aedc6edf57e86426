package dev.tamis.cli.help;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The shells themselves, with the scripts that {@code tamis completion} prints. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs bash 4 or newer, zsh or fish")
class CompletionTest {

  private static final int MAX_SECONDS = 600;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void theScriptIsOneOfTheShell(CompletionCommand.Shell shell) throws Exception {
    Path script = install(shell);
    assertThat(run(name(shell), "-n", script.toString())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void commandsAreCompleted(CompletionCommand.Shell shell) throws Exception {
    install(shell);
    assertThat(complete(shell, "tamis ded")).containsExactly("dedup");
    assertThat(complete(shell, "tamis block "))
        .containsExactlyInAnyOrder("build", "check", "explain");
    assertThat(complete(shell, "tamis queue todo p"))
        .containsExactlyInAnyOrder("push", "poll", "peek");
    assertThat(complete(shell, "tamis help m")).containsExactly("merge");
    assertThat(complete(shell, "tamis --debug me")).containsExactly("merge");
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void optionsAreThoseOfTheCommand(CompletionCommand.Shell shell) throws Exception {
    install(shell);
    assertThat(complete(shell, "tamis dedup --ex"))
        .containsExactlyInAnyOrder("--exact", "--expected-keys");
    assertThat(complete(shell, "tamis block build --al")).containsExactly("--allow");
    assertThat(complete(shell, "tamis build --al")).containsExactly("--allow-overfull");
    assertThat(complete(shell, "tamis queue todo push --on")).containsExactly("--on-full");
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void valuesAreWordsOrFilesOrNothing(CompletionCommand.Shell shell) throws Exception {
    install(shell);
    Files.writeString(directory.resolve("seen.tamis"), "");
    assertThat(complete(shell, "tamis build -t bl")).containsExactly("blocked");
    assertThat(complete(shell, "tamis crawl --scope=pre"))
        .hasSize(1)
        .allMatch(word -> word.endsWith("prefix"));
    assertThat(complete(shell, "tamis completion "))
        .containsExactlyInAnyOrder("bash", "zsh", "fish");
    assertThat(complete(shell, "tamis info se")).containsExactly("seen.tamis");
    assertThat(complete(shell, "tamis dedup -s se")).containsExactly("seen.tamis");
    assertThat(complete(shell, "tamis dedup -q se")).containsExactly("seen.tamis");
    assertThat(complete(shell, "tamis dedup -p se")).isEmpty();
    assertThat(complete(shell, "tamis dedup -o build se")).containsExactly("seen.tamis");
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void everyOptionIsInTheScript(CompletionCommand.Shell shell) {
    String script = script(shell);
    for (CommandSpec command : Commands.all().values()) {
      assertThat(script).contains(command.name());
      for (OptionSpec option : command.options()) {
        assertThat(script).contains(option.longestName().replaceFirst("^-+", ""));
      }
    }
  }

  private static String script(CompletionCommand.Shell shell) {
    Cli.Result result = Cli.run("completion", name(shell)).ok();
    assertThat(result.err()).isEmpty();
    return result.out();
  }

  private static String name(CompletionCommand.Shell shell) {
    return shell.name().toLowerCase(Locale.ROOT);
  }

  private Path install(CompletionCommand.Shell shell) throws Exception {
    assumeTrue(isInstalled(shell), () -> name(shell) + " is not installed");
    return Files.writeString(directory.resolve(shell.fileName()), script(shell));
  }

  private static boolean isInstalled(CompletionCommand.Shell shell) throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v " + name(shell) + " >/dev/null")
            .start()
            .waitFor()
        == 0;
  }

  /** Returns what the shell offers for the last word of a line. */
  private List<String> complete(CompletionCommand.Shell shell, String line) throws Exception {
    String script = shell.fileName();
    List<String> offered =
        switch (shell) {
          case BASH -> run("bash", resource("complete.bash"), script, line);
          case ZSH -> run("zsh", "-f", resource("complete.zsh"), directory.toString(), line);
          case FISH ->
              run(
                  "fish",
                  "--no-config",
                  "-c",
                  "source " + script + "; complete -C " + "'" + line + "'");
        };
    return offered.stream().map(word -> word.split("\t", 2)[0]).toList();
  }

  private static String resource(String name) throws Exception {
    return Path.of(Objects.requireNonNull(CompletionTest.class.getResource(name)).toURI())
        .toString();
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    Path out = directory.resolve(".out");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(directory.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("HOME", directory.toString());
    Process process = builder.start();
    boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    List<String> lines = Files.readAllLines(out, UTF_8);
    assertThat(ended).as("%s prints %s", List.of(command), lines).isTrue();
    return lines;
  }
}
