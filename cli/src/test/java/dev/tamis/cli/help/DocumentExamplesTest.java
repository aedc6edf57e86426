package dev.tamis.cli.help;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.TamisOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every block of shell commands in the documents that runs {@code tamis} works, and prints what it
 * shows; CONTRIBUTING.md describes how blocks are written.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs the GNU commands of Linux")
class DocumentExamplesTest {

  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final String FENCE = "```";
  private static final Set<String> SHELLS = Set.of("", "sh", "shell", "bash", "console");
  private static final Pattern RUNS_TAMIS =
      Pattern.compile("(?:\\$ )?(?:.*(?:[|;&]|do) *)?(?:\\./)?tamis .*");
  private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: (\\S.*) -->");

  @TempDir Path directory;

  static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(REPOSITORY);
        Stream<Path> docs = Files.walk(REPOSITORY.resolve("docs"))) {
      return Stream.concat(
              Stream.concat(top, docs), Stream.of(REPOSITORY.resolve("examples/README.md")))
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !sessions(file).isEmpty())
          .map(REPOSITORY::relativize)
          .sorted()
          .toList();
    }
  }

  /** As a reader does: one block after the other, in one folder. */
  @ParameterizedTest
  @MethodSource("documents")
  void commandsOfADocumentWork(Path document) throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Files.createSymbolicLink(folder.resolve("tamis"), TamisOnPath.in(bin));
    ExampleFiles.writeTo(folder, REPOSITORY);
    for (List<String> lines : sessions(REPOSITORY.resolve(document))) {
      ShellSession.parse(lines).run(folder, bin);
    }
  }

  @Test
  void blocksThatCannotRunSayWhy() {
    assertThat(sessions("```\ntamis dedup x\n```")).containsExactly(List.of("tamis dedup x"));
    assertThat(sessions("```sh\nseq 3 | tamis dedup\n```")).hasSize(1);
    assertThat(sessions("```console\n$ ./tamis dedup\na\n```")).hasSize(1);
    assertThat(sessions("```java\ntamis dedup x\n```")).isEmpty();
    assertThat(sessions("```\nmvn verify\n```")).isEmpty();
    assertThat(sessions("<!-- not run: needs a Squid -->\n```\ntamis dedup x\n```")).isEmpty();
    assertThat(sessions("<!-- not run: needs a Squid -->\n\n```\ntamis dedup x\n```")).isEmpty();
    assertThat(sessions("<!-- not run: -->\n```\ntamis dedup x\n```")).hasSize(1);
    assertThat(sessions("- one\n\n  ```\n  tamis dedup x\n  ```\n"))
        .containsExactly(List.of("tamis dedup x"));
  }

  private static List<List<String>> sessions(Path document) {
    try {
      return sessions(Files.readString(document, UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + document, e);
    }
  }

  private static List<List<String>> sessions(String markdown) {
    List<List<String>> sessions = new ArrayList<>();
    List<String> lines = markdown.lines().toList();
    String before = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.strip().startsWith(FENCE)) {
        int indent = line.indexOf(FENCE);
        String language = line.strip().substring(FENCE.length());
        List<String> block = new ArrayList<>();
        while (!lines.get(++i).strip().equals(FENCE)) {
          block.add(lines.get(i).substring(Math.min(indent, lines.get(i).length())));
        }
        boolean isRun = SHELLS.contains(language) && !NOT_RUN.matcher(before.strip()).matches();
        if (isRun && block.stream().anyMatch(command -> RUNS_TAMIS.matcher(command).matches())) {
          sessions.add(block);
        }
      }
      before = line.isBlank() ? before : line;
    }
    return sessions;
  }
}
