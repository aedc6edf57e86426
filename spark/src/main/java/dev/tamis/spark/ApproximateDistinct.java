package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

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
    RowKeys<T> keys = RowKeys.of(dataset, columns);
    int partitions =
        Integer.parseInt(dataset.sparkSession().conf().get("spark.sql.shuffle.partitions"));
    PartitionCounts<FirstOfKey.Counts> counts = new PartitionCounts<>();
    dataset.sparkSession().sparkContext().register(counts);
    long expected = expectedInPartition(expectedRows, partitions);
    // a number of partitions of its own keeps the adaptive planner from joining any
    Dataset<T> shuffled = keys.rows().repartition(partitions, keys.hash());
    Column isFirst =
        ExpressionUtils.column(
            new FirstOfKey(expected, fpp, counts, ExpressionUtils.expression(keys.hash())));
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
   * Returns the counts of the last query of {@link #rows}, which the tasks report as they end:
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
    // the estimate of what was dropped has a standard deviation, and is often above a right number
    return kept + wrongDrops - 4 * Math.sqrt(wrongDrops) > expectedRows
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

  /**
   * Tells whether a hash is the first occurrence in its partition, by a Bloom filter that the task
   * fills.
   *
   * <p>Not deterministic in the sense of Spark: the answer depends on the rows before.
   */
  @SuppressWarnings("serial") // Spark's expressions declare no version either
  private static final class FirstOfKey extends FilterExpression {

    private static final String NAME = "tamis_first_of_key";

    record Counts(long rows, long kept, double expectedWrongDrops) implements Serializable {}

    private final long expectedKeys;
    private final double fpp;
    private final PartitionCounts<FirstOfKey.Counts> counts;
    private transient @Nullable BloomFilter<Long> filter;
    private transient long rows;

    FirstOfKey(
        long expectedKeys, double fpp, PartitionCounts<FirstOfKey.Counts> counts, Expression hash) {
      this(expectedKeys, fpp, counts, Arguments.of(List.of(hash)));
    }

    private FirstOfKey(
        long expectedKeys,
        double fpp,
        PartitionCounts<FirstOfKey.Counts> counts,
        Seq<Expression> arguments) {
      super(NAME, arguments);
      this.expectedKeys = expectedKeys;
      this.fpp = fpp;
      this.counts = counts;
    }

    @Override
    FilterExpression with(Seq<Expression> arguments) {
      return new FirstOfKey(expectedKeys, fpp, counts, arguments);
    }

    @Override
    public boolean nullable() {
      return false;
    }

    @Override
    public boolean deterministic() {
      return false;
    }

    @Override
    public DataType dataType() {
      return DataTypes.BooleanType;
    }

    @Override
    public Object eval(InternalRow input) {
      if (filter == null) {
        filter =
            BloomFilter.<Long>builder(KeyHasher.longs())
                .expectedKeys(expectedKeys)
                .fpp(fpp)
                .singleThreaded()
                .build();
        TaskContext context = requireNonNull(TaskContext.get(), "a query runs in a task");
        TaskCompletionListener whenDone = done -> count(done.partitionId());
        context.addTaskCompletionListener(whenDone);
      }
      rows++;
      return filter.putLong((long) argument(0).eval(input));
    }

    private void count(int partition) {
      BloomFilter<Long> seen = requireNonNull(filter, "built before the listener was added");
      counts.add(
          new PartitionCounts.OfPartition<>(
              partition, new Counts(rows, seen.acceptedKeys(), seen.expectedWrongDrops())));
    }
  }
}
