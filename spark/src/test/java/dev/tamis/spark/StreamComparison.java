package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StateOperatorProgress;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;

/**
 * Compares the ways to remove repeats from a stream: rate and state, as a table.
 *
 * <p>Run by {@code bench/spark-stream}. Arguments: a directory for the checkpoints, the file for
 * the table, rows in a micro-batch, and how many micro-batches, of a minute of event time each.
 * Four in five rows have a new key, the others that of a row of the minute before.
 */
final class StreamComparison {

  private static final String MINUTES = "10 minutes";
  private static final double FPP = 0.001;

  private StreamComparison() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    int rows = Integer.parseInt(arguments[2]);
    int batches = Integer.parseInt(arguments[3]);
    SparkSession spark =
        LocalSpark.builder()
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.local.dir", folder.resolve("local").toString())
            .config("spark.sql.streaming.numRecentProgressUpdates", batches + 10)
            .getOrCreate();
    Table table =
        Table.start(
            Path.of(arguments[1]),
            "| way | rows/s | entries of the store | state MB | new keys lost |",
            "|---|---:|---:|---:|---:|");
    for (Way way : ways(rows)) {
      measure(table, spark, folder.resolve("checkpoint"), way, rows, batches);
    }
    spark.stop();
  }

  private record Way(String name, UnaryOperator<Dataset<Row>> distinct) {}

  private static List<Way> ways(int rows) {
    return List.of(
        new Way("`dropDuplicates`", in -> in.dropDuplicates("id")),
        new Way(
            "`dropDuplicatesWithinWatermark`",
            in -> in.withWatermark("time", MINUTES).dropDuplicatesWithinWatermark("id")),
        new Way(
            "`streamingDistinct`",
            in ->
                TamisSpark.streamingDistinct(KeyColumns.text("id"))
                    .eventTime("time")
                    .window(Duration.ofMinutes(10))
                    .expectedKeys(10L * rows * 4 / 5)
                    .fpp(FPP)
                    .of(in.withWatermark("time", MINUTES))));
  }

  private static Dataset<Row> source(SparkSession spark, int rows) {
    // a repeat is of a key of the batch before that was new there
    String id = "IF(value % 5 = 4 AND value >= " + rows + ", value - " + rows + " - 1, value)";
    return spark
        .readStream()
        .format("rate-micro-batch")
        .option("rowsPerBatch", rows)
        .option("numPartitions", 2)
        .option("startTimestamp", Duration.ofDays(1).toMillis())
        .option("advanceMillisPerBatch", Duration.ofMinutes(1).toMillis())
        .load()
        .selectExpr(
            "concat('https://example.org/', substr(sha1(string(" + id + ")), 1, 20)) AS id",
            "timestamp AS time");
  }

  private static void measure(
      Table table, SparkSession spark, Path checkpoint, Way way, int rows, int batches)
      throws Exception {
    Dataset<Row> stream =
        way.distinct()
            .apply(source(spark, rows))
            .observe("out", functions.count(functions.lit(1)).as("rows"));
    StreamingQuery query =
        stream
            .writeStream()
            .outputMode("append")
            .option("checkpointLocation", checkpoint.toString())
            .format("noop")
            .start();
    while (query.lastProgress() == null || query.lastProgress().batchId() < batches - 1) {
      if (!query.isActive()) {
        query.awaitTermination(); // throws what has stopped it
      }
      Thread.sleep(20);
    }
    query.stop();
    List<StreamingQueryProgress> progress =
        Arrays.stream(query.recentProgress())
            .filter(batch -> batch.batchId() < batches && batch.numInputRows() > 0)
            .toList();
    double[] rates =
        progress.stream()
            .skip(batches / 2)
            .mapToDouble(StreamingQueryProgress::processedRowsPerSecond)
            .sorted()
            .toArray();
    long emitted =
        progress.stream()
            .mapToLong(
                batch -> requireNonNull(batch.observedMetrics().get("out")).<Long>getAs("rows"))
            .sum();
    StateOperatorProgress state = progress.get(progress.size() - 1).stateOperators()[0];
    long bytes = requireNonNull(state.customMetrics().get("rocksdbSstFileSize"));
    long keys = rows + (batches - 1L) * rows * 4 / 5;
    table.add(
        "| %s | %,.0f | %d | %.1f | %d |",
        way.name(), rates[rates.length / 2], state.numRowsTotal(), bytes / 1e6, keys - emitted);
    try (Stream<Path> files = Files.walk(checkpoint)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
