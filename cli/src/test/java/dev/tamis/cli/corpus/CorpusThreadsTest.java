package dev.tamis.cli.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output is the same, false positives and all, for any number of threads. */
class CorpusThreadsTest {

  @TempDir Path directory;

  private Path in;

  @BeforeEach
  void writeTexts() throws IOException {
    in = directory.resolve("in");
    Corpora.write(in, 3, 5000, 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-p 0.1",
        "--paragraphs -p 0.2",
        "--paragraphs --ngrams 5 -p 0.3 --overlap 0.3",
        "--ngrams 13 -n 500k --overlap 0.2",
        "--paragraphs --normalize lower,punct --annotate a -p 0.1"
      })
  void theOutputDoesNotDependOnTheThreads(String options) throws IOException {
    Map<String, String> one = run(options, 1);
    assertThat(one).hasSize(3);
    for (int threads : new int[] {2, 3, 16}) {
      assertThat(run(options, threads)).as("%d threads", threads).isEqualTo(one);
    }
  }

  /** bff's threads, each with a file, check and then insert: both copies stay. */
  @Test
  void aTextThatIsInTwoFilesStaysInTheFirstAlone() throws IOException {
    Path twice = directory.resolve("twice");
    Corpora.write(twice, 1, 5000, 2);
    Files.copy(twice.resolve("part-0.jsonl"), twice.resolve("part-1.jsonl"));
    Path out = directory.resolve("out");
    Cli.run("corpus dedup -q --ngrams 3 --min-words 1 --parallel 16 -o", out, twice).ok();
    assertThat(out.resolve("part-0.jsonl")).isNotEmptyFile();
    assertThat(out.resolve("part-1.jsonl")).isEmptyFile();
  }

  /** With --resume the hash is public, or each run would have its own false positives. */
  private Map<String, String> run(String options, int threads) throws IOException {
    Path out = directory.resolve(options.hashCode() + "-" + threads);
    Cli.run("corpus dedup -q --resume " + options + " --parallel " + threads + " -o", out, in).ok();
    return Corpora.contents(out);
  }
}
