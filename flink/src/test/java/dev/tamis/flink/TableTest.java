package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.internal.TableResultInternal;
import org.apache.flink.table.utils.print.PrintStyle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The functions for SQL, in queries. */
@Timeout(180)
class TableTest {

  private static final String FRUIT =
      "(VALUES ('apple'), ('pear'), (CAST(NULL AS STRING))) AS t(k)";

  private static final Pattern DOCUMENTED =
      Pattern.compile("```sql\n(.*?)```\n\n```text\n(.*?)```", Pattern.DOTALL);

  @TempDir private static Path folder;

  private static TableEnvironment tables;

  @BeforeAll
  static void start() throws Exception {
    tables =
        TableEnvironment.create(
            EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(Jobs.client())
                .build());
    TamisTable.register(tables);
  }

  @Test
  void buildsTheFileThatOthersBuild() throws Exception {
    BloomFilter<String> fruit = BloomFilter.create(KeyHasher.text(), 100, 0.01);
    assertThat(fruit.put("apple") && fruit.put("pear")).isTrue();
    assertThat(query("SELECT TAMIS_BUILD(k, 100, 0.01) FROM " + FRUIT))
        .containsExactly(bytes(fruit));
    BloomFilter<Long> longs = BloomFilter.create(KeyHasher.longs(), 100, 0.01);
    assertThat(longs.put(7L)).isTrue();
    assertThat(query("SELECT TAMIS_BUILD(k, 100, 0.01) FROM (VALUES CAST(7 AS BIGINT)) AS t(k)"))
        .containsExactly(bytes(longs));
    BloomFilter<Integer> ints = BloomFilter.create(KeyHasher.ints(), 100, 0.01);
    assertThat(ints.put(7)).isTrue();
    assertThat(query("SELECT TAMIS_BUILD(k, 100, 0.01) FROM (VALUES 7) AS t(k)"))
        .containsExactly(bytes(ints));
    BloomFilter<byte[]> binary = BloomFilter.create(KeyHasher.bytes(), 100, 0.01);
    assertThat(binary.put("apple".getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(query("SELECT TAMIS_BUILD(ENCODE('apple', 'UTF-8'), 100, 0.01)"))
        .containsExactly(bytes(binary));
  }

  @Test
  void buildsOneFilterForEachGroupAndNullWhereThereAreNoKeys() throws Exception {
    List<@Nullable Object> filters =
        query(
            "SELECT TAMIS_BUILD(k, 10, 0.01) FROM (VALUES (1, 'a'), (1, 'b'), (2, 'c'),"
                + " (3, CAST(NULL AS STRING))) AS t(g, k) GROUP BY g ORDER BY g");
    assertThat(filters).hasSize(3);
    assertThat(filters.get(0)).isNotEqualTo(filters.get(1)).isNotNull();
    assertThat(filters.get(2)).isNull();
  }

  @Test
  void queriesFiltersThatWereBuiltOrAreInAFile() throws Exception {
    String queried = "(VALUES ('apple'), ('plum'), (CAST(NULL AS STRING))) AS q(k)";
    String built = "(SELECT TAMIS_BUILD(k, 100, 0.0001) AS f FROM " + FRUIT + ")";
    String both = queried + ", " + built;
    assertThat(query("SELECT k FROM " + both + " WHERE TAMIS_MIGHT_CONTAIN(f, k)"))
        .containsExactly("apple");
    assertThat(query("SELECT k FROM " + both + " WHERE NOT TAMIS_MIGHT_CONTAIN(f, k)"))
        .containsExactlyInAnyOrder("plum", null);
    BloomFilter<String> fruit = BloomFilter.create(KeyHasher.text(), 100, 0.0001);
    assertThat(fruit.put("plum")).isTrue();
    Path file = folder.resolve("fruit.tamis");
    FilterFile.save(file, fruit);
    assertThat(query("SELECT TAMIS_MIGHT_CONTAIN('" + file + "', k) FROM " + queried))
        .containsExactlyInAnyOrder(false, true, false);
    assertThat(query("SELECT TAMIS_MIGHT_CONTAIN(CAST(NULL AS BYTES), k) FROM " + queried))
        .containsExactly(null, null, null);
  }

  @Test
  void unitesWhatSeveralTasksBuild() throws Exception {
    tables.getConfig().set("table.exec.resource.default-parallelism", "2");
    tables.getConfig().set("table.optimizer.agg-phase-strategy", "TWO_PHASE");
    BloomFilter<Integer> ints = BloomFilter.create(KeyHasher.ints(), 1000, 0.01);
    StringBuilder values = new StringBuilder("0");
    for (int i = 0; i < 500; i++) {
      boolean unused = ints.put(i);
      values.append(", ").append(i);
    }
    assertThat(query("SELECT TAMIS_BUILD(k, 1000, 0.01) FROM (VALUES " + values + ") AS t(k)"))
        .containsExactly(bytes(ints));
  }

  @Test
  void saysWhatIsWrongWithAKeyAFilterOrASize() {
    assertFails(
        "SELECT TAMIS_BUILD(k, 100, 0.01) FROM (VALUES 1.5) AS t(k)",
        "key: must be of type STRING, BIGINT, INT or BYTES, got a BigDecimal; use CAST");
    assertFails("SELECT TAMIS_BUILD(k, 0, 0.01) FROM " + FRUIT, "must be at least 1, got 0");
    assertFails(
        "SELECT TAMIS_BUILD(k, n, 0.01) FROM (VALUES ('a', 1), ('b', 2)) AS t(k, n)",
        "expectedKeys and fpp: must be the same in every row");
    assertFails("SELECT TAMIS_MIGHT_CONTAIN(x'010203', k) FROM " + FRUIT, "TAMIS_MIGHT_CONTAIN: ");
    assertFails("SELECT TAMIS_MIGHT_CONTAIN('/missing.tamis', k) FROM " + FRUIT, "missing.tamis");
  }

  /** With {@code -Dtamis.docs.write=true} the document is brought up to date instead. */
  @Test
  void queriesOfTheDocumentPrintWhatItShows() throws Exception {
    BloomFilter<String> blocked = BloomFilter.create(KeyHasher.text(), 1000, 0.01);
    assertThat(blocked.put("eve@example.org")).isTrue();
    FilterFile.save(folder.resolve("blocked.tamis"), blocked);
    Path document = Path.of("../docs/flink.md");
    String text = Files.readString(document);
    Matcher block = DOCUMENTED.matcher(text);
    assertThat(block.find()).isTrue();
    String updated =
        text.substring(0, block.start(2))
            + printed(block.group(1).replace("/data/", folder + "/"))
            + text.substring(block.end(2));
    if (Boolean.getBoolean("tamis.docs.write")) {
      Files.writeString(document, updated);
    }
    assertThat(Files.readString(document)).isEqualTo(updated);
  }

  private static String printed(String statements) {
    StringWriter printed = new StringWriter();
    for (String statement : statements.split(";\n", -1)) {
      if (statement.strip().startsWith("SELECT")) {
        TableResultInternal result = (TableResultInternal) tables.executeSql(statement);
        PrintStyle.tableauWithDataInferredColumnWidths(
                result.getResolvedSchema(), result.getRowDataToStringConverter())
            .print(result.collectInternal(), new PrintWriter(printed));
      } else if (!statement.isBlank()) {
        TableResult unused = tables.executeSql(statement);
      }
    }
    return printed.toString();
  }

  private static void assertFails(String sql, String message) {
    assertThatThrownBy(() -> query(sql))
        .satisfies(thrown -> assertThat(Jobs.messages(thrown)).contains(message));
  }

  /** Returns the first column, bytes in hexadecimal. */
  private static List<@Nullable Object> query(String sql) {
    List<@Nullable Object> values = new ArrayList<>();
    tables
        .executeSql(sql)
        .collect()
        .forEachRemaining(
            row -> {
              Object value = row.getField(0);
              values.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
            });
    return values;
  }

  private static String bytes(BloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    filter.writeTo(bytes);
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
