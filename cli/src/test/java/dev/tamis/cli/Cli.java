package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the command in this JVM, or gives the command line that runs it in another. */
public final class Cli {

  private Cli() {}

  /**
   * Runs without anything on standard input. The first argument may be several words; an array
   * stands for its elements, whose first may be several words too.
   */
  public static Result run(Object... args) {
    return runOn(new byte[0], args);
  }

  /** Runs with these bytes on standard input. */
  public static Result runOn(byte[] input, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    return run(new ByteArrayInputStream(input), out, out, args);
  }

  /** Runs with this text on standard input. */
  public static Result runOn(String input, Object... args) {
    return runOn(input.getBytes(StandardCharsets.UTF_8), args);
  }

  /** Runs with standard output going to {@code out}, which may fail. */
  public static Result runInto(OutputStream out, InputStream in, Object... args) {
    return run(in, out, new ByteArrayOutputStream(), args);
  }

  private static Result run(
      InputStream in, OutputStream out, ByteArrayOutputStream kept, Object... args) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = Main.run(words(args), in, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Result(exit, kept.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  private static List<String> words(Object... args) {
    List<String> words = new ArrayList<>();
    for (Object arg : args) {
      if (arg instanceof Object[] several) {
        words.addAll(words(several));
      } else if (arg == args[0] && arg instanceof String text) {
        words.addAll(List.of(text.split(" ", -1)));
      } else {
        words.add(String.valueOf(arg));
      }
    }
    return words;
  }

  /** Returns the command line of {@code tamis} with these arguments, in a JVM of its own. */
  public static List<String> command(Object... args) {
    return java(List.of("-XX:TieredStopAtLevel=1"), Main.class, args);
  }

  /**
   * Returns the command line of a program of the test class path. SIGINT is reset for it, since a
   * shell ignores the signal for what it starts in the background, and so would every child.
   */
  public static List<String> java(List<String> options, Class<?> program, Object... args) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("os.name").equals("Linux")) {
      command.addAll(List.of("env", "--default-signal=INT"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(words(args));
    return command;
  }

  /** The exit status of a run and what it printed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Result(int exit, byte[] bytes, String err) {

    /** Asserts that the run succeeded. */
    public Result ok() {
      return exits(0);
    }

    /** Asserts that the run failed with an error. */
    public Result refused() {
      return exits(2);
    }

    /** Asserts the exit status. */
    public Result exits(int expected) {
      assertThat(exit).as(err).isEqualTo(expected);
      return this;
    }

    /** Asserts that the run failed with this error alone, in which {@code ...} is any text. */
    public void refused(String format, Object... args) {
      assertThat(out()).as(err).isEmpty();
      assertThat(refused().err).hasLineCount((int) format.lines().count());
      says(format, args);
    }

    /** Asserts what standard error has, in which {@code ...} is any text. */
    public Result says(String format, Object... args) {
      String expected = args.length == 0 ? format : String.format(Locale.ROOT, format, args);
      String regex =
          Stream.of(expected.strip().split("\\.\\.\\.", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining(".*"));
      assertThat(err.strip())
          .as(expected)
          .matches(text -> Pattern.compile(regex, Pattern.DOTALL).matcher(text).matches());
      return this;
    }

    /** Asserts what standard output is. */
    public Result prints(String expected) {
      assertThat(out()).as(err).isEqualTo(expected);
      return this;
    }

    /** Returns standard output, which is JSON. */
    public JsonObject json() {
      return JsonParser.parseString(out()).getAsJsonObject();
    }

    /** Returns the summary, which is JSON and the only line on standard error. */
    public JsonObject jsonSummary() {
      return JsonParser.parseString(err).getAsJsonObject();
    }

    /** Returns standard output as text. */
    public String out() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Asserts that the summary has these figures, as in {@code lines=3 unique=2 fpp=...}. */
    public Result sums(String figures, Object... args) {
      Map<String, String> summary = summary();
      for (String figure : String.format(Locale.ROOT, figures, args).split(" ", -1)) {
        String[] parts = figure.split("=", 2);
        assertThat(summary).containsKey(parts[0]);
        if (!parts[1].equals("...")) {
          assertThat(summary).containsEntry(parts[0], parts[1]);
        }
      }
      return this;
    }

    /** Returns the figures of the summary, which must be the only line on standard error. */
    public Map<String, String> summary() {
      Map<String, String> figures = new LinkedHashMap<>();
      for (String figure : err.strip().split(" ", -1)) {
        String[] parts = figure.split("=", 2);
        figures.put(parts[0], parts[1]);
      }
      return figures;
    }
  }
}
