package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InterpretedUnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** De-duplication of whole data sets: exact by hashes, and approximate in fixed memory. */
class DistinctTest {

  private static final SparkSession SPARK = LocalSpark.session();

  private static final int ROWS = 20_000;

  /** A tenth of the rows are repeats; with nulls, both zeros and several NaNs. */
  private static final Dataset<Row> DATA =
      SPARK
          .range(0, ROWS, 1, 5)
          .selectExpr(
              "id % 18000 AS id",
              "IF(id % 7 = 0, NULL, concat('text ', id % 18000)) AS text",
              "CASE id % 18000 WHEN 5 THEN IF(id = 5, -0.0D, 0.0D) WHEN 6 THEN double('NaN')"
                  + " ELSE 1.5D END AS number",
              "array(id % 18000, NULL) AS list");

  @Test
  void theExactFormIsDropDuplicates() {
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(DATA);

    assertSameRows(distinct.rows(), DATA.dropDuplicates());
    assertThat(distinct.inputRows()).isEqualTo(ROWS);
    assertThat(distinct.filterBytes()).isPositive();
  }

  @Test
  void mostRowsAreNotCompared() {
    Dataset<Row> ids = DATA.select("id");
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(ids);
    assertThat(distinct.repeatedHashes()).isEqualTo(2_000);
    assertThat(distinct.repeatedRows()).isEqualTo(4_000);
    assertThat(distinct.rows().count()).isEqualTo(18_000);
  }

  @Test
  void someColumnsCanDecide() {
    Dataset<Row> data = DATA.withColumn("other", org.apache.spark.sql.functions.lit(1));
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(data, "id", "other");
    assertSameRows(distinct.rows().select("id"), data.select("id").dropDuplicates());
    assertThat(distinct.rows().columns()).containsExactly("id", "text", "number", "list", "other");
  }

  /** All rows have one hash, as an attacker who knows the hash function could arrange. */
  @Test
  void collidingHashesLoseNothing() {
    // a null leaves the hash as it was, so these differ and collide
    Dataset<Row> colliding =
        SPARK.sql(
            "SELECT 1L AS a, CAST(NULL AS BIGINT) AS b"
                + " UNION ALL SELECT CAST(NULL AS BIGINT), 1L UNION ALL SELECT 1L, NULL");
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(colliding);
    assertThat(distinct.repeatedHashes()).isEqualTo(1);
    assertThat(distinct.rows().count()).isEqualTo(2);
  }

  @Test
  void withoutRepeatsAllRowsGoThrough() {
    Dataset<Row> unique = SPARK.range(100).toDF();
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(unique);
    assertThat(distinct.rows().count()).isEqualTo(100);
    assertThat(distinct.filterBytes()).isZero();
    assertThat(TamisSpark.exactDistinct(unique.where("id < 0")).rows().count()).isZero();
  }

  @Test
  void aStreamIsRefused() {
    assertThatThrownBy(() -> TamisSpark.exactDistinct(SPARK.readStream().format("rate").load()))
        .hasMessageContaining("is a stream");
  }

  /** Each would give other rows if it were computed again. */
  @Test
  void anInputThatChangesIsReadOnce() {
    List<Dataset<Row>> inputs =
        List.of(
            DATA.selectExpr("current_timestamp() AS t"),
            DATA.selectExpr("localtimestamp() AS t", "id % 2"),
            DATA.selectExpr("CAST(9 * rand() AS INT) AS r"),
            DATA.select("id").sample(0.3),
            DATA.select("id").repartition(3).limit(9_000));
    for (Dataset<Row> input : inputs) {
      Dataset<Row> rows = TamisSpark.exactDistinct(input).rows();
      List<Row> first = rows.collectAsList();
      assertThat(first).isNotEmpty().doesNotHaveDuplicates();
      assertThat(rows.collectAsList()).containsExactlyInAnyOrderElementsOf(first);
    }
  }

  @Test
  void aLostCopyIsNotReplacedByOtherRows() {
    Dataset<Row> rows = TamisSpark.exactDistinct(DATA.select("id")).rows();
    CollectionConverters.asJava(SPARK.sparkContext().getPersistentRDDs())
        .values()
        .forEach(copy -> copy.unpersist(true));
    assertThatThrownBy(rows::count).hasStackTraceContaining("Checkpoint block");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'a' COLLATE UTF8_LCASE",
        "map(id, id)",
        "parse_json('1')",
        "make_interval(0, 0, 0, 1)",
        "array(named_struct('i', make_interval(0, 0, 0, 1)))",
        "array('a' COLLATE UTF8_LCASE)"
      })
  void columnsWhoseEqualValuesHashDifferentlyAreRefused(String value) {
    assertThatThrownBy(() -> TamisSpark.exactDistinct(DATA.selectExpr("id", value + " AS c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("column c: equal values of type ");
    assertThat(TamisSpark.exactDistinct(DATA.selectExpr("id", value + " AS c"), "id").inputRows())
        .isEqualTo(ROWS);
  }

  /** Spark changes to the other way on its own, so both passes could differ otherwise. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "1Y",
        "1S",
        "1",
        "1L",
        "-0.0F",
        "float('NaN')",
        "-0.0D",
        "double('NaN')",
        "1.5BD",
        "123456789012345678901234567890.5BD",
        "'text'",
        "CAST('ab' AS CHAR(5))",
        "CAST('ab' AS VARCHAR(5))",
        "X'0102'",
        "DATE'2026-01-01'",
        "TIMESTAMP'1800-01-01 00:00:00'",
        "TIMESTAMP_NTZ'2026-01-01 00:00:00'",
        "INTERVAL '1' YEAR",
        "INTERVAL '1' DAY",
        "NULL",
        "array(1, NULL)",
        "named_struct('d', -0.0D, 'l', array(named_struct('t', 'x', 'f', float('NaN'))))"
      })
  void generatedAndInterpretedCodeHashAlike(String value) {
    RowKeys<Row> keys =
        RowKeys.of(SPARK.sql("SELECT IF(id = 1, " + value + ", NULL) AS v, id FROM range(2)"));
    LogicalPlan plan = keys.rows().select(keys.hash()).queryExecution().analyzed();
    Seq<Expression> hash =
        CollectionConverters.asScala(
                List.of(
                    BindReferences.bindReference(
                        plan.expressions().head(),
                        package$.MODULE$.AttributeSeq(plan.children().head().output()),
                        false)))
            .toSeq();
    UnsafeProjection generated = (UnsafeProjection) GenerateUnsafeProjection.generate(hash);
    UnsafeProjection interpreted = InterpretedUnsafeProjection.createProjection(hash);
    for (InternalRow row : keys.rows().queryExecution().executedPlan().executeCollect()) {
      assertThat(interpreted.apply(row)).isEqualTo(generated.apply(row));
    }
  }

  /** A name with a dot, one with a quote, and two columns of one name. */
  @Test
  void columnsAreFoundAsDropDuplicatesFindsThem() {
    Dataset<Row> data = SPARK.sql("SELECT id % 7 AS `a.b`, id % 3 AS `c``d` FROM range(100)");
    Dataset<Row> joined =
        data.join(SPARK.sql("SELECT id AS key, id % 2 AS `c``d` FROM range(9)"), col("a.b"));
    assertSameRows(TamisSpark.exactDistinct(joined).rows(), joined.dropDuplicates());
    for (String name : List.of("a.b", "C`D")) {
      String[] names = {name};
      assertThat(TamisSpark.exactDistinct(joined, name).rows().count())
          .isEqualTo(joined.dropDuplicates(names).count());
      assertThat(TamisSpark.approximateDistinct(joined, 1_000, 1e-6, name).rows().count())
          .isEqualTo(joined.dropDuplicates(names).count());
    }
    assertThatThrownBy(() -> TamisSpark.exactDistinct(data, "a"))
        .hasMessageContaining("column a: must be one of a.b, c`d");
  }

  private static Column col(String name) {
    return functions.col("`" + name + "`").equalTo(functions.col("key"));
  }

  @RepeatedTest(4)
  void anyDataFrameIsThatOfDropDuplicates(RepetitionInfo repetition) {
    RandomData data = new RandomData(SPARK, repetition.getCurrentRepetition());
    assertSameRows(TamisSpark.exactDistinct(data.rows(), data.columns()).rows(), data.distinct());
  }

  @Test
  void theApproximateFormLosesAboutWhatItSays() {
    Dataset<Row> ids = DATA.select("id");
    ApproximateDistinct<Row> distinct = TamisSpark.approximateDistinct(ids, 18_000, 0.05);
    long kept = distinct.rows().count();

    ApproximateDistinct.Report report = distinct.report();
    assertThat(report.rows()).isEqualTo(ROWS);
    assertThat(report.kept()).isEqualTo(kept);
    assertThat(report.warning()).isEmpty();
    assertThat(distinct.rows().dropDuplicates().count()).isEqualTo(kept);
    double lost = 18_000 - kept;
    // four standard deviations of a Poisson count
    assertThat(report.expectedWrongDrops())
        .isBetween(lost - 4 * Math.sqrt(lost) - 4, lost + 4 * Math.sqrt(lost) + 4);
  }

  @Test
  void eachPartitionIsCountedOnceHoweverOftenItRuns() {
    ApproximateDistinct<Row> distinct =
        TamisSpark.approximateDistinct(DATA.select("id"), 18_000, 0.01);
    long first = distinct.rows().count();
    long second = distinct.rows().count();
    assertThat(second).isEqualTo(first);
    assertThat(distinct.report().rows()).isEqualTo(ROWS);
  }

  @Test
  void moreRowsThanExpectedAreReported() {
    ApproximateDistinct<Row> distinct =
        TamisSpark.approximateDistinct(DATA.select("id"), 1_000, 0.01);
    assertThat(distinct.rows().count()).isLessThan(18_000);
    assertThat(distinct.report().warning().orElse(""))
        .contains("built for 1000 distinct rows")
        .contains("dropped wrongly; give more expectedRows");
  }

  private static void assertSameRows(Dataset<Row> actual, Dataset<Row> expected) {
    assertThat(bytes(actual)).containsExactlyInAnyOrderElementsOf(bytes(expected));
  }

  /** Returns the bytes of each row, in which the two zeros differ. */
  private static List<String> bytes(Dataset<Row> rows) {
    return Arrays.stream(rows.queryExecution().executedPlan().executeCollect())
        .map(row -> HexFormat.of().formatHex(((UnsafeRow) row).getBytes()))
        .toList();
  }
}
