package dev.tamis.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Compares the ways to remove repeated rows: time, bytes shuffled and bytes spilled, as a table.
 *
 * <p>Run by {@code bench/spark-compare}. Arguments: a directory for the data, and megabytes of rows
 * for each of the nine data sets, and the file to which the table is added.
 */
final class DistinctComparison {

  private static final int[] WIDTHS = {20, 200, 2_000};
  private static final int[] PERCENT_REPEATS = {1, 10, 50};
  private static final int PARTITIONS = 16;

  private DistinctComparison() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    long bytes = Long.parseLong(arguments[1]) << 20;
    Path table = Path.of(arguments[2]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", PARTITIONS)
            .config("spark.local.dir", folder.resolve("shuffle").toString())
            .getOrCreate();
    Costs costs = new Costs();
    spark.sparkContext().addSparkListener(costs);
    warmUp(spark, folder);
    write(
        table,
        "| bytes per row | rows | repeats | way | s | shuffled MB | spilled MB | rows kept |");
    write(table, "|---:|---:|---:|---|---:|---:|---:|---:|");
    for (int width : WIDTHS) {
      for (int percent : PERCENT_REPEATS) {
        long rows = bytes / width;
        Dataset<Row> data = data(spark, folder, width, rows, percent);
        List<Way> ways =
            List.of(
                new Way("`dropDuplicates`", Dataset::dropDuplicates),
                new Way("`exactDistinct`", in -> TamisSpark.exactDistinct(in).rows()),
                new Way(
                    "`approximateDistinct`, 0.1 %",
                    in -> TamisSpark.approximateDistinct(in, rows, 0.001).rows()));
        for (Way way : ways) {
          measure(table, spark, costs, data, way, width, rows, percent);
        }
      }
    }
    spark.stop();
  }

  private record Way(String name, UnaryOperator<Dataset<Row>> distinct) {}

  private static void warmUp(SparkSession spark, Path folder) {
    Dataset<Row> data = data(spark, folder, 50, 100_000, 10);
    data.dropDuplicates().write().format("noop").mode("overwrite").save();
    TamisSpark.exactDistinct(data).rows().write().format("noop").mode("overwrite").save();
    TamisSpark.approximateDistinct(data, 100_000, 0.001)
        .rows()
        .write()
        .format("noop")
        .mode("overwrite")
        .save();
  }

  /** Rows of hexadecimal digits, which compress to half; a share of them comes twice. */
  private static Dataset<Row> data(
      SparkSession spark, Path folder, int width, long rows, int percent) {
    String path = folder.resolve(width + "-" + percent + "-" + rows).toString();
    long distinct = rows - rows * percent / 100;
    int digests = Math.max(1, (width - 12) / 64);
    StringBuilder text = new StringBuilder("lpad(id % " + distinct + ", 12, '0')");
    for (int i = 0; i < digests; i++) {
      text.append(", sha2(concat(")
          .append(i)
          .append(", ':', id % ")
          .append(distinct)
          .append("), 256)");
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

  private static void measure(
      Path table,
      SparkSession spark,
      Costs costs,
      Dataset<Row> data,
      Way way,
      int width,
      long rows,
      int percent)
      throws Exception {
    System.gc();
    costs.reset(spark);
    long start = System.nanoTime();
    Dataset<Row> distinct = way.distinct().apply(data);
    distinct.write().format("noop").mode("overwrite").save();
    double seconds = (System.nanoTime() - start) / 1e9;
    costs.settle(spark);
    long shuffled = costs.shuffled.sum();
    long spilled = costs.spilled.sum();
    write(
        table,
        String.format(
            Locale.ROOT,
            "| %d | %.1e | %d %% | %s | %.1f | %.0f | %.0f | %d |",
            width,
            (double) rows,
            percent,
            way.name(),
            seconds,
            shuffled / 1e6,
            spilled / 1e6,
            distinct.count()));
  }

  private static void write(Path table, String line) throws IOException {
    Files.writeString(table, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** What the tasks have written for the shuffle, and spilled. */
  private static final class Costs extends SparkListener {
    private final LongAdder shuffled = new LongAdder();
    private final LongAdder spilled = new LongAdder();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      TaskMetrics metrics = end.taskMetrics();
      if (metrics != null) {
        shuffled.add(metrics.shuffleWriteMetrics().bytesWritten());
        spilled.add(metrics.diskBytesSpilled());
      }
    }

    void settle(SparkSession spark) throws Exception {
      spark.sparkContext().listenerBus().waitUntilEmpty();
    }

    void reset(SparkSession spark) throws Exception {
      settle(spark);
      shuffled.reset();
      spilled.reset();
    }
  }
}
