package dev.tamis.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own. */
final class ChildJvm {

  private static final long MAX_MINUTES = 20;

  private ChildJvm() {}

  /** Runs to the end and returns what was printed. */
  static String run(Path output, Map<String, String> environment, List<String> arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
    String printed = Files.readString(output);
    if (!ended || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          (ended ? "exit " + process.exitValue() : "too slow") + ": " + printed);
    }
    return printed;
  }
}
