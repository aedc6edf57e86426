package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream is cleared of repeats, whatever stops it. Times begin after the first watermark, 0. */
class StreamingDistinctTest {

  private static final SparkSession SPARK = LocalSpark.session();

  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  private static final StructType SCHEMA =
      new StructType().add("id", DataTypes.StringType).add("time", DataTypes.TimestampType);

  @TempDir private Path folder;

  private int files;

  /** Each partition has a state store of its own, and opening it is what costs the time. */
  @BeforeAll
  static void useFewStores() {
    SPARK.conf().set(PARTITIONS, 1);
  }

  @AfterAll
  static void restore() {
    SPARK.conf().set(PARTITIONS, LocalSpark.PARTITIONS);
  }

  @Test
  @Tag("thorough")
  void eachKeyIsEmittedOnce() throws Exception {
    write(
        "SELECT concat('k', id % 500) AS id, timestamp_seconds(1000 + id % 60) AS time FROM"
            + " range(1000)");
    write(
        "SELECT concat('k', id % 800) AS id, timestamp_seconds(1000 + 60 + id % 60) FROM"
            + " range(1600)");

    run(distinct(1_000));

    List<Row> emitted = emitted();
    assertThat(emitted).hasSizeBetween(795, 800).doesNotHaveDuplicates();
    assertThat(emitted.stream().map(row -> row.getString(0))).doesNotHaveDuplicates();
  }

  /** The second batch fails after its rows have been computed, and before they are committed. */
  @Test
  void aFailedBatchIsRepeatedWithTheSameRows() throws Exception {
    write(
        "SELECT concat('k', id) AS id, timestamp_seconds(1000 + id % 60) AS time FROM range(1000)");
    write(
        "SELECT concat('k', id) AS id, timestamp_seconds(1000 + id % 60) AS time FROM range(1500)");
    List<List<Row>> attempted = new ArrayList<>();
    VoidFunction2<Dataset<Row>, Long> failing =
        (batch, number) -> {
          attempted.add(batch.collectAsList());
          if (number == 1) {
            throw new IllegalStateException("killed");
          }
        };
    assertThatThrownBy(() -> run(writer(distinct(1_500)).foreachBatch(failing)))
        .hasMessageContaining("killed");
    List<Row> after = new ArrayList<>(attempted.get(0));

    VoidFunction2<Dataset<Row>, Long> append =
        (batch, number) -> after.addAll(batch.collectAsList());
    run(writer(distinct(1_500)).foreachBatch(append));

    assertThat(after).containsAll(attempted.get(1)).hasSizeBetween(1_490, 1_500);
    assertThat(after.stream().map(row -> row.getString(0))).doesNotHaveDuplicates();

    write("SELECT concat('k', id) AS id, timestamp_seconds(1060) AS time FROM range(9)");
    assertThatThrownBy(() -> run(writer(distinct(1_000)).foreachBatch(append)))
        .hasMessageContaining("written with [expectedKeys 1500], the query asks for [expectedKeys");
  }

  /** The watermark is at 1040 after the first batch, and drops rows from the third on. */
  @Test
  void lateRowsAreDroppedAndNotRemembered() throws Exception {
    write("SELECT concat('k', id) AS id, timestamp_seconds(1060 - id) AS time FROM range(20)");
    write("SELECT concat('k', id) AS id, timestamp_seconds(1045) AS time FROM range(30)");
    write("SELECT concat('late ', id) AS id, timestamp_seconds(1030) AS time FROM range(10)");
    write("SELECT concat('late ', id) AS id, timestamp_seconds(1050) AS time FROM range(5)");

    run(distinct(1_000));

    assertThat(emitted().stream().map(row -> row.getString(0)))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    IntStream.range(0, 30).mapToObj(i -> "k" + i),
                    IntStream.range(0, 5).mapToObj(i -> "late " + i))
                .toList());
  }

  @Test
  void aTaskThatIsTriedAgainEmitsTheSameRows() throws Exception {
    RetryTest.registerFailing();
    write("SELECT concat('k', id % 50) AS id, timestamp_seconds(1000) AS time FROM range(100)");
    Dataset<Row> retried =
        distinct(1_000)
            .withColumn("id", functions.call_function("fails_once", functions.col("id")));

    run(retried);

    assertThat(emitted().stream().map(row -> row.getString(0)))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 50).mapToObj(i -> "k" + i).toList());
  }

  @Test
  void settingsAreChecked() {
    StreamingDistinct settings = TamisSpark.streamingDistinct(KeyColumns.text("id"));
    assertThatThrownBy(() -> settings.buckets(512))
        .hasMessage("buckets must be a power of two from 1024 to 1048576, got 512");
    assertThatThrownBy(() -> settings.buckets(3_000)).hasMessageContaining("power of two");
    assertThatThrownBy(() -> settings.fpp(1)).hasMessageContaining("in (0, 1), got 1");
    assertThatThrownBy(() -> settings.expectedKeys(0)).hasMessageContaining("at least 1, got 0");
    assertThatThrownBy(() -> settings.window(Duration.ZERO)).hasMessageContaining("at least 1 ms");
    assertThatThrownBy(() -> settings.of(SPARK.emptyDataFrame()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("need eventTime, window, expectedKeys and fpp");
  }

  private void write(String query) throws Exception {
    Path staged = folder.resolve("staged-" + files);
    SPARK.sql(query).toDF("id", "time").coalesce(1).write().parquet(staged.toString());
    Path input = Files.createDirectories(folder.resolve("input"));
    try (var parts = Files.list(staged)) {
      Path part =
          parts.filter(path -> path.toString().endsWith(".parquet")).findAny().orElseThrow();
      Path moved = Files.move(part, input.resolve(files + ".parquet"));
      Files.setLastModifiedTime(
          moved, java.nio.file.attribute.FileTime.fromMillis(1_000_000_000_000L + 1_000L * files));
    }
    files++;
  }

  private Dataset<Row> distinct(long expectedKeys) {
    Dataset<Row> events =
        SPARK
            .readStream()
            .schema(SCHEMA)
            .option("maxFilesPerTrigger", 1)
            .parquet(folder.resolve("input").toString())
            .withWatermark("time", "20 seconds")
            .withColumn("tamis_hash", functions.lit(1));
    return TamisSpark.streamingDistinct(KeyColumns.text("id"))
        .eventTime("TIME")
        .window(Duration.ofSeconds(100))
        .expectedKeys(expectedKeys)
        .fpp(0.001)
        .of(events);
  }

  private DataStreamWriter<Row> writer(Dataset<Row> stream) {
    return stream
        .writeStream()
        .outputMode("append")
        .option("checkpointLocation", folder.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow());
  }

  private StreamingQuery run(Dataset<Row> stream) throws Exception {
    return run(
        writer(stream).format("parquet").option("path", folder.resolve("output").toString()));
  }

  private static StreamingQuery run(DataStreamWriter<Row> writer) throws Exception {
    StreamingQuery query = writer.start();
    query.awaitTermination();
    return query;
  }

  private List<Row> emitted() {
    return SPARK.read().parquet(folder.resolve("output").toString()).collectAsList();
  }
}
