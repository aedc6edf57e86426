package dev.tamis.examples.figures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.filter.BloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The figures in docs/figures are those that the program draws. */
class FiguresTest {

  private static final Path DOCUMENTS = Path.of("..", "docs");

  @Test
  void drawnAgainTheyHaveTheSameBytes() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> figures = Files.list(DOCUMENTS.resolve("figures"))) {
      for (Path figure : figures.toList()) {
        files.put(figure.getFileName().toString(), Files.readString(figure, UTF_8));
      }
    }
    assertThat(files)
        .as("run DrawFigures after a change of a formula or of docs/benchmarks.md")
        .isEqualTo(DrawFigures.all(DOCUMENTS));
  }

  @Test
  void everyColorHasAnotherForDarkPages() throws IOException {
    Pattern colors = Pattern.compile("(fill|stroke)=\"(#[0-9a-f]+)\"");
    DrawFigures.all(DOCUMENTS)
        .forEach(
            (name, figure) ->
                assertThat(colors.matcher(figure).results())
                    .as(name)
                    .isNotEmpty()
                    .allMatch(
                        use ->
                            figure.contains("[" + use.group(1) + "='" + use.group(2) + "'] { ")));
  }

  @Test
  void theTinyFilterAnswersAsThePictureSays() {
    BloomFilter<String> filter = TinyFilter.filled();
    assertThat(TinyFilter.KEYS).allMatch(filter::mightContain);
    assertThat(filter.mightContain(TinyFilter.MISS)).isFalse();
    assertThat(filter.mightContain(TinyFilter.FALSE_POSITIVE)).isTrue();
    assertThat(filter.fillState().setBits()).isEqualTo(9);
  }

  @Test
  void theGainIsThatOfTheReadsThatAreLeft() {
    assertThat(FppCharts.gain(0.8, 0.01, 1e-3, 0)).isCloseTo(1 / 0.208, within(1e-9));
    assertThat(FppCharts.gain(0, 0.01, 1e-3, 1e-3)).isCloseTo(0.5, within(1e-9));
    assertThat(IntStream.rangeClosed(0, 10).mapToDouble(i -> FppCharts.gain(i / 10.0, 0, 1, 0)))
        .isSorted();
  }
}
