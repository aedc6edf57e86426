package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import java.util.stream.Stream;

/** Runs the command in this JVM, or gives the command line that runs it in another. */
public final class Cli {

  private Cli() {}

  /** Runs without anything on standard input. */
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
    List<String> words = Stream.of(args).map(String::valueOf).toList();
    int exit = Main.run(words, in, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Result(exit, kept.toByteArray(), err.toString(StandardCharsets.UTF_8));
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
    Stream.of(args).map(String::valueOf).forEach(command::add);
    return command;
  }

  /** What a run came to. */
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

    private Result exits(int expected) {
      assertThat(exit).as(err).isEqualTo(expected);
      return this;
    }

    /** Returns standard output as text. */
    public String out() {
      return new String(bytes, StandardCharsets.UTF_8);
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
