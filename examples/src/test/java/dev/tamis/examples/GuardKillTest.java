package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.JvmCommand;
import dev.tamis.Race;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a program with a guard and a database at seeded steps, and starts it again. */
@Timeout(3_600)
class GuardKillTest {

  @TempDir Path directory;

  @Test
  void noRowIsDeniedAfterAnyOfEightKillsOfEachKind() {
    killBoth(8);
  }

  @Test
  @Tag("thorough")
  void noRowIsDeniedAfterAnyOfHundredsOfKillsOfEachKind() {
    killBoth(100);
  }

  /** The two kinds of guard side by side, because most of it is the start of a program. */
  private void killBoth(int kills) {
    Race.run(
        2,
        thread -> {
          int ready = kill(thread == 0 ? "plain" : "removable", kills, 1 + thread);
          // so that starts with a saved filter were among them, and starts without
          assertThat(ready).isBetween(1, kills - 1);
        });
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
    List<String> options = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    return new ProcessBuilder(
            JvmCommand.of(options, GuardedProgram.class, directory.resolve(kind), kind, seed))
        .redirectError(
            ProcessBuilder.Redirect.appendTo(new File(directory.toFile(), kind + ".err")))
        .start();
  }
}
