package dev.tamis.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code node} in the folder of the page, where it and its packages are installed. */
public final class Node {

  /** The folder of the page, seen from any module. */
  public static final Path FOLDER = Path.of("..", "explorer");

  private static final long MAX_SECONDS = 300;

  private Node() {}

  /** Ends a test without a verdict where there is no node, or its packages are not installed. */
  public static void assumeInstalled() throws IOException, InterruptedException {
    boolean installed;
    try {
      // top-level await, the test runner and Blob are all there from 20 on
      Run run =
          run(
              Path.of("."),
              List.of("-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"));
      installed = run.exit() == 0;
    } catch (IOException e) {
      installed = false;
    }
    assumeTrue(installed, "node 20 or newer runs here; without it the page is not tested");
    assumeTrue(
        Files.isDirectory(FOLDER.resolve("node_modules/hash-wasm")),
        "its packages are installed; npm ci --prefix explorer does that");
  }

  /**
   * Runs node with a standard input.
   *
   * @param input a file; a folder stands for none
   */
  public static Run run(Path input, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(arguments);
    Path out = Files.createTempFile("node", ".out");
    ProcessBuilder builder = new ProcessBuilder(command).directory(FOLDER.toFile());
    if (Files.isRegularFile(input)) {
      builder.redirectInput(input.toAbsolutePath().toFile());
    }
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new IOException("node did not end within " + MAX_SECONDS + " s: " + read(out));
      }
      return new Run(process.exitValue(), read(out));
    } finally {
      Files.delete(out);
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, UTF_8);
  }

  /**
   * How node ended.
   *
   * @param exit its status
   * @param out what it printed, complaints included
   */
  public record Run(int exit, String out) {}
}
