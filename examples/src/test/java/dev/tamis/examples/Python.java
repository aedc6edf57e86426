package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code python3} in the folder of the reader that is written in Python. */
final class Python {

  static final Path FOLDER = Path.of("python");
  private static final long MAX_SECONDS = 120;

  private final Path scratch;

  private String interpreter = "python3";

  /** Keeps what the programs print in {@code scratch}. */
  Python(Path scratch) {
    this.scratch = scratch;
  }

  /** Ends the tests without a verdict where there is no Python. */
  void assumeInstalled() throws IOException, InterruptedException {
    boolean installed;
    try {
      // what python3 on the path may only lead to, which then takes far longer to start
      Run run = run(List.of("-c", "import sys; print(sys.executable)"), scratch);
      installed = run.exit() == 0;
      interpreter = run.out().strip();
    } catch (IOException e) {
      installed = false;
    }
    assumeTrue(installed, "python3 runs here");
  }

  /** Runs the reader on a file, with the lines of another as its standard input. */
  Run reader(Path file, Path lines, List<String> options) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("tamis_reader.py", file.toString()));
    arguments.addAll(options);
    return run(arguments, lines);
  }

  /**
   * Runs Python, with the standard library alone, with a standard input; a folder instead of a file
   * stands for none.
   */
  Run run(List<String> arguments, Path input) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(interpreter, "-B", "-S"));
    command.addAll(arguments);
    Path out = Files.createTempFile(scratch, "out", "");
    Path err = Files.createTempFile(scratch, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command).directory(FOLDER.toFile());
    if (Files.isRegularFile(input)) {
      builder.redirectInput(input.toFile());
    }
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new IOException("python3 did not end within " + MAX_SECONDS + " s");
    }
    return new Run(
        process.exitValue(), Files.readString(out, ISO_8859_1), Files.readString(err, UTF_8));
  }

  /**
   * How a program ended.
   *
   * @param exit its status
   * @param out what it printed, a character for each byte
   * @param err what it complained of
   */
  record Run(int exit, String out, String err) {}
}
