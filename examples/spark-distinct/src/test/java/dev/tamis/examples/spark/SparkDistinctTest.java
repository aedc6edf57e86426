package dev.tamis.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkDistinctTest {

  @TempDir private Path folder;

  @Test
  void writesEachLineOnce() throws Exception {
    Path links = Path.of("../links.txt");
    List<String> lines = Files.readAllLines(links);
    Path output = folder.resolve("distinct");
    SparkSession spark =
        SparkDistinct.local().config("spark.sql.shuffle.partitions", 4).getOrCreate();

    SparkDistinct.Summary summary = SparkDistinct.run(spark, links.toString(), output.toString());

    TreeSet<String> unique = new TreeSet<>(lines);
    assertThat(written(output)).containsExactlyInAnyOrderElementsOf(unique);
    assertThat(summary)
        .hasToString(
            "lines="
                + lines.size()
                + " unique="
                + unique.size()
                + " duplicates="
                + (lines.size() - unique.size()));
  }

  private static List<String> written(Path output) throws IOException {
    try (Stream<Path> parts = Files.list(output)) {
      return parts
          .filter(path -> path.getFileName().toString().startsWith("part-"))
          .flatMap(SparkDistinctTest::lines)
          .toList();
    }
  }

  private static Stream<String> lines(Path path) {
    try {
      return Files.readAllLines(path).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
