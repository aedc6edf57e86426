package dev.tamis.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

/**
 * Compares the ways to remove repeated rows: time, bytes shuffled and bytes spilled, as a table.
 *
 * <p>Run by {@code bench/spark-compare}. Arguments: a directory for the data, the file for the
 * table, megabytes of rows for each data set, bytes per row and percentages of repeats, the last
 * two separated by commas.
 */
final class DistinctComparison {

  private static final int ROUNDS = 2;
  private static final int PARTITIONS = 16;

  private final SparkSession spark;
  private final Path folder;
  private final Table table;
  private final Costs costs = new Costs();

  private DistinctComparison(SparkSession spark, Path folder, Table table) {
    this.spark = spark;
    this.folder = folder;
    this.table = table;
    spark.sparkContext().addSparkListener(costs);
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    SparkSession spark =
        LocalSpark.builder()
            .config("spark.sql.shuffle.partitions", PARTITIONS)
            .config("spark.local.dir", folder.resolve("shuffle").toString())
            .getOrCreate();
    Table table =
        Table.start(
            Path.of(arguments[1]),
            "| bytes per row | rows | repeats | way | s | shuffled MB | spilled MB | rows kept |",
            "|---:|---:|---:|---|---:|---:|---:|---:|");
    DistinctComparison comparison = new DistinctComparison(spark, folder, table);
    long bytes = Long.parseLong(arguments[2]) << 20;
    comparison.warmUp();
    for (int width : numbers(arguments[3])) {
      for (int percent : numbers(arguments[4])) {
        comparison.measure(width, bytes / width, percent);
      }
    }
    spark.stop();
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private record Way(String name, UnaryOperator<Dataset<Row>> distinct) {}

  private static List<Way> ways(long rows) {
    return List.of(
        new Way("`dropDuplicates`", Dataset::dropDuplicates),
        new Way("`exactDistinct`", in -> TamisSpark.exactDistinct(in).rows()),
        new Way(
            "`approximateDistinct`, 0.1 %",
            in -> TamisSpark.approximateDistinct(in, rows, 0.001).rows()));
  }

  /** Long enough for the JIT: the same ways over a million short rows. */
  private void warmUp() throws Exception {
    long rows = 1_000_000;
    Dataset<Row> data = data(50, rows, 10);
    for (Way way : ways(rows)) {
      measure(data, way);
    }
  }

  /** Rows of hexadecimal digits, which compress to half; a share of them comes twice. */
  private Dataset<Row> data(int width, long rows, int percent) {
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

  /** Writes a line for each way, with the last of its rounds. */
  private void measure(int width, long rows, int percent) throws Exception {
    Dataset<Row> data = data(width, rows, percent);
    for (Way way : ways(rows)) {
      Cost cost = measure(data, way);
      for (int round = 1; round < ROUNDS; round++) {
        cost = measure(data, way);
      }
      table.add(
          "| %d | %.1e | %d %% | %s | %.1f | %.0f | %.0f | %d |",
          width,
          (double) rows,
          percent,
          way.name(),
          cost.seconds(),
          cost.shuffled() / 1e6,
          cost.spilled() / 1e6,
          cost.rows());
    }
  }

  private record Cost(double seconds, long shuffled, long spilled, long rows) {}

  private Cost measure(Dataset<Row> data, Way way) throws Exception {
    System.gc();
    costs.reset(spark);
    Observation kept = new Observation();
    long start = System.nanoTime();
    way.distinct()
        .apply(data)
        .observe(kept, functions.count(functions.lit(1)).as("rows"))
        .write()
        .format("noop")
        .mode("overwrite")
        .save();
    double seconds = (System.nanoTime() - start) / 1e9;
    costs.settle(spark);
    return new Cost(seconds, costs.shuffled.sum(), costs.spilled.sum(), kept.getRow().getLong(0));
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
