package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** De-duplication of whole data sets: exact by hashes, and approximate in fixed memory. */
class DistinctTest {

  private static final SparkSession SPARK = LocalSpark.session();

  private static final int ROWS = 20_000;

  /** A tenth of the rows are repeats; nulls, and doubles of which Spark has two zeros and NaNs. */
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

  /** All rows have one hash here, as an attacker could arrange who knows the hash function. */
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
  void whatCannotBeReadTwiceIsRefused() {
    assertThatThrownBy(() -> TamisSpark.exactDistinct(SPARK.range(10).selectExpr("rand() AS r")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not deterministic");
    assertThatThrownBy(() -> TamisSpark.exactDistinct(SPARK.readStream().format("rate").load()))
        .hasMessageContaining("is a stream");
  }

  @Test
  void columnsWhoseEqualValuesHashDifferentlyAreRefused() {
    assertThatThrownBy(
            () -> TamisSpark.exactDistinct(DATA.selectExpr("text COLLATE UTF8_LCASE AS text")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column text: equal values of type string collate UTF8_LCASE");
    assertThatThrownBy(() -> TamisSpark.exactDistinct(DATA.selectExpr("map(id, id) AS m")))
        .hasMessageContaining("column m: equal values of type map<bigint,bigint>");
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
    // four standard deviations of a count of so many rare events
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
    List<Row> found = actual.collectAsList();
    assertThat(found).hasSize((int) expected.count());
    assertThat(actual.exceptAll(expected).isEmpty()).isTrue();
    assertThat(expected.exceptAll(actual).isEmpty()).isTrue();
  }
}
