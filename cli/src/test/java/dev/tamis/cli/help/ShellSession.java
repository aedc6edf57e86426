package dev.tamis.cli.help;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Commands as a document shows them, with or without what they print.
 *
 * <p>A line that begins with {@code $} is a command, with the following lines if it ends with a
 * backslash; the other lines are what it prints on both outputs. There a line {@code ...} stands
 * for any number of lines, and {@code ...} within a line for any text. Where no line begins with
 * {@code $} all of them are commands.
 *
 * @param steps in order
 */
record ShellSession(List<Step> steps) {

  private static final String PROMPT = "$ ";
  private static final String ANYTHING = "...";
  private static final String MARK = "=== status";
  private static final int MAX_SECONDS = 600;

  /** A command, and the lines it prints if they are shown. */
  record Step(String command, List<String> output, boolean isOutputShown) {
    boolean showsAnError() {
      return output.stream().anyMatch(line -> line.matches("tamis( [a-z]+)*: .*"));
    }
  }

  static ShellSession parse(List<String> lines) {
    if (lines.stream().noneMatch(line -> line.startsWith(PROMPT))) {
      String all = "( set -e\n" + String.join("\n", lines) + "\n)";
      return new ShellSession(List.of(new Step(all, List.of(), false)));
    }
    List<Step> steps = new ArrayList<>();
    int i = 0;
    while (i < lines.size()) {
      assertThat(lines.get(i)).as("a session begins with a command").startsWith(PROMPT);
      StringBuilder command = new StringBuilder(lines.get(i++).substring(PROMPT.length()));
      while (command.toString().endsWith("\\")) {
        command.append('\n').append(lines.get(i++));
      }
      List<String> output = new ArrayList<>();
      while (i < lines.size() && !lines.get(i).startsWith(PROMPT)) {
        output.add(lines.get(i++));
      }
      steps.add(new Step(command.toString(), output, true));
    }
    return new ShellSession(steps);
  }

  /** Returns the same session with another text in place of one, as of a port. */
  ShellSession with(String text, String other) {
    return new ShellSession(
        steps.stream()
            .map(
                step ->
                    new Step(
                        step.command().replace(text, other),
                        step.output().stream().map(line -> line.replace(text, other)).toList(),
                        step.isOutputShown()))
            .toList());
  }

  /** Runs it in a folder, with the commands of another one first on the path. */
  void run(Path folder, Path commands) throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder();
    for (Step step : steps) {
      script.append("{ ").append(step.command()).append("\n} 2>&1\n");
      script.append("printf '\\n" + MARK + " %s\\n' $?\n");
    }
    Path printed = Files.createTempFile(commands, "printed", "");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", script.toString())
            .directory(folder.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().merge("PATH", commands.toString(), (path, first) -> first + ":" + path);
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("COLUMNS");
    Process shell = builder.start();
    try {
      assertThat(shell.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).as("%s", script).isTrue();
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
    check(Files.readString(printed, UTF_8));
  }

  private void check(String printed) {
    int from = 0;
    for (Step step : steps) {
      int end = printed.indexOf("\n" + MARK, from);
      assertThat(end).as("the end of %s, in:%n%s", step.command(), printed).isNotNegative();
      String output = printed.substring(from, end);
      int lineEnd = printed.indexOf('\n', end + 1);
      assertThat(printed.substring(end + 1, lineEnd))
          .as("$ %s%n%s", step.command(), output)
          .isEqualTo(MARK + (step.showsAnError() ? " 2" : " 0"));
      from = lineEnd + 1;
      List<String> lines = output.lines().map(String::stripTrailing).toList();
      assertThat(!step.isOutputShown() || matches(step.output(), lines))
          .as(
              "$ %s%nprints%n%s%nand should print%n%s",
              step.command(), output, String.join("\n", step.output()))
          .isTrue();
    }
  }

  /** Returns whether lines are as shown. */
  static boolean matches(List<String> shown, List<String> lines) {
    if (shown.isEmpty()) {
      return lines.isEmpty();
    }
    List<String> rest = shown.subList(1, shown.size());
    if (shown.get(0).equals(ANYTHING)) {
      for (int skipped = 0; skipped <= lines.size(); skipped++) {
        if (matches(rest, lines.subList(skipped, lines.size()))) {
          return true;
        }
      }
      return false;
    }
    return !lines.isEmpty()
        && matches(shown.get(0).stripTrailing(), lines.get(0))
        && matches(rest, lines.subList(1, lines.size()));
  }

  private static boolean matches(String shown, String line) {
    int from = 0;
    String[] parts = shown.split("\\.\\.\\.", -1);
    if (!line.startsWith(parts[0]) || (parts.length == 1 && !line.equals(shown))) {
      return false;
    }
    for (String part : parts) {
      int at = line.indexOf(part, from);
      if (at < 0) {
        return false;
      }
      from = at + part.length();
    }
    return parts.length == 1 || line.endsWith(parts[parts.length - 1]);
  }
}
