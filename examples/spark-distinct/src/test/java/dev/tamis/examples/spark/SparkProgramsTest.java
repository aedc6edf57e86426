package dev.tamis.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.spark.KeyColumns;
import dev.tamis.spark.TamisSpark;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs that docs/spark.md shows, each run. */
class SparkProgramsTest {

  private static final SparkSession SPARK =
      SparkDistinct.local()
          .config("spark.sql.shuffle.partitions", 2)
          .config(
              "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
          .getOrCreate();

  @TempDir private Path folder;

  @Test
  void buildsAFilter() throws Exception {
    Dataset<Row> pages =
        SPARK.sql("SELECT concat('https://example.org/', id) AS url FROM range(9)");
    Path path = folder.resolve("seen.tamis");
    // region filter
    BloomFilter<CharSequence> seen =
        TamisSpark.filter(pages, KeyColumns.text("url"), 10_000_000, 0.01);
    FilterFile.save(path, seen);
    // end filter
    BloomFilter<CharSequence> read = FilterFile.loadBloom(path, KeyHasher.text());
    assertThat(read.mightContain("https://example.org/8")).isTrue();
    assertThat(read.mightContain("https://example.org/9")).isFalse();
  }

  @Test
  void dropsRepeatsOfAStream() throws Exception {
    String rows = folder.resolve("rows").toString();
    SPARK
        .sql("SELECT concat('k', id % 3) AS id, timestamp_seconds(1000 + id) AS time FROM range(9)")
        .write()
        .parquet(rows);
    Dataset<Row> events =
        SPARK.readStream().schema(SPARK.read().parquet(rows).schema()).parquet(rows);
    // region stream
    Dataset<Row> once =
        TamisSpark.streamingDistinct(KeyColumns.text("id"))
            .eventTime("time")
            .window(Duration.ofHours(1))
            .expectedKeys(100_000_000)
            .fpp(0.001)
            .of(events.withWatermark("time", "10 minutes"));
    // end stream
    once.writeStream()
        .outputMode("append")
        .format("memory")
        .queryName("once")
        .option("checkpointLocation", folder.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    List<String> ids =
        SPARK.table("once").collectAsList().stream().map(row -> row.getString(0)).toList();
    assertThat(ids).containsExactlyInAnyOrder("k0", "k1", "k2");
  }
}
