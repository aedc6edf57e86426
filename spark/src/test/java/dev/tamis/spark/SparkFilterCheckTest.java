package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.AfterEach;
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
    assertThat(check.fpp()).isBetween(measured(capped) * 0.9, measured(capped) * 1.1);
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

  private static double measured(BloomFilter filter) {
    long wrong = 0;
    for (long key = 1_000_000; key < 1_100_000; key++) {
      wrong += filter.mightContainLong(key) ? 1 : 0;
    }
    return wrong / 100_000.0;
  }
}
