package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** A large side reduced by the keys of a small one before it is shuffled. */
class ReductionTest {

  private static final SparkSession SPARK = LocalSpark.session();

  private static final Dataset<Row> ORDERS =
      SPARK
          .range(0, 10_000, 1, 4)
          .selectExpr(
              "id AS number",
              "IF(id % 100 = 99, NULL, concat('customer ', id % 1000)) AS customer");

  private static final Dataset<Row> CUSTOMERS =
      SPARK.range(0, 100, 1, 2).selectExpr("concat('customer ', id * 7) AS customer");

  private static final KeyColumns<CharSequence> CUSTOMER = KeyColumns.text("customer");

  @Test
  void theJoinIsTheSame() {
    BloomFilter<CharSequence> filter = TamisSpark.filter(CUSTOMERS, CUSTOMER, 100, 0.01);
    Reduction<Row> reduced = TamisSpark.reduce(ORDERS, CUSTOMER, filter);

    Dataset<Row> joined = reduced.rows().join(CUSTOMERS.hint("merge"), "customer");

    Dataset<Row> expected = ORDERS.join(CUSTOMERS, "customer");
    assertThat(joined.count()).isEqualTo(expected.count());
    assertThat(joined.exceptAll(expected).isEmpty()).isTrue();
  }

  @Test
  void theReportSaysWhetherItPaidOff() {
    BloomFilter<CharSequence> filter = TamisSpark.filter(CUSTOMERS, CUSTOMER, 100, 0.01);
    Reduction<Row> reduced = TamisSpark.reduce(ORDERS, CUSTOMER, filter);
    assertThat(reduced.report()).isEmpty();

    long joined = reduced.rows().join(CUSTOMERS.hint("merge"), "customer").count();

    Reduction.Report report = reduced.report().orElseThrow();
    assertThat(report.rows()).isEqualTo(10_000);
    assertThat(report.kept()).isBetween(joined, joined + 10_000 / 50);
    assertThat(report.expectedFalsePositives()).isBetween(0.0, 10_000 / 50.0);
    assertThat(report.savedBytes(100, 2))
        .isEqualTo(100 * (10_000 - report.kept()) - 2 * filter.serializedSize());
    assertThat(report.savedBytes(0, 1)).isNegative();
  }

  @Test
  void aFilterOfAnotherKindAndHasherOfTextIsTaken() {
    RibbonFilter<String> filter =
        RibbonFilter.<String>builder(KeyHasher.text()).fpp(1e-6).put("customer 7").build();
    assertThat(TamisSpark.reduce(ORDERS, CUSTOMER, filter).rows().count()).isEqualTo(10);
  }

  @Test
  void aSecretKeyStaysInItsProcess() {
    BloomFilter<CharSequence> keyed =
        BloomFilter.create(KeyHasher.text().keyedBy(HashKey.of(new byte[HashKey.BYTES])), 10, 0.01);
    assertThatThrownBy(() -> TamisSpark.reduce(ORDERS, CUSTOMER, keyed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have no secret key");
  }
}
