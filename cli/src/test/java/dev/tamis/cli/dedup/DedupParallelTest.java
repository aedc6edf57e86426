package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output is the same, false positives and all, for any number of threads. */
class DedupParallelTest {

  private static final int LINES = 100_000;
  private static final int DISTINCT = 50_000;

  @TempDir Path directory;
  private Path file;
  private Path key;

  @BeforeEach
  void writeLines() throws IOException {
    StringBuilder lines = new StringBuilder();
    new SplittableRandom(1)
        .ints(LINES, 0, DISTINCT)
        .forEach(number -> lines.append("line,").append(number).append(",of many\n"));
    file = Files.writeString(directory.resolve("in"), lines.toString());
    key = directory.resolve("key"); // or each run would have its own false positives
    Cli.run("key new", key).ok();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-n 50k -p 0.2",
        "-n 50k -p 0.01",
        "-n 50k -p 5e-5",
        "-n 17k -p 0.05 --allow-overfull",
        "-p 0.2",
        "-p 0.01",
        "-p 5e-5",
        "-p 0.2 -d",
        "-n 50k -p 0.2 -t , -k 2 -i",
        "-m 64KiB --csv -k 1,2 --allow-overfull"
      })
  void theOutputDoesNotDependOnTheThreads(String options) {
    Result one = run(options, 1).ok();
    for (int threads : new int[] {2, 16}) {
      Result several = run(options, threads);
      assertThat(several.bytes()).isEqualTo(one.bytes());
      assertThat(withoutSeconds(several)).isEqualTo(withoutSeconds(one));
    }
  }

  @Test
  void aPipeThatGrowsGivesTheSame() throws IOException {
    byte[] input = Lines.numbers(0, 1_200_000); // a million fit in the first stage
    Result one = Cli.runOn(input, args("-p 0.2", 1).toArray());
    long lines = new String(one.bytes(), StandardCharsets.UTF_8).lines().count();
    assertThat(lines).isBetween(900_000L, 1_199_000L); // with false positives
    Result several = Cli.runOn(input, args("-p 0.2", 8).toArray());
    assertThat(several.bytes()).isEqualTo(one.bytes());
    assertThat(withoutSeconds(several)).isEqualTo(withoutSeconds(one));
  }

  @Test
  void theStateIsTheSameBytes() throws IOException {
    Path one = directory.resolve("one");
    Path several = directory.resolve("several");
    for (int run = 0; run < 2; run++) { // the second one continues
      Cli.run("dedup -q --parallel 1 -s", one, file).ok();
      Cli.run("dedup -q --parallel 8 -s", several, file).ok();
      assertThat(several).hasSameBinaryContentAs(one);
    }
  }

  @Test
  void theNumberOfThreadsHasLimits() {
    Cli.run("dedup --parallel", 65, file)
        .refused("tamis dedup: --parallel: must be from 1 to 64, got 65\n");
    Cli.runOn("a\na\n", "dedup --parallel", Dedup.ThreadOptions.MAX_THREADS).prints("a\n");
  }

  private Result run(String options, int threads) {
    List<Object> args = args(options, threads);
    args.add(file);
    return Cli.run(args.toArray());
  }

  private List<Object> args(String options, int threads) {
    List<Object> args = new ArrayList<>(List.of("dedup", "--key-file", key));
    args.addAll(Arrays.asList(options.split(" ", -1)));
    args.addAll(List.of("--parallel", threads));
    return args;
  }

  /** Returns the summary; what is warned of before says how far the run was. */
  private static String withoutSeconds(Result result) {
    String summary = result.err().substring(result.err().indexOf("lines="));
    return summary.replaceAll("seconds=.*", "");
  }
}
