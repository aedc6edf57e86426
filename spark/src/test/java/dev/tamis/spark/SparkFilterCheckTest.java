package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The silent limit of Spark's own filters, here with a smaller one than the default. */
class SparkFilterCheckTest {

  private static final SparkSession SPARK = LocalSpark.session();
  private static final String MAX_BITS = "spark.sql.optimizer.runtime.bloomFilter.maxNumBits";
  private static final Dataset<Long> IDS =
      SPARK.range(0, 20_000, 1, 2).as(org.apache.spark.sql.Encoders.LONG());

  @AfterEach
  void restore() {
    SPARK.conf().unset(MAX_BITS);
  }

  @Test
  void theDefaultLimitIsTheDocumentedOne() {
    assertThat(SPARK.conf().get(MAX_BITS)).isEqualTo("67108864");
  }

  @Test
  void aCappedFilterIsNamed() {
    SPARK.conf().set(MAX_BITS, 1 << 16);
    BloomFilter capped = IDS.stat().bloomFilter("id", 20_000, 0.01);
    SparkFilterCheck check = TamisSpark.check(capped);

    assertThat(check.bits()).isEqualTo(1 << 16);
    double measured = measured(capped, 1_000_000);
    assertThat(check.fpp()).isBetween(measured * 0.9, measured * 1.1);
    assertThat(check.warning(0.01).orElse(""))
        .startsWith("the filter has 65536 bits and ")
        .contains("requested were 0.01; raise " + MAX_BITS);
  }

  @Test
  void aFilterBelowTheLimitIsFine() {
    SparkFilterCheck check = TamisSpark.check(IDS.stat().bloomFilter("id", 20_000, 0.01));
    assertThat(check.warning(0.01)).isEmpty();
    assertThat(check.keys().value()).isBetween(19_000.0, 21_000.0);
  }

  /** The figures of docs/spark.md. */
  @Test
  @Tag("thorough")
  void thirtyMillionKeysAreFarAboveTheDefaultLimit() {
    Dataset<Row> ids = SPARK.range(0, 30_000_000, 1, 4).toDF();
    BloomFilter sparks = ids.stat().bloomFilter("id", 30_000_000, 0.01);
    SparkFilterCheck check = TamisSpark.check(sparks);
    assertThat(check.bits()).isEqualTo(67_108_864);
    assertThat(check.fpp()).isBetween(0.94, 0.95);
    assertThat(measured(sparks, 30_000_000)).isBetween(0.94, 0.95);
    assertThat(check.warning(0.01)).isPresent();

    dev.tamis.filter.BloomFilter<Long> ours =
        TamisSpark.filter(ids, KeyColumns.longs("id"), 30_000_000, 0.01);
    long wrong = LongStream.range(30_000_000, 31_000_000).filter(ours::mightContainLong).count();
    assertThat(wrong).isBetween(9_500L, 10_500L);
  }

  /** Returns the share of false positives among keys from {@code start} on. */
  private static double measured(BloomFilter filter, long start) {
    long keys = 100_000;
    long wrong = LongStream.range(start, start + keys).filter(filter::mightContainLong).count();
    return (double) wrong / keys;
  }
}
