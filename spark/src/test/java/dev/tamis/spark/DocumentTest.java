package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.file.FilterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The queries of docs/spark.md run, and print what the document shows. With {@code
 * -Dtamis.docs.write=true} the document is brought up to date instead.
 */
class DocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/spark.md");
  private static final Pattern QUERIES =
      Pattern.compile("```sql\n(?<queries>.*?)```\n\n```text\n(?<tables>.*?)```", Pattern.DOTALL);

  /** The evaluation set of the document, a filter of {@code tamis corpus build --ngrams 13}. */
  private static final String QUESTION =
      "Which river is the longest of those that end in the sea to the north of the town?";

  @TempDir Path folder;

  @Test
  void queriesPrintWhatTheDocumentShows() throws IOException {
    Path eval = folder.resolve("eval.tamis");
    FilterFile.save(eval, TextOverlapTest.ribbon("--ngrams 13", List.of(QUESTION)));
    String text = Files.readString(DOCUMENT);
    assertThat(text.split("```sql", -1)).hasSize(1 + (int) QUERIES.matcher(text).results().count());
    SparkSession session = LocalSpark.session().newSession();
    TamisSpark.register(session);

    String updated =
        QUERIES
            .matcher(text)
            .replaceAll(
                found -> {
                  String queries = found.group(1);
                  return "```sql\n"
                      + queries
                      + "```\n\n```text\n"
                      + printed(session, queries.replace("eval.tamis", eval.toString()))
                      + "```";
                });
    if (Boolean.getBoolean("tamis.docs.write")) {
      Files.writeString(DOCUMENT, updated);
    } else {
      assertThat(text).isEqualTo(updated);
    }
  }

  private static String printed(SparkSession session, String queries) {
    StringBuilder printed = new StringBuilder();
    for (String query : queries.split(";\n", -1)) {
      if (!query.isBlank()) {
        Dataset<?> rows = (Dataset<?>) session.sql(query);
        if (rows.columns().length > 0) {
          printed.append(rows.showString(20, 0, false).stripTrailing()).append('\n');
        }
      }
    }
    return printed.toString();
  }
}
