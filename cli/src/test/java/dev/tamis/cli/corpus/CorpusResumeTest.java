package dev.tamis.cli.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.tamis.cli.Cli;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CorpusResumeTest {

  private static final String OPTIONS = "--paragraphs --ngrams 5 -p 0.05 --overlap 0.4";

  @TempDir Path directory;

  @Test
  void aSecondRunContinuesWithWhatTheFirstHasSeen() throws IOException {
    Path in = directory.resolve("in");
    Corpora.write(in, 2, 300, 1);
    Path out = directory.resolve("out");
    JsonObject first = run(OPTIONS, out, in.resolve("part-0.jsonl")).jsonSummary();
    JsonObject both = run(OPTIONS, out, in).jsonSummary();
    JsonObject again = run(OPTIONS, out, in).jsonSummary();
    assertThat(first.get("records").getAsLong()).isEqualTo(300);
    assertThat(both.get("records").getAsLong()).isEqualTo(600);
    assertThat(again.get("repeats")).isEqualTo(both.get("repeats"));
    assertThat(again.get("expected_wrong_drops")).isEqualTo(both.get("expected_wrong_drops"));
    Path whole = directory.resolve("whole");
    run(OPTIONS, whole, in).ok();
    assertThat(Corpora.contents(out)).isEqualTo(Corpora.contents(whole));
  }

  @Test
  void otherOptionsAndChangedInputsAreRefused() throws IOException {
    Path in = directory.resolve("in");
    Corpora.write(in, 1, 10, 1);
    Path out = directory.resolve("out");
    run("--paragraphs", out, in).ok();
    run("--paragraphs --min-words 2", out, in).refused("...had other options: ...min-words=1...");
    Cli.run("corpus dedup --paragraphs -o", out, in).refused("...continue it with --resume...");
    Files.writeString(in.resolve("part-0.jsonl"), "{}\n");
    run("--paragraphs", out, in).refused("...has changed since it was finished...");
  }

  @Test
  void anEntryThatWasCutShortIsDoneAgain() throws IOException {
    Path in = directory.resolve("in");
    Corpora.write(in, 3, 200, 1);
    Path out = directory.resolve("out");
    Path whole = directory.resolve("whole");
    run(OPTIONS, whole, in).ok();
    run(OPTIONS, out, in.resolve("part-0.jsonl"), in.resolve("part-1.jsonl")).ok();
    Path journal = out.resolve(".tamis-corpus/journal");
    for (int lost : new int[] {1, 1000}) {
      try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
        file.setLength(file.length() - lost);
      }
      JsonObject summary = run(OPTIONS, out, in).jsonSummary();
      assertThat(summary.get("records").getAsLong()).isEqualTo(600);
      assertThat(Corpora.contents(out)).isEqualTo(Corpora.contents(whole));
    }
  }

  @Test
  @Timeout(600)
  @EnabledOnOs(value = OS.LINUX, disabledReason = "kills processes by signals")
  void killsLoseNoRecordAndWriteNoneTwice() throws Exception {
    kill(5);
  }

  @Test
  @Tag("thorough")
  @Timeout(3600)
  @EnabledOnOs(value = OS.LINUX, disabledReason = "kills processes by signals")
  void fortyKillsLoseNoRecordAndWriteNoneTwice() throws Exception {
    kill(40);
  }

  /** Kills this number of runs at random moments, then lets one finish. */
  private void kill(int kills) throws Exception {
    Path in = directory.resolve("in");
    Corpora.write(in, 4 * kills, 500, 3);
    Path whole = directory.resolve("whole");
    JsonObject expected = run(OPTIONS, whole, in).jsonSummary();
    Path out = directory.resolve("out");
    List<String> command = Cli.command("corpus dedup --resume -q " + OPTIONS + " -o", out, in);
    SplittableRandom random = new SplittableRandom(4);
    int killed = 0;
    long millis = 300;
    while (killed < kills) {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      if (process.waitFor(millis + random.nextLong(millis), TimeUnit.MILLISECONDS)) {
        assertThat(process.exitValue()).isZero(); // all done: from the start, and sooner
        clear(out);
        millis = Math.max(50, millis / 2);
      } else {
        process.destroyForcibly().waitFor();
        killed++;
        millis += 20;
      }
    }
    JsonObject summary = run(OPTIONS, out, in).jsonSummary();
    for (String count : List.of("records", "kept", "changed", "dropped", "repeats", "ngrams")) {
      assertThat(summary.get(count)).as(count).isEqualTo(expected.get(count));
    }
    Map<String, String> contents = Corpora.contents(out);
    assertThat(contents).hasSize(4 * kills).isEqualTo(Corpora.contents(whole));
  }

  private static void clear(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path each : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static Cli.Result run(String options, Path out, Path... inputs) {
    return Cli.run("corpus dedup --resume --json " + options + " -o", out, inputs);
  }
}
