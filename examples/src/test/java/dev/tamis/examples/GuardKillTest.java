package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a program with a guard and a database at seeded steps, and starts it again. */
@Timeout(3_600)
class GuardKillTest {

  @TempDir Path directory;

  @Test
  void noRowIsDeniedAfterAnyOfEightKillsOfEachKind() throws Exception {
    killBoth(8);
  }

  @Test
  @Tag("thorough")
  void noRowIsDeniedAfterAnyOfHundredsOfKillsOfEachKind() throws Exception {
    killBoth(100);
  }

  /** The two kinds of guard side by side, because most of it is the start of a program. */
  private void killBoth(int kills) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> readyStarts =
          threads.invokeAll(
              List.of(() -> kill("plain", kills, 1), () -> kill("removable", kills, 2)));
      for (Future<Integer> ready : readyStarts) {
        // so that starts with a saved filter were among them, and starts without
        assertThat(ready.get()).isBetween(1, kills - 1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns how many starts found a filter that they could use. */
  private int kill(String kind, int kills, long seed) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    int ready = 0;
    for (int round = 0; round < kills; round++) {
      Process process = start(kind, random.nextLong());
      int steps = 1 + random.nextInt(80);
      try (BufferedReader lines = process.inputReader(UTF_8)) {
        String first = lines.readLine();
        assertThat(first).as("start %s of the %s guard", round, kind).startsWith("started ");
        ready += first.equals("started READY") ? 1 : 0;
        String line = "step";
        for (int step = 0; step < steps && line != null; step++) {
          line = lines.readLine();
          assertThat(line).isIn("step", null);
        }
        if (line == null) { // it has ended by itself
          assertThat(process.waitFor()).isZero();
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    return ready;
  }

  private Process start(String kind, long seed) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            GuardedProgram.class.getName(),
            directory.resolve(kind).toString(),
            kind,
            Long.toString(seed))
        .redirectError(
            ProcessBuilder.Redirect.appendTo(new File(directory.toFile(), kind + ".err")))
        .start();
  }
}
