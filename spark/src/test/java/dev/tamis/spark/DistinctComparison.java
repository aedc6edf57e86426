package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StateOperatorProgress;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;

/**
 * Compares the ways to remove repeats, as a table: of a data set by time, bytes shuffled and bytes
 * spilled ({@code bench/spark-compare}), of a stream by rate and state ({@code
 * bench/spark-stream}).
 */
final class DistinctComparison {

  private static final int ROUNDS = 2;
  private static final int MINUTES = 10;
  private static final double FPP = 0.001;

  private final SparkSession spark;
  private final Path folder;
  private final Path table;
  private final LongAdder shuffled = new LongAdder();
  private final LongAdder spilled = new LongAdder();

  private DistinctComparison(int partitions, Path folder, Path table) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.table = table;
    this.spark =
        LocalSpark.builder()
            .config("spark.sql.shuffle.partitions", partitions)
            .config("spark.local.dir", folder.resolve("local").toString())
            .config("spark.sql.streaming.numRecentProgressUpdates", 1_000)
            .getOrCreate();
  }

  private record Way(String name, UnaryOperator<Dataset<Row>> distinct) {}

  /**
   * Takes {@code batch} or {@code stream}, a directory for the data and the file for the table.
   * Then for {@code batch} the megabytes of each data set, bytes per row and percentages of
   * repeats, the last two separated by commas; for {@code stream} the rows of a micro-batch and how
   * many of them.
   */
  public static void main(String[] arguments) throws Exception {
    boolean isStream = arguments[0].equals("stream");
    DistinctComparison comparison =
        new DistinctComparison(isStream ? 2 : 16, Path.of(arguments[1]), Path.of(arguments[2]));
    if (isStream) {
      comparison.compareStreams(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
    } else {
      comparison.compare(
          Long.parseLong(arguments[3]) << 20, numbers(arguments[4]), numbers(arguments[5]));
    }
    comparison.spark.stop();
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private void add(String format, Object... values) throws IOException {
    Files.writeString(
        table,
        String.format(Locale.ROOT, format, values) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private void compare(long bytes, int[] widths, int[] percentages) throws Exception {
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                TaskMetrics metrics = end.taskMetrics();
                if (metrics != null) {
                  shuffled.add(metrics.shuffleWriteMetrics().bytesWritten());
                  spilled.add(metrics.diskBytesSpilled());
                }
              }
            });
    measure(50, 1_000_000, 10); // long enough for the JIT
    Files.deleteIfExists(table);
    add("| bytes per row | rows | repeats | way | s | shuffled MB | spilled MB | rows kept |");
    add("|---:|---:|---:|---|---:|---:|---:|---:|");
    for (int width : widths) {
      for (int percent : percentages) {
        measure(width, bytes / width, percent);
      }
    }
  }

  /** Rows of hexadecimal digits, which compress to half; a share of them comes twice. */
  private Dataset<Row> data(int width, long rows, int percent) {
    String path = folder.resolve(width + "-" + percent + "-" + rows).toString();
    String key = "id % " + (rows - rows * percent / 100);
    StringBuilder text = new StringBuilder("lpad(" + key + ", 12, '0')");
    for (int i = 0; i < Math.max(1, (width - 12) / 64); i++) {
      text.append(", sha2(concat(" + i + ", ':', " + key + "), 256)");
    }
    if (!Files.exists(Path.of(path))) {
      spark
          .range(0, rows, 1, 8)
          .selectExpr("substr(concat(" + text + "), 1, " + width + ") AS text")
          .write()
          .option("compression", "none")
          .option("parquet.enable.dictionary", "false")
          .parquet(path);
    }
    return spark.read().parquet(path);
  }

  /** Writes a line for each way, with the last of its rounds. */
  private void measure(int width, long rows, int percent) throws Exception {
    Dataset<Row> data = data(width, rows, percent);
    List<Way> ways =
        List.of(
            new Way("`dropDuplicates`", Dataset::dropDuplicates),
            new Way("`exactDistinct`", in -> TamisSpark.exactDistinct(in).rows()),
            new Way(
                "`approximateDistinct`, 0.1 %",
                in -> TamisSpark.approximateDistinct(in, rows, FPP).rows()));
    for (Way way : ways) {
      double seconds = 0;
      long kept = 0;
      for (int round = 0; round < ROUNDS; round++) {
        System.gc();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        shuffled.reset();
        spilled.reset();
        Observation counted = new Observation();
        long start = System.nanoTime();
        way.distinct()
            .apply(data)
            .observe(counted, functions.count(functions.lit(1)).as("rows"))
            .write()
            .format("noop")
            .mode("overwrite")
            .save();
        seconds = (System.nanoTime() - start) / 1e9;
        kept = counted.getRow().getLong(0);
      }
      spark.sparkContext().listenerBus().waitUntilEmpty();
      add(
          "| %d | %.1e | %d %% | %s | %.1f | %.0f | %.0f | %d |",
          width,
          (double) rows,
          percent,
          way.name(),
          seconds,
          shuffled.sum() / 1e6,
          spilled.sum() / 1e6,
          kept);
    }
  }

  private void compareStreams(int rows, int batches) throws Exception {
    Files.deleteIfExists(table);
    add("| way | rows/s | entries of the store | state MB | new keys lost |");
    add("|---|---:|---:|---:|---:|");
    String watermark = MINUTES + " minutes";
    List<Way> ways =
        List.of(
            new Way("`dropDuplicates`", in -> in.dropDuplicates("id")),
            new Way(
                "`dropDuplicatesWithinWatermark`",
                in -> in.withWatermark("time", watermark).dropDuplicatesWithinWatermark("id")),
            new Way(
                "`streamingDistinct`",
                in ->
                    TamisSpark.streamingDistinct(KeyColumns.text("id"))
                        .eventTime("time")
                        .window(Duration.ofMinutes(MINUTES))
                        .expectedKeys((long) MINUTES * rows * 4 / 5)
                        .fpp(FPP)
                        .of(in.withWatermark("time", watermark))));
    for (Way way : ways) {
      measure(way, Files.createTempDirectory(folder, "checkpoint"), rows, batches);
    }
  }

  /** A minute for each micro-batch; one row in five repeats a new key of the batch before. */
  private Dataset<Row> source(int rows) {
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

  private void measure(Way way, Path checkpoint, int rows, int batches) throws Exception {
    StreamingQuery query =
        way.distinct()
            .apply(source(rows))
            .observe("out", functions.count(functions.lit(1)).as("rows"))
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
    long emitted = 0;
    for (StreamingQueryProgress batch : progress) {
      emitted += requireNonNull(batch.observedMetrics().get("out")).<Long>getAs("rows");
    }
    StateOperatorProgress state = progress.get(progress.size() - 1).stateOperators()[0];
    long bytes = requireNonNull(state.customMetrics().get("rocksdbSstFileSize"));
    long keys = rows + (batches - 1L) * rows * 4 / 5;
    add(
        "| %s | %,.0f | %d | %.1f | %d |",
        way.name(), rates[rates.length / 2], state.numRowsTotal(), bytes / 1e6, keys - emitted);
  }
}
