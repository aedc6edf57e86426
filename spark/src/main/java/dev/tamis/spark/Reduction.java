package dev.tamis.spark;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * The rows of a data set whose key might be in a filter: what a join or a lookup has to look at.
 *
 * <p>Build the filter from the smaller side of a join and reduce the larger side before it is
 * shuffled. The filter goes to each executor once, as its bytes. A row with a null key is dropped,
 * as an inner join would.
 *
 * @param <T> the type of row
 */
public final class Reduction<T> {

  private static final String MIGHT = "tamis_might";

  private final Dataset<T> rows;
  private final Observation observation;
  private final long filterBytes;
  private final double fpp;

  private Reduction(Dataset<T> rows, Observation observation, long filterBytes, double fpp) {
    this.rows = rows;
    this.observation = observation;
    this.filterBytes = filterBytes;
    this.fpp = fpp;
  }

  static <T, K, F extends HashedFilter<? extends K> & Storable> Reduction<T> of(
      Dataset<T> dataset, KeyColumns<K> columns, F filter) {
    Column might = MightContain.column(dataset, filter, columns.of(dataset));
    Observation observation = new Observation();
    Dataset<T> observed =
        dataset.observe(
            observation,
            functions.count(functions.lit(1)).as("read"),
            functions.count_if(might).as(MIGHT));
    return new Reduction<>(
        observed.where(might), observation, filter.serializedSize(), filter.expectedFpp());
  }

  /** Returns the rows that remain. */
  public Dataset<T> rows() {
    return rows;
  }

  /** Returns the counts of the first query of {@link #rows}; empty until it is complete. */
  public Optional<Report> report() {
    if (!observation.future().isCompleted()) {
      return Optional.empty();
    }
    Row counts = observation.getRow();
    return Optional.of(new Report(counts.getLong(0), counts.getLong(1), filterBytes, fpp));
  }

  /**
   * What a reduction has saved.
   *
   * @param rows rows read
   * @param kept rows that remained
   * @param filterBytes bytes sent to each executor
   * @param fpp the fpp of the filter
   */
  public record Report(long rows, long kept, long filterBytes, double fpp) {

    /** Returns about how many of the rows that remained are false positives. */
    public double expectedFalsePositives() {
      return fpp < 1 ? Math.max(0, fpp * (rows - kept) / (1 - fpp)) : rows;
    }

    /**
     * Returns the bytes that the shuffle was spared, less those of the filter; below zero if it did
     * not pay off.
     *
     * @param shuffledBytesPerRow what a row takes in the shuffle: its bytes written by the records,
     *     from the stage in Spark's user interface
     * @param executors the processes that received the filter
     */
    public long savedBytes(long shuffledBytesPerRow, int executors) {
      return (rows - kept) * shuffledBytesPerRow - filterBytes * executors;
    }
  }
}
