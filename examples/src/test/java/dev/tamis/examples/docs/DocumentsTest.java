package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java in the documents is compiled and run, and prints what they say. With {@code
 * -Dtamis.docs.write=true} the documents are brought up to date instead.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentsTest {

  private static final boolean WRITE = Boolean.getBoolean("tamis.docs.write");
  private static final int MAX_README_LINES = 199;
  private static final Path TOUR = Document.REPOSITORY.resolve("docs/tour.jsh");
  private static final Path HERE = Path.of("src/test/java/dev/tamis/examples/docs");

  /** The programs whose output the documents show, by the name of their file. */
  private static final Map<String, Transcript.Program> PROGRAMS =
      Map.of(
          "PrimerProgram.java", PrimerProgram::run,
          "ReadmeProgram.java", ReadmeProgram::run,
          "Tutorial.java", Tutorial::run);

  private final Map<Path, Map<String, String>> outputs = new HashMap<>();

  static List<Document> documents() throws IOException {
    return Document.all();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void showsTheSourcesAndWhatTheyPrint(Document document) throws Exception {
    String updated = document.updated(this::block);
    if (WRITE) {
      Files.writeString(document.path(), updated, UTF_8);
    } else {
      assertThat(document.text()).isEqualTo(updated);
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyBlockOfJavaComesFromASource(Document document) {
    assertThat(document.javaWithoutSource()).isEmpty();
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Document.read("README.md").text().lines())
        .hasSizeLessThanOrEqualTo(MAX_README_LINES);
  }

  @Test
  void theTourIsTheTutorial() throws IOException {
    String tour = Tour.script(Source.read(HERE.resolve("Tutorial.java")));
    if (WRITE) {
      Files.writeString(TOUR, tour, UTF_8);
    } else {
      assertThat(Files.readString(TOUR, UTF_8)).isEqualTo(tour);
    }
  }

  @Test
  void jshellPrintsWhatTheTutorialPrints() throws Exception {
    Tour.assumeInstalled();
    assertThat(Tour.printed(TOUR)).isEqualTo(String.join("", outputsOf("Tutorial.java").values()));
  }

  private String block(boolean printed, Path file, String region, boolean withImports)
      throws Exception {
    if (printed) {
      String output = outputsOf(file.getFileName().toString()).get(region);
      if (output == null) {
        throw new IllegalStateException(file + " ends no region " + region);
      }
      return output;
    }
    Source source = Source.read(file);
    String text = source.region(region);
    return withImports ? source.importsFor(text) + "\n\n" + text : text;
  }

  private Map<String, String> outputsOf(String name) throws Exception {
    Path file = HERE.resolve(name);
    Map<String, String> known = outputs.get(file);
    if (known == null) {
      Transcript.Program program = PROGRAMS.get(name);
      if (program == null) {
        throw new IllegalStateException(name + " is not among the programs of DocumentsTest");
      }
      known = Transcript.of(program);
      outputs.put(file, known);
    }
    return known;
  }
}
