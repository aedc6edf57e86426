package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.internal.TableResultInternal;
import org.apache.flink.table.utils.print.PrintStyle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    tables = environment(false);
  }

  private static TableEnvironment environment(boolean isStreaming) throws Exception {
    EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
    TableEnvironment environment =
        TableEnvironment.create(
            (isStreaming ? settings.inStreamingMode() : settings.inBatchMode())
                .withConfiguration(Jobs.client())
                .build());
    environment.getConfig().set("table.exec.resource.default-parallelism", "1");
    TamisTable.register(environment);
    return environment;
  }

  @Test
  void buildsTheFileThatOthersBuild() throws Exception {
    String fruit = built(KeyHasher.text(), "apple", "pear");
    String longs = built(KeyHasher.longs(), 7L);
    String ints = built(KeyHasher.ints(), 7);
    String binary = built(KeyHasher.bytes(), "apple".getBytes(StandardCharsets.UTF_8));
    assertThat(
            rows(
                "SELECT TAMIS_BUILD(k, 100, 0.01), TAMIS_BUILD(CAST(7 AS BIGINT), 100, 0.01),"
                    + " TAMIS_BUILD(7, 100, 0.01), TAMIS_BUILD(ENCODE('apple', 'UTF-8'), 100, 0.01)"
                    + " FROM "
                    + FRUIT))
        .containsExactly(List.of(fruit, longs, ints, binary));
  }

  @SafeVarargs
  private static <K> String built(KeyHasher<? super K> hasher, K... keys) {
    BloomFilter<K> filter = BloomFilter.create(new Stating<K>(hasher), 100, 0.01);
    for (K key : keys) {
      assertThat(filter.put(key)).isTrue();
    }
    return HexFormat.of().formatHex(filter.toByteArray());
  }

  /** A hasher whose filters state the type of their keys. */
  private record Stating<K>(KeyHasher<? super K> hasher) implements KeyHasher<K> {
    @Override
    public long hash(K key, HashFunction function) {
      return hasher.hash(key, function);
    }

    @Override
    public String rule() {
      return hasher.label().substring(0, 1);
    }
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
    assertThat(rows("SELECT COALESCE(k, 'null'), TAMIS_MIGHT_CONTAIN(f, k) FROM " + both))
        .containsExactlyInAnyOrder(
            List.of("apple", true), List.of("plum", false), List.of("null", false));
    BloomFilter<String> fruit = BloomFilter.create(KeyHasher.text(), 100, 0.0001);
    assertThat(fruit.put("plum")).isTrue();
    Path file = folder.resolve("fruit.tamis");
    FilterFile.save(file, fruit);
    assertThat(
            rows(
                "SELECT TAMIS_MIGHT_CONTAIN('"
                    + file
                    + "', k), TAMIS_MIGHT_CONTAIN(CAST(NULL AS BYTES), k) FROM "
                    + queried))
        .containsExactlyInAnyOrder(
            Arrays.asList(false, null), Arrays.asList(true, null), Arrays.asList(false, null));
  }

  @Test
  void unitesWhatSeveralTasksBuild() throws Exception {
    tables.getConfig().set("table.exec.resource.default-parallelism", "2");
    tables.getConfig().set("table.optimizer.agg-phase-strategy", "TWO_PHASE");
    Integer[] ints = new Integer[50];
    Arrays.setAll(ints, i -> i);
    String values = Arrays.toString(ints).replaceAll("[\\[\\]]", "");
    assertThat(query("SELECT TAMIS_BUILD(k, 100, 0.01) FROM (VALUES " + values + ") AS t(k)"))
        .containsExactly(built(KeyHasher.ints(), ints));
  }

  @Test
  void saysWhatIsWrongWithAKeyAFilterOrASize() {
    BuildFunction build = new BuildFunction();
    BuildAccumulator one = build.createAccumulator();
    assertThatThrownBy(() -> build.accumulate(one, "a", 0.0, 0.01))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("must be at least 1, got 0");
    build.accumulate(one, "a", 1.0, 0.01);
    assertThatThrownBy(() -> build.accumulate(one, "b", 2.0, 0.01))
        .hasMessageContaining("expectedKeys and fpp: must be the same in every row");
    MightContainFunction mightContain = new MightContainFunction();
    assertThatThrownBy(() -> mightContain.eval(new byte[] {1, 2, 3}, "a"))
        .hasMessageContaining("TAMIS_MIGHT_CONTAIN: ");
    assertThatThrownBy(() -> query("SELECT TAMIS_MIGHT_CONTAIN('/missing.tamis', k) FROM " + FRUIT))
        .satisfies(thrown -> assertThat(Jobs.messages(thrown)).contains("missing.tamis"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TAMIS_BUILD(k, 1.5, 0.01)           | expectedKeys must be a whole number, got 1.5
          TAMIS_BUILD(k, 0, 0.01)             | expectedKeys must be at least 1, got 0
          TAMIS_BUILD(k, '9', 0.01)           | expectedKeys: must be a whole number, got CHAR(1)
          TAMIS_BUILD(k, NULL, 0.01)          | Illegal use of 'NULL'
          TAMIS_BUILD(k, 9, 1)                | fpp must be
          TAMIS_BUILD(k, 9, NULL)             | Illegal use of 'NULL'
          TAMIS_BUILD(1.5, 9, 0.01)           | key: must be STRING, BIGINT, INT, SMALLINT, TINYINT
          TAMIS_MIGHT_CONTAIN(7, k)           | filter: must be BYTES, or STRING for the path
          TAMIS_MIGHT_CONTAIN('/f', DATE '2026-01-01') | key: must be STRING, BIGINT, INT, SMALLINT
          """)
  void refusesWrongArgumentsWhenAQueryIsPlanned(String call, String message) {
    assertThatThrownBy(() -> tables.explainSql("SELECT " + call + " FROM " + FRUIT))
        .satisfies(thrown -> assertThat(Jobs.messages(thrown)).contains(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          CAST(7 AS BIGINT) | 7                   | true
          CAST(7 AS BIGINT) | CAST(7 AS SMALLINT) | true
          7                 | CAST(7 AS TINYINT)  | true
          7                 | CAST(7 AS BIGINT)   | built from, INT, got BIGINT; use CAST
          '7'               | 7                   | built from, STRING, got INT; use CAST
          7                 | '7'                 | built from, INT, got STRING; use CAST
          """)
  void widensIntegersToTheTypeOfTheFilterAndRefusesOtherKeys(
      String built, String queried, String expected) throws Exception {
    String filter = "(SELECT TAMIS_BUILD(k, 9, 1e-6) FROM (VALUES " + built + ") AS t(k)) AS b(f)";
    String query = "SELECT TAMIS_MIGHT_CONTAIN(f, " + queried + ") FROM " + filter;
    if (expected.equals("true")) {
      assertThat(query(query)).containsExactly(true);
    } else {
      assertThatThrownBy(() -> query(query))
          .satisfies(thrown -> assertThat(Jobs.messages(thrown)).contains(expected));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void buildsAFilterOfExactlyTheKeysOfEachWindow(boolean isStreaming) throws Exception {
    TableEnvironment windows = environment(isStreaming);
    TableResult unused =
        windows.executeSql( // the key k is in the second k
            "CREATE TEMPORARY TABLE t (k BIGINT, ts AS CAST(TIMESTAMPADD(SECOND, CAST(k AS INT),"
                + " TIMESTAMP '2026-01-01 12:00:00') AS TIMESTAMP(3)), WATERMARK FOR ts AS ts)"
                + " WITH ('connector' = 'datagen', 'fields.k.kind' = 'sequence',"
                + " 'fields.k.start' = '0', 'fields.k.end' = '149', 'number-of-rows' = '150')");
    String build =
        "SELECT TAMIS_BUILD(k, 100, 0.01) FROM TABLE(%s(TABLE t, DESCRIPTOR(ts),"
            + " %s INTERVAL '1' MINUTE)) GROUP BY window_start, window_end";
    assertThat(rows(windows, String.format(Locale.ROOT, build, "TUMBLE", "")))
        .containsExactlyInAnyOrder(keys(0, 60), keys(60, 120), keys(120, 150));
    String hops = String.format(Locale.ROOT, build, "HOP", "INTERVAL '30' SECOND,");
    assertThat(rows(windows, hops))
        .containsExactlyInAnyOrder(
            keys(0, 30), keys(0, 60), keys(30, 90), keys(60, 120), keys(90, 150), keys(120, 150));
  }

  private static List<@Nullable Object> keys(long from, long to) {
    return List.of(
        built(KeyHasher.longs(), LongStream.range(from, to).boxed().toArray(Long[]::new)));
  }

  @Test
  void refusesKeysThatMayBeRetracted() throws Exception {
    TableEnvironment streaming = environment(true);
    String changing = "(SELECT MAX(k) AS k FROM " + FRUIT + ")";
    assertThatThrownBy(() -> streaming.executeSql("SELECT TAMIS_BUILD(k, 9, 0.1) FROM " + changing))
        .satisfies(
            thrown ->
                assertThat(Jobs.messages(thrown)).contains("method 'retract'", "TAMIS_BUILD"));
  }

  @Test
  void takesNumbersOfEveryType() throws Exception {
    String fruit = built(KeyHasher.text(), "apple", "pear");
    assertThat(
            rows(
                "SELECT TAMIS_BUILD(k, 1e2, 0.01), TAMIS_BUILD(k, 100.0, CAST(0.01 AS DOUBLE)),"
                    + " TAMIS_BUILD(k, CAST(100 AS SMALLINT), 1e-2), TAMIS_BUILD(NULL, 9, 0.1),"
                    + " TAMIS_BUILD(CAST(k AS CHAR(5)), 1e3, 0.1) IS NULL FROM "
                    + FRUIT))
        .containsExactly(Arrays.asList(fruit, fruit, fruit, null, false));
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

  private static List<@Nullable Object> query(String sql) {
    return rows(sql).stream().<@Nullable Object>map(row -> row.get(0)).toList();
  }

  /** Returns the rows, bytes in hexadecimal. */
  private static List<List<@Nullable Object>> rows(String sql) {
    return rows(tables, sql);
  }

  private static List<List<@Nullable Object>> rows(TableEnvironment environment, String sql) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    environment
        .executeSql(sql)
        .collect()
        .forEachRemaining(
            row -> {
              List<@Nullable Object> values = new ArrayList<>();
              for (int i = 0; i < row.getArity(); i++) {
                Object value = row.getField(i);
                values.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
              }
              rows.add(values);
            });
    return rows;
  }
}
