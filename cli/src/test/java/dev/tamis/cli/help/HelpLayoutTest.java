package dev.tamis.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Commands;
import dev.tamis.cli.report.NumberParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command at every width. */
class HelpLayoutTest {

  private static final String EXAMPLE = "  $ ";

  /** Left of it are the names of options, commands and terms, which begin rows. */
  private static final int FIRST_TEXT_COLUMN = 8;

  /** By which picocli indents what follows the first line of a description. */
  private static final int WRAPPED_INDENT = 2;

  static Stream<Arguments> pages() {
    return Commands.all().values().stream()
        .flatMap(
            command ->
                IntStream.of(60, 80, 100, 120).mapToObj(width -> Arguments.of(command, width)));
  }

  /** No line is too long except in examples, broken before it is full, or an altered example. */
  @ParameterizedTest
  @MethodSource("pages")
  void linesFillTheWidthAndExamplesAreShownAsTheyAre(CommandSpec command, int width) {
    String page = HelpCommand.HelpPage.of(command.commandLine(), width);
    List<String> lines = wrapped(page);
    assertThat(lines).allMatch(line -> line.length() <= width);
    for (int i = 1; i < lines.size(); i++) {
      if (continues(lines.get(i - 1), lines.get(i))) {
        assertThat(lines.get(i - 1).length() + 1 + firstWord(lines.get(i)).length())
            .as("%s%n%s", lines.get(i - 1), lines.get(i))
            .isGreaterThanOrEqualTo(width);
      }
    }
    HelpText.of(command).blocks().stream()
        .filter(HelpText.Example.class::isInstance)
        .flatMap(block -> ((HelpText.Example) block).lines().stream())
        .forEach(line -> assertThat(page).contains(line.isEmpty() ? "\n\n" : "\n  " + line + "\n"));
  }

  @Test
  void noHelpHasWarningsOrEscapesOfALibrary() {
    PrintStream before = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      Commands.all()
          .forEach(
              (name, command) ->
                  assertThat(HelpCommand.HelpPage.of(command.commandLine(), 80))
                      .as(name)
                      .doesNotContain("%%", "%n", "${"));
    } finally {
      System.setErr(before);
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private static final Map<Class<?>, ITypeConverter<?>> CONVERTERS =
      Map.of(
          long.class, new NumberParser.CountConverter(),
          double.class, new NumberParser.ProbabilityConverter(),
          Duration.class, new NumberParser.DurationConverter());

  @Test
  void defaultsInTheTextsAreThoseOfTheOptions() {
    Pattern shown = Pattern.compile("\\(default: ([0-9][^;,) ]*)[;,)]");
    int compared = 0;
    for (CommandSpec command : Commands.all().values()) {
      for (OptionSpec option : command.options()) {
        Matcher text = shown.matcher(String.join(" ", option.description()));
        ITypeConverter<?> converter =
            option.converters().length > 0 ? option.converters()[0] : CONVERTERS.get(option.type());
        if (text.find() && option.initialValue() != null && converter != null) {
          assertThat(convert(converter, text.group(1)))
              .as(option.longestName())
              .isEqualTo(option.initialValue());
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(10);
  }

  private static Object convert(ITypeConverter<?> converter, String text) {
    try {
      return converter.convert(text);
    } catch (Exception e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void aWidthBeyondTheLimitsIsTheNearestOne() {
    assertThat(page("dedup", 1)).isEqualTo(page("dedup", 59)).isEqualTo(page("dedup", 60));
    assertThat(page("dedup", 60)).isNotEqualTo(page("dedup", 61));
    assertThat(page("dedup", 120)).isNotEqualTo(page("dedup", 119));
    assertThat(page("dedup", 9999)).isEqualTo(page("dedup", 121)).isEqualTo(page("dedup", 120));
  }

  private static String page(String command, int width) {
    return HelpCommand.HelpPage.of(Commands.of(command).commandLine(), width);
  }

  /** Returns the lines of a page that are not part of an example. */
  private static List<String> wrapped(String page) {
    List<String> lines = new ArrayList<>();
    boolean isExample = false;
    for (String line : page.split("\n", -1)) {
      isExample =
          line.startsWith(EXAMPLE) || (isExample && (line.isEmpty() || line.startsWith(" ")));
      if (!isExample) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** Returns whether a line is in one column with the line above it, and in the same sentence. */
  private static boolean continues(String above, String line) {
    if (line.isBlank() || above.isBlank() || above.startsWith("Usage:") || above.endsWith(":")) {
      return false;
    }
    int column = indentOf(line);
    if (column < FIRST_TEXT_COLUMN) {
      return column == 0 && indentOf(above) == 0;
    }
    if (line.strip().startsWith("[") || line.strip().startsWith("-")) {
      return false; // of the synopsis
    }
    int text = column - WRAPPED_INDENT;
    return indentOf(above) == column || startsAt(text, above) || startsAt(column, above);
  }

  private static int indentOf(String line) {
    return line.length() - line.stripLeading().length();
  }

  private static boolean startsAt(int column, String line) {
    return line.length() > column && line.charAt(column) != ' ' && line.charAt(column - 1) == ' ';
  }

  /** Returns what is moved to the line above as a whole, if nothing in it can be broken. */
  private static String firstWord(String line) {
    return line.strip().split(" ", 2)[0];
  }
}
