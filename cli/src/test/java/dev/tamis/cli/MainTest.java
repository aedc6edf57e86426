package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.report.Reconciliation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {

  private static final Set<Class<?>> TEXT = Set.of(String.class, Path.class, FilterPlace.class);

  @TempDir Path directory;

  @Test
  void helpListsTheCommandsThatWorkAndNoOther() {
    Result result = Cli.run("--help").ok();
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines().filter(line -> line.matches("  [a-z]+  .*")))
        .extracting(line -> line.strip().split(" ", 2)[0])
        .containsExactlyElementsOf(commands());
  }

  /** Returns the names of the commands, without those of their subcommands. */
  static Set<String> commands() {
    return Main.model().getSubcommands().keySet();
  }

  @Test
  void theDocumentsNameEveryCommand() throws IOException {
    String tools = Files.readString(Path.of("../docs/tools.md"));
    assertThat(commands())
        .filteredOn(command -> !command.equals("version"))
        .allMatch(command -> tools.matches("(?s).*`(tamis )?" + command + "[` ].*"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandExplainsItselfWithAnExample(String command) {
    Result result = Cli.run(command, "--help").ok();
    assertThat(result.out())
        .startsWith("Usage: tamis " + command)
        .contains("--debug", "Example:\n  $ ")
        .containsPattern("Example:\n(.*\n)*  [$] (.*[|] )?tamis " + command)
        .doesNotContain("%n");
    Cli.run(command, "-h").prints(result.out());
  }

  @Test
  void versionIsOneLine() {
    assertThat(Cli.run("--version").out()).matches("tamis \\S+\n");
    Cli.run("-V").ok();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "dedpu | tamis: no such command: 'dedpu', did you mean dedup?; see tamis --help",
        "xyzzy | tamis: no such command: 'xyzzy'; see tamis --help",
        "--frob | tamis: unknown option: '--frob'; see tamis --help",
        "dedup --frob | tamis dedup: unknown option: '--frob'; see tamis dedup --help",
        "check | tamis check: missing required parameter: 'FILTER'; see tamis check --help",
        "dedup -n 10x | tamis dedup: invalid value for option '--expected-keys': expected a whole"
            + " number of at least 1..., got '10x'...",
        "dedup -p 1 | tamis dedup: invalid value for option '--fpp': expected a probability between"
            + " 0 and 1..., got '1'...",
        "dedup -m 3Q | tamis dedup: invalid value for option '--memory': expected a size from 1 to"
            + " 2199023255552 bytes..., got '3Q'...",
        "crawl http://a/ | tamis crawl: missing required option: '--queue=DIR'; see tamis crawl"
            + " --help",
        "build | tamis build: missing required option: '--output=FILTER'; see tamis build --help",
      })
  void usageErrorsAreOneLineAndExitWith2(String args, String expected) {
    Cli.run((Object[]) args.split(" ", -1)).refused(expected + "\n");
  }

  @Test
  void withoutACommandTheCommandsArePrintedAsAnError() {
    Result result = Cli.run().refused().prints("");
    assertThat(result.err()).isEqualTo(Cli.run("--help").out());
  }

  /** Not what the library says of a type, such as "is not an int". */
  @Test
  void everyOptionThatIsNotTextSaysWhatItExpects() {
    Commands.all()
        .forEach(
            (name, command) -> {
              String words = name.replaceFirst("^queue ", "queue d ").replaceFirst("^$", "dedup");
              for (OptionSpec option : command.options()) {
                if (option.arity().max() == 1
                    && !option.isMultiValue()
                    && !TEXT.contains(option.type())) {
                  Cli.run(words + " " + option.longestName(), "?!").refused("...expected...");
                }
              }
            });
    Cli.run("dedup --parallel abc")
        .refused("tamis dedup: invalid value for option '--parallel': expected a whole number...");
  }

  @Test
  void allFilesThatCannotBeReadAreNamedBeforeAnythingIsWritten() throws IOException {
    Path good = Files.writeString(directory.resolve("good"), "a\n");
    Path missing = directory.resolve("missing");
    Cli.run("dedup", good, missing, directory)
        .refused(
            """
            tamis dedup: %s: No such file or directory; check the name
            tamis dedup: %s: Is a directory; name the files in it
            """,
            missing, directory);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dedup LOOP",
        "stats lines LOOP",
        "check LOOP",
        "info LOOP",
        "convert --from guava --to tamis LOOP x",
        "block check LOOP",
        "digest show LOOP",
        "queue LOOP push",
        "crawl --queue LOOP http://a/",
        "crawl http://127.0.0.1:1/ --queue QUEUE -o LOOP",
      })
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aLinkToItselfIsCalledOne(String command) throws IOException {
    Path loop = directory.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    Cli.run(
            command
                .replace("LOOP", loop.toString())
                .replace("QUEUE", directory.resolve("queue").toString()))
        .refused(
            "tamis ...: %s: Too many levels of symbolic links: the link leads back to itself;"
                + " remove it\n",
            loop);
  }

  @ParameterizedTest
  @CsvSource({
    "queue FILE push, 'FILE: Not a directory; name one'",
    "queue FILE stats, 'FILE: not a queue directory; ...'",
    "crawl http://127.0.0.1:1/ --queue FILE, 'FILE: Not a directory; name one'",
    "queue FILE/x push, 'FILE/x: Not a directory'",
    "build -o FILE/x, 'FILE/x: its directory is ...'",
    "key new FILE/x, 'FILE/x: its directory is a file'",
  })
  void aFileInPlaceOfADirectoryIsNamed(String command, String expected) throws IOException {
    String file = Files.writeString(directory.resolve("file"), "a\n").toString();
    Cli.run(command.replace("FILE", file))
        .refused("tamis ...: %s\n", expected.replace("FILE", file));
  }

  @Test
  void aFileThatVanishesBeforeItsTurnIsNamedTheSameWay() throws IOException {
    Path file = Files.writeString(directory.resolve("in"), "a\n");
    Streams streams =
        new Streams(InputStream.nullInputStream(), System.out, new Messages(System.err, List.of()));
    Inputs inputs = Inputs.of(List.of(file), (byte) '\n', new DecompressOption(), streams);
    Files.delete(file);
    assertThatThrownBy(() -> inputs.countKeys(line -> 0))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(file.toString());
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aNameWithALineBreakStaysInOneLine() {
    assertThat(Cli.run("dedup", directory.resolve("a\nb")).err()).hasLineCount(1);
  }

  @Test
  void anInputThatCannotBeOneIsExplained() {
    Cli.run("dedup", "")
        .refused("tamis dedup: the name of a file is empty; name a file, or - for a pipe\n");
    Cli.run("dedup redis://h/x")
        .refused(
            "tamis dedup: redis:/h/x: is a filter on a server and has no lines; tamis dedup takes"
                + " it with -s\n");
    Cli.runOn("a\n", "dedup -o", directory)
        .refused("tamis dedup: " + directory + ": Is a directory, not a file to write\n");
    Cli.run("info redis://localhost:1/x")
        .refused(
            "tamis info: redis://localhost:1/x: cannot connect to the server; check its address,"
                + " and that it runs\n");
  }

  @Test
  void aSizeThatTheHeapCannotHoldIsRefusedWithTheLimit() {
    Result result = Cli.runOn("a\n", "dedup -n 4G").refused();
    assertThat(result.err())
        .matches(
            "tamis dedup: the filter needs \\d+ bytes, this JVM's heap has at most \\d+: raise it"
                + " with TAMIS_JAVA_OPTS=-Xmx8g, or ask for fewer keys or a higher fpp\n");
  }

  @Test
  void outOfMemoryIsOneLine() {
    InputStream greedy = Faults.input(new OutOfMemoryError("Java heap space"));
    Cli.runInto(OutputStream.nullOutputStream(), greedy, "dedup")
        .refused(
            "tamis dedup: out of memory (Java heap space); give the JVM more with"
                + " TAMIS_JAVA_OPTS=-Xmx8g, or request less with -m or -p\n");
  }

  @Test
  void debugAddsTheStackTrace() {
    Path missing = directory.resolve("missing");
    for (Object[] args :
        new Object[][] {{"dedup", "--debug", missing}, {"--debug", "dedup", missing}}) {
      Cli.run(args)
          .refused()
          .says("tamis dedup: " + missing + ": No such file...\tat dev.tamis.cli...");
    }
  }

  /** In the thread of the command, in that which reads lines, and in several that put them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dedup",
        "dedup -n 9 --parallel 3",
        "stats lines",
        "queue QUEUE push",
        "convert --from guava --to tamis - QUEUE",
        "digest make -n 9 -o QUEUE",
      })
  void whatNobodyThoughtOfIsOneLineToo(String command) {
    String words = command.replace("QUEUE", directory.resolve("queue").toString());
    for (Throwable odd :
        List.of(
            new UnsupportedOperationException("odd"),
            new AssertionError("odd"),
            new StackOverflowError("odd"),
            new NoClassDefFoundError("odd"))) {
      Cli.runInto(OutputStream.nullOutputStream(), Faults.input(odd), words)
          .refused("tamis ...: unexpected %s; rerun with --debug and report the output\n", odd);
    }
  }

  /** The command is waiting for input, which never comes. */
  @Test
  void aThreadThatFailsEndsTheProcessWithOneLine() throws Exception {
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(Cli.java(List.of(), FailingThread.class))
            .redirectError(errors.toFile())
            .start();
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(errors)
        .hasContent(
            "tamis: unexpected java.lang.StackOverflowError; rerun with --debug and report the"
                + " output");
  }

  static final class FailingThread {
    public static void main(String[] args) {
      Runnable failing =
          () -> {
            while (Thread.getDefaultUncaughtExceptionHandler() == null) {
              Thread.onSpinWait();
            }
            throw new StackOverflowError();
          };
      new Thread(failing).start();
      Main.main(new String[] {"dedup"});
    }
  }

  @Test
  void countsThatDisagreeStopTheCommand() {
    Reconciliation.check("lines", 3, 3);
    assertThatThrownBy(() -> Reconciliation.check("lines", 3, 4))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("counts disagree: lines: expected 4, got 3");
  }
}
