package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {

  @TempDir Path folder;

  @Test
  void onlyWhatIsBetweenTheMarkersIsReplaced() throws IOException {
    Path file = document("before\n" + Document.BEGIN + "\nold\n" + Document.END + "\nafter\n");
    Document.replace(file, "new\n");
    Document.replace(file, "newer\n");
    assertThat(file)
        .hasContent("before\n" + Document.BEGIN + "\n\nnewer\n\n" + Document.END + "\nafter\n");
  }

  @Test
  void aDocumentWithoutOnePairOfMarkersIsLeftAlone() throws IOException {
    for (String text :
        new String[] {
          "none",
          Document.BEGIN,
          Document.END + Document.BEGIN,
          Document.BEGIN + Document.BEGIN + Document.END
        }) {
      Path file = document(text);
      assertThatThrownBy(() -> Document.replace(file, "new"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("must have the line " + Document.BEGIN);
      assertThat(file).hasContent(text);
    }
  }

  @Test
  void theDocumentOfThisProjectHasThem() throws IOException {
    Path file = Path.of("../docs/benchmarks.md");
    Path copy = document(Files.readString(file, UTF_8));
    Document.replace(copy, "new");
    assertThat(Files.readString(copy, UTF_8)).contains(Document.BEGIN + "\n\nnew\n\n");
  }

  private Path document(String text) throws IOException {
    return Files.writeString(folder.resolve("document.md"), text, UTF_8);
  }
}
