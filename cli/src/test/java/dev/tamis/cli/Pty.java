package dev.tamis.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A pseudo terminal, made by {@code script} of util-linux. */
public final class Pty {

  private Pty() {}

  /** Skips the test where the program {@code script} is missing. */
  static void assumeOne() throws IOException, InterruptedException {
    Process version =
        new ProcessBuilder("sh", "-c", "script --version | grep -q util-linux").start();
    assumeTrue(version.waitFor() == 0, "script of util-linux is not installed");
  }

  /** Starts a shell command on one, with {@code tamis} on its path; skips the test without one. */
  public static Process start(Path directory, String command)
      throws IOException, InterruptedException {
    assumeOne();
    TamisOnPath.in(directory);
    ProcessBuilder builder =
        new ProcessBuilder("env", "--default-signal=INT", "script", "-qec", command, "/dev/null")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
    builder.environment().putAll(Map.of("SHELL", "/bin/bash", "COLUMNS", "100"));
    return builder.start();
  }

  /** Returns the lines of a screen on which this was printed. */
  public static List<String> show(String printed) {
    List<String> screen = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int column = 0;
    for (int i = 0; i < printed.length(); i++) {
      char c = printed.charAt(i);
      if (c == '\r') {
        column = 0;
      } else if (c == '\n') {
        screen.add(line.toString().stripTrailing());
        line.setLength(0);
        column = 0;
      } else {
        line.replace(column, Math.min(column + 1, line.length()), String.valueOf(c));
        column++;
      }
    }
    if (!line.isEmpty()) {
      screen.add(line.toString().stripTrailing());
    }
    return screen;
  }
}
