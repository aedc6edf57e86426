package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The functions of SQL, as a session of SQL meets them. */
class SqlTest {

  private static final SparkSession SPARK = LocalSpark.session();

  /** The arguments of a query of bigints. */
  private static final String LONGS = "(SELECT tamis_build(id, 3000, 0.01) FROM visits), ";

  @BeforeAll
  static void register() {
    TamisSpark.register(SPARK);
    SPARK
        .range(0, 3_000, 1, 3)
        .selectExpr("id", "CAST(id AS INT) AS number", "concat('url ', id) AS url", "id % 3 AS day")
        .createOrReplaceTempView("visits");
    SPARK
        .sql("SELECT day, tamis_build(url, 1000, 0.01) AS filter FROM visits GROUP BY day")
        .createOrReplaceTempView("filters");
  }

  @Test
  void buildsTheFilterOfTheApi() {
    byte[] built = bytes("SELECT tamis_build(url, 3000, 0.01) FROM visits");
    BloomFilter<CharSequence> expected =
        TamisSpark.filter(SPARK.table("visits"), KeyColumns.text("url"), 3_000, 0.01);
    assertThat(OpenedFilter.read(built)).isEqualTo(expected);
    assertThat(OpenedFilter.hashed(built).hasher().keyType()).isEqualTo("t");

    byte[] fields = bytes("SELECT tamis_build(struct(url, id), 3000, 1e-5) FROM visits");
    assertThat(OpenedFilter.read(fields))
        .isEqualTo(
            TamisSpark.filter(
                SPARK.table("visits"),
                KeyColumns.fields(KeyColumns.text("url"), KeyColumns.longs("id")),
                3_000,
                1e-5));
    assertThat(OpenedFilter.hashed(fields).hasher().keyType()).isEqualTo("(tl)");
  }

  @Test
  void integersAreWidenedToTheKeysOfTheFilter() {
    for (String key : List.of("id", "number", "CAST(id % 128 AS TINYINT)", "SMALLINT(id)", "7")) {
      assertThat(rows("SELECT count(*) FROM visits WHERE tamis_might_contain(" + LONGS + key + ")"))
          .as(key)
          .containsExactly("[3000]");
    }
    assertThat(
            rows(
                "SELECT count(*) FROM visits WHERE tamis_might_contain((SELECT"
                    + " tamis_build(SMALLINT(id), 3000, 0.01) FROM visits), id)"))
        .containsExactly("[3000]");
    assertThat(
            rows(
                "SELECT count(*) FROM visits WHERE tamis_might_contain((SELECT"
                    + " tamis_build(struct(id, url), 3000, 0.01) FROM visits), struct(number,"
                    + " url))"))
        .containsExactly("[3000]");
  }

  @Test
  void keysOfAnotherTypeAreRefused() {
    assertMessage("SELECT tamis_might_contain(" + LONGS + "url) FROM visits")
        .hasStackTraceContaining(
            "tamis_might_contain: key: must be of type bigint, as the filter's keys are, got"
                + " string; cast it");
    assertMessage("SELECT tamis_might_contain(filter, day) FROM filters")
        .hasStackTraceContaining("must be of type string, as the filter's keys are, got bigint");
    assertMessage(
            "SELECT tamis_might_contain((SELECT tamis_build(number, 10, 0.1) FROM visits), id) FROM"
                + " visits")
        .hasStackTraceContaining("must be of type int, as the filter's keys are, got bigint");
    assertMessage(
            "SELECT tamis_might_contain((SELECT tamis_build(struct(id, url), 10, 0.1) FROM visits),"
                + " struct(url, id)) FROM visits")
        .hasStackTraceContaining("must be of type struct<_1:bigint,_2:string>, as the filter's");
    assertMessage(
            "SELECT tamis_merge(f) FROM (SELECT tamis_build(id, 1000, 0.01) AS f FROM visits UNION"
                + " ALL SELECT filter FROM filters)")
        .hasStackTraceContaining("the two are not compatible: type of keys differs: ");
    String literal = literal(bytes("SELECT tamis_build(id, 10, 0.01) FROM visits"));
    assertAnalysis("SELECT tamis_might_contain(" + literal + ", url) FROM visits")
        .hasMessageContaining("must be of type bigint, as the filter's keys are, got string");
  }

  /** Filters of other programs state no type, and do not lose that of the others. */
  @Test
  void mergedKeysAreOfTheStatedType() {
    byte[] plain =
        TamisSpark.filter(SPARK.table("visits"), KeyColumns.text("url"), 1_000, 0.01).toByteArray();
    assertThat(
            rows("SELECT count_if(tamis_might_contain(" + literal(plain) + ", url)) FROM visits"))
        .containsExactly("[3000]");
    byte[] merged =
        bytes(
            "SELECT tamis_merge(f) FROM (SELECT "
                + literal(plain)
                + " AS f UNION ALL SELECT filter FROM filters)");
    assertThat(OpenedFilter.hashed(merged).hasher().keyType()).isEqualTo("t");
  }

  private static String literal(byte[] filter) {
    return "X'" + HexFormat.of().formatHex(filter) + "'";
  }

  @Test
  void aFilterForEachColumnOfAPivot() {
    assertThat(
            rows(
                "SELECT tamis_count(`0`), tamis_count(`1`) FROM (SELECT day, id FROM visits WHERE"
                    + " id < 20) PIVOT (tamis_build(id, 1000, 0.001) FOR day IN (0, 1))"))
        .containsExactly("[7,7]");
  }

  @Test
  void functionsAreDescribed() {
    assertThat(rows("DESCRIBE FUNCTION tamis_merge"))
        .contains(
            "[Usage: tamis_merge(filter) - Returns the filters or sketches of a group merged.]");
  }

  @Test
  void queriesAFilterFromASubquery() {
    assertThat(
            rows(
                "SELECT url FROM visits WHERE tamis_might_contain((SELECT tamis_build(url, 10,"
                    + " 1e-9) FROM visits WHERE id < 3), url) ORDER BY id"))
        .containsExactly("[url 0]", "[url 1]", "[url 2]");
  }

  @Test
  void groupsHaveFiltersOfTheirOwn() {
    assertThat(
            rows("SELECT day, tamis_count(filter) BETWEEN 980 AND 1020 FROM filters ORDER BY day"))
        .containsExactly("[0,true]", "[1,true]", "[2,true]");
    assertThat(
            rows(
                "SELECT count_if(tamis_might_contain(filter, url)) >= 1000, count(*) FROM visits"
                    + " JOIN filters USING (day)"))
        .containsExactly("[true,3000]");
  }

  @Test
  void mergesFilters() {
    assertThat(bytes("SELECT tamis_merge(filter) FROM filters"))
        .isEqualTo(bytes("SELECT tamis_build(url, 1000, 0.01) FROM visits"));
    assertThat(rows("SELECT tamis_merge(filter) FROM filters WHERE day > 5"))
        .containsExactly("[null]");
    assertMessage(
            "SELECT tamis_merge(f) FROM (SELECT tamis_build(url, 10, 0.01) AS f FROM visits"
                + " UNION ALL SELECT filter FROM filters)")
        .hasStackTraceContaining("the two are not compatible: bits differs");
  }

  @Test
  void describesAFilter() {
    assertThat(rows("SELECT tamis_info(filter) FROM filters WHERE day = 0").get(0))
        .startsWith("[BloomFilter(layout=split, bits=")
        .contains("expected keys=1000, requested fpp=0.01, hash=xxh3 with seed 0), keys=about ")
        .contains("fpp=0.0");
  }

  @Test
  void nullNeverMatches() {
    byte[] withNulls =
        bytes("SELECT tamis_build(IF(id = 0, NULL, id), 10, 0.01) FROM visits WHERE id < 3");
    byte[] without = bytes("SELECT tamis_build(id, 10, 0.01) FROM visits WHERE id IN (1, 2)");
    assertThat(withNulls).isEqualTo(without);
    assertThat(
            rows(
                "SELECT tamis_might_contain(filter, CAST(NULL AS STRING)),"
                    + " tamis_might_contain(NULL, 'x') FROM filters WHERE day = 0"))
        .containsExactly("[false,null]");
    assertThat(rows("SELECT tamis_count(NULL), tamis_info(NULL)")).containsExactly("[null,null]");
  }

  @Test
  void noRowsBuildAnEmptyFilter() {
    assertThat(rows("SELECT tamis_count(tamis_build(id, 10, 0.01)) FROM visits WHERE id < 0"))
        .containsExactly("[0]");
  }

  @Test
  void aFilterOfAnyKindCanBeQueried() {
    CuckooFilter<CharSequence> filter = CuckooFilter.create(KeyHasher.text(), 10, 0.001);
    filter.put("url 7");
    assertThat(
            rows(
                "SELECT url FROM visits WHERE tamis_might_contain("
                    + literal(filter.toByteArray())
                    + ", url) AND id < 10"))
        .containsExactly("[url 7]");
  }

  @Test
  void wrongTypesAreNamed() {
    assertAnalysis("SELECT tamis_might_contain(url, url) FROM visits")
        .hasMessageContaining("filter: must be binary, the bytes of a Tamis file, got string");
    assertAnalysis("SELECT tamis_build(id > 1, 10, 0.01) FROM visits")
        .hasMessageContaining(
            "key: a key must be of type string, bigint, int, binary, or a struct of those, got"
                + " boolean; cast it");
    assertAnalysis("SELECT tamis_might_contain(X'00', 1.5)").hasMessageContaining("got decimal");
    assertAnalysis("SELECT tamis_might_contain(X'00', NULL)")
        .hasMessageContaining("key: must have a type");
    assertAnalysis("SELECT tamis_build(id, 10) FROM visits")
        .hasMessageContaining("needs 3 arguments, key, expectedKeys, fpp, got 2");
    assertAnalysis("SELECT tamis_build(id, id, 0.01) FROM visits GROUP BY id")
        .hasMessageContaining("expectedKeys must be a constant");
    assertAnalysis("SELECT tamis_build(id, 0, 0.01) FROM visits")
        .hasMessageContaining("expectedKeys must be at least 1, got 0");
    assertAnalysis("SELECT tamis_build(id, 10, 1.5) FROM visits")
        .hasMessageContaining("fpp must be in (0, 1), got 1.5");
    assertAnalysis("SELECT tamis_build(id, 3000000000, 0.001) FROM visits")
        .hasMessageContaining("a value of SQL at most 2147483639");
  }

  @Test
  void bytesThatAreNoFilterAreNamed() {
    assertMessage("SELECT tamis_might_contain(CAST(url AS BINARY), url) FROM visits")
        .hasStackTraceContaining("tamis_might_contain: ");
    assertMessage("SELECT tamis_info(CAST(url AS BINARY)) FROM visits")
        .hasStackTraceContaining("tamis_info: ");
    for (String call : List.of("might_contain(X'0011', url)", "info(X'00')", "merge(X'00')")) {
      assertAnalysis("SELECT tamis_" + call + " FROM visits").hasMessageContaining("filter: ");
    }
  }

  @Test
  void aFilterOfAnotherSecretKeyIsAnError() {
    BloomFilter<CharSequence> keyed =
        BloomFilter.create(KeyHasher.text().keyedBy(HashKey.of(new byte[HashKey.BYTES])), 10, 0.01);
    assertMessage(
            "SELECT tamis_might_contain(" + literal(keyed.toByteArray()) + ", url) FROM visits")
        .hasStackTraceContaining("siphash");
  }

  @Test
  void theExtensionsAddTheSameFunctions() {
    SparkSessionExtensions extensions = new SparkSessionExtensions();
    new TamisExtensions().apply(extensions);
    var registry =
        extensions.registerFunctions(
            org.apache.spark.sql.catalyst.analysis.FunctionRegistry.builtin().clone());
    List<String> names = new ArrayList<>();
    registry.listFunction().foreach(function -> names.add(function.funcName()));
    assertThat(names)
        .contains("tamis_build", "tamis_merge", "tamis_might_contain", "tamis_info", "tamis_count");
  }

  /** PySpark sends the text of a query to the same session as Java does. */
  @Test
  void theQueriesOfTheExampleInPythonRun() throws Exception {
    String program =
        Files.readString(Path.of("../docs/examples/spark_sql.py"), StandardCharsets.UTF_8);
    String[] parts = program.split("\"\"\"", -1);
    List<Row> last = List.of();
    int queries = 0;
    for (int i = 3; i < parts.length; i += 2) { // the first is the text about the program
      last = SPARK.sql(parts[i]).collectAsList();
      queries++;
    }
    assertThat(queries).isEqualTo(4);
    assertThat(last).hasSize(1);
    assertThat(last.get(0).getLong(0)).isBetween(1_000L, 1_050L);
  }

  private static byte[] bytes(String query) {
    return SPARK.sql(query).head().getAs(0);
  }

  private static List<String> rows(String query) {
    Dataset<Row> rows = SPARK.sql(query);
    return rows.collectAsList().stream().map(Row::toString).toList();
  }

  private static AbstractThrowableAssert<?, ?> assertAnalysis(String query) {
    return assertThatThrownBy(() -> SPARK.sql(query)).isInstanceOf(AnalysisException.class);
  }

  private static AbstractThrowableAssert<?, ?> assertMessage(String query) {
    return assertThatThrownBy(() -> SPARK.sql(query).collectAsList());
  }
}
