package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeersRunTest {

  @TempDir Path folder;

  @Test
  void onlyWhatIsBetweenTheMarkersIsReplaced() throws IOException {
    Path file = document("before\n" + PeersRun.BEGIN + "\nold\n" + PeersRun.END + "\nafter\n");
    PeersRun.replace(file, "new\n");
    PeersRun.replace(file, "newer\n");
    assertThat(file)
        .hasContent("before\n" + PeersRun.BEGIN + "\n\nnewer\n\n" + PeersRun.END + "\nafter\n");
  }

  @Test
  void aDocumentWithoutOnePairOfMarkersIsLeftAlone() throws IOException {
    for (String text :
        new String[] {
          "none",
          PeersRun.BEGIN,
          PeersRun.END + PeersRun.BEGIN,
          PeersRun.BEGIN + PeersRun.BEGIN + PeersRun.END
        }) {
      Path file = document(text);
      assertThatThrownBy(() -> PeersRun.replace(file, "new"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("must have the line " + PeersRun.BEGIN);
      assertThat(file).hasContent(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../docs/benchmarks.md", "TARGETS.md"})
  void theDocumentsOfThisProjectHaveThem(String file) throws IOException {
    Path copy = document(Files.readString(Path.of(file), UTF_8));
    PeersRun.replace(copy, "new");
    assertThat(Files.readString(copy, UTF_8)).contains(PeersRun.BEGIN + "\n\nnew\n\n");
  }

  private Path document(String text) throws IOException {
    return Files.writeString(folder.resolve("document.md"), text, UTF_8);
  }
}
