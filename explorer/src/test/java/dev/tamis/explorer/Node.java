package dev.tamis.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code node} in the folder of the page. */
public final class Node {

  private static final Path FOLDER = Path.of("..", "explorer");

  /** Stands for an empty standard input. */
  static final Path NO_INPUT = FOLDER;

  /** What npm writes last. */
  private static final Path INSTALLED = FOLDER.resolve("node_modules/.package-lock.json");

  private static final long MAX_SECONDS = 300;

  private Node() {}

  /** Skips a test unless Node.js and the packages of the page are installed. */
  public static void assumeInstalled() throws IOException, InterruptedException {
    assumeTrue(isPresent(), "Node.js 20 or newer is installed");
    assumeTrue(hasPackages(), "the packages of the page are installed: npm ci --prefix explorer");
  }

  /** Returns whether there is a Node.js with a test runner and {@code Blob}. */
  static boolean isPresent() throws IOException, InterruptedException {
    String check = "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)";
    return run(NO_INPUT, List.of("-e", check)).exit() == 0;
  }

  /** Installs the packages of the page if they are absent or outdated; returns its success. */
  static boolean installPackages() throws IOException, InterruptedException {
    if (!hasPackages()) {
      // gives up soon if there is no network
      String options = "--no-audit --no-fund --fetch-retries=0 --fetch-timeout=60000";
      execute(NO_INPUT, "npm", List.of(("ci " + options).split(" ")));
    }
    return hasPackages();
  }

  private static boolean hasPackages() throws IOException {
    Path list = FOLDER.resolve("package-lock.json");
    return Files.exists(INSTALLED)
        && Files.getLastModifiedTime(INSTALLED).compareTo(Files.getLastModifiedTime(list)) >= 0;
  }

  /**
   * Runs node with a standard input.
   *
   * @param input a file, or a folder for an empty input
   */
  public static Run run(Path input, List<String> arguments)
      throws IOException, InterruptedException {
    return execute(input, "node", arguments);
  }

  private static Run execute(Path input, String program, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    Path out = Files.createTempFile("node", ".out");
    ProcessBuilder builder = new ProcessBuilder(command).directory(FOLDER.toFile());
    if (Files.isRegularFile(input)) {
      builder.redirectInput(input.toAbsolutePath().toFile());
    }
    try {
      Process process;
      try {
        process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
      } catch (IOException e) {
        return new Run(127, program + " was not found: " + e.getMessage());
      }
      process.getOutputStream().close();
      boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
      int exit = ended ? process.exitValue() : process.destroyForcibly().waitFor();
      return new Run(exit, Files.readString(out, UTF_8));
    } finally {
      Files.delete(out);
    }
  }

  /**
   * How a program ended.
   *
   * @param exit its status, above 0 if it was not found or ran for more than five minutes
   * @param out what it printed to standard output and standard error
   */
  public record Run(int exit, String out) {}
}
