package dev.tamis.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Messages;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Somebody who knows the program chooses lines that hide another one. */
class ChosenLinesTest {

  private static final String VICTIM = "/important.html";
  private static final int KEYS = 30;
  private static final double FPP = 0.1;
  private static final int RUNS = 40;

  @Test
  void hideALineNoMoreOftenThanByChance() {
    String input = String.join("\n", hiding()) + "\n" + VICTIM + "\n";
    long hidden =
        IntStream.range(0, RUNS)
            .filter(
                run ->
                    !Cli.runOn(input, "dedup -q -n", KEYS, "-p", FPP).out().endsWith(VICTIM + "\n"))
            .count();
    // 4 are expected; before lines were hashed under a key of the run, all 40 were hidden
    assertThat(hidden).isLessThan(RUNS / 2);
  }

  @Test
  void theTableOfExactDedupHasAKeyOfEachRun() throws IOException {
    assertThat(keyFile().privateFunction().hashLong(1))
        .isNotEqualTo(keyFile().privateFunction().hashLong(1))
        .isNotEqualTo(keyFile().function().hashLong(1));
  }

  @Test
  void filterAndTableOfARunHaveOneKey() throws IOException {
    KeyFile file = keyFile();
    assertThat(file.privateHasher()).isSameAs(file.privateHasher());
  }

  private static KeyFile keyFile() {
    return new KeyFile(new Messages(System.err, List.of()));
  }

  /** Returns lines that make the public hash report the victim. */
  private static List<String> hiding() {
    for (int attempt = 0; ; attempt++) {
      int first = attempt * KEYS;
      List<String> lines =
          IntStream.range(first, first + KEYS).mapToObj(i -> "/page-" + i + ".html").toList();
      BloomFilter<CharSequence> filter = BloomFilter.create(KeyHasher.text(), KEYS, FPP);
      for (String line : lines) {
        boolean unused = filter.put(line);
      }
      if (filter.mightContain(VICTIM)) {
        return lines;
      }
    }
  }
}
