package dev.tamis.spark;

import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.classic.ExpressionUtils;

/**
 * The distinct rows of a data set but for a few that are dropped wrongly, in one pass and fixed
 * memory.
 *
 * <p>Rows are shuffled by their hash, and each task drops those whose hash a Bloom filter already
 * has. A task needs the memory of its filter and no more, sorts nothing and spills nothing. About a
 * share {@code fpp} of the distinct rows that come last are lost; {@link #report} says how many
 * that are to be expected. Where none may be lost use {@link ExactDistinct}.
 *
 * @param <T> the type of row
 */
public final class ApproximateDistinct<T> {

  private final Dataset<T> rows;
  private final PartitionCounts<FirstOfKey.Counts> counts;
  private final long expectedRows;

  private ApproximateDistinct(
      Dataset<T> rows, PartitionCounts<FirstOfKey.Counts> counts, long expectedRows) {
    this.rows = rows;
    this.counts = counts;
    this.expectedRows = expectedRows;
  }

  static <T> ApproximateDistinct<T> of(
      Dataset<T> dataset, long expectedRows, double fpp, String... columns) {
    RowKeys keys = RowKeys.of(dataset, columns);
    int partitions =
        Integer.parseInt(dataset.sparkSession().conf().get("spark.sql.shuffle.partitions"));
    PartitionCounts<FirstOfKey.Counts> counts = new PartitionCounts<>();
    dataset.sparkSession().sparkContext().register(counts);
    long expected = expectedInPartition(expectedRows, partitions);
    // a number of partitions of its own keeps the adaptive planner from joining any
    Dataset<T> shuffled = dataset.repartition(partitions, keys.hash(dataset));
    Column isFirst =
        ExpressionUtils.column(
            new FirstOfKey(expected, fpp, counts, ExpressionUtils.expression(keys.hash(shuffled))));
    return new ApproximateDistinct<>(shuffled.where(isFirst), counts, expectedRows);
  }

  /** Returns the mean with four standard deviations, so that no partition is over capacity. */
  static long expectedInPartition(long expectedRows, int partitions) {
    double mean = (double) expectedRows / partitions;
    return Math.max(1, (long) Math.ceil(mean + 4 * Math.sqrt(mean)));
  }

  /** Returns the rows that are kept. Each query of them is one pass. */
  public Dataset<T> rows() {
    return rows;
  }

  /**
   * Returns what the last query of {@link #rows} has counted, which the tasks report as they end:
   * complete when the query is.
   */
  public Report report() {
    long read = 0;
    long kept = 0;
    double wrongDrops = 0;
    for (FirstOfKey.Counts partition : counts.value().values()) {
      read += partition.rows();
      kept += partition.kept();
      wrongDrops += partition.expectedWrongDrops();
    }
    return new Report(read, kept, wrongDrops, warning(kept, wrongDrops));
  }

  private Optional<String> warning(long kept, double wrongDrops) {
    return kept + wrongDrops > expectedRows
        ? Warnings.logged(
            String.format(
                Locale.ROOT,
                "the filters were built for %d distinct rows and kept %d: about %.0f were dropped"
                    + " wrongly; give more expectedRows",
                expectedRows,
                kept,
                wrongDrops))
        : Optional.empty();
  }

  /**
   * What a query has counted.
   *
   * @param rows rows read
   * @param kept rows kept as the first of their kind
   * @param expectedWrongDrops the distinct rows among the others, as an expected number
   * @param warning that there were more distinct rows than expected; empty if all is well
   */
  public record Report(long rows, long kept, double expectedWrongDrops, Optional<String> warning) {}
}
