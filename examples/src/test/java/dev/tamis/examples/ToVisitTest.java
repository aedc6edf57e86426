package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToVisitTest {

  @TempDir private Path directory;

  @Test
  void eachRunGoesOnWhereTheLastOneEnded() throws IOException {
    List<String> first = run();
    assertThat(first)
        .hasSize(4)
        .startsWith(
            "visit https://www.python.org/",
            "visit https://docs.python.org/3.11/contents.html",
            "visit https://docs.python.org/3.11/tutorial/appendix.html")
        .last()
        .asString()
        .contains("pushed=9026", "delivered=3");
    assertThat(run())
        .hasSize(4)
        .doesNotContainAnyElementsOf(first)
        .last()
        .asString()
        .contains("pushed=18052", "delivered=6");
  }

  private List<String> run() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ToVisit.run(Path.of("links.txt"), directory, new PrintStream(printed, true, UTF_8));
    return printed.toString(UTF_8).lines().toList();
  }
}
