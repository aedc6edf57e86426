package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Where to begin: filters built from distributed data sets, and data sets filtered by them.
 *
 * <pre>{@code
 * BloomFilter<CharSequence> seen =
 *     TamisSpark.filter(pages, KeyColumns.text("url"), 1_000_000_000, 0.01);
 * FilterFile.save(Path.of("seen.tamis"), seen);
 * }</pre>
 */
public final class TamisSpark {

  private TamisSpark() {}

  /**
   * Adds the functions of SQL to a session: {@code tamis_build}, {@code tamis_might_contain},
   * {@code tamis_merge}, {@code tamis_overlap}, {@code tamis_info} and {@code tamis_count}. Where
   * Spark's configuration is yours, {@link TamisExtensions} does it for all sessions.
   *
   * @throws IllegalArgumentException if the session is that of a Spark Connect client, whose server
   *     needs the extensions
   */
  public static void register(SparkSession session) {
    if (!(session instanceof org.apache.spark.sql.classic.SparkSession)) {
      throw new IllegalArgumentException(
          "session: must run in the driver, got "
              + session.getClass().getName()
              + "; set spark.sql.extensions="
              + TamisExtensions.class.getName()
              + " on the server");
    }
    TamisExtensions.register(session);
  }

  /**
   * Returns a Bloom filter of the keys in columns of {@code dataset}: the short form of {@code
   * keys(dataset, columns).filter(expectedKeys, fpp)}. A filter over capacity is a warning in the
   * driver's log.
   *
   * @param expectedKeys n, distinct keys expected; at least 1
   * @param fpp p, false-positive probability once they are all in; strictly between 0 and 1
   * @throws IllegalArgumentException if a column has another type than the one named
   */
  public static <T> BloomFilter<T> filter(
      Dataset<?> dataset, KeyColumns<T> columns, long expectedKeys, double fpp) {
    return keys(dataset, columns).filter(expectedKeys, fpp).contents();
  }

  /**
   * Returns the keys in columns of {@code dataset}; also of a micro-batch, within {@code
   * foreachBatch}.
   *
   * @throws IllegalArgumentException if a column has another type than the one named
   */
  public static <T> SparkKeys<T> keys(Dataset<?> dataset, KeyColumns<T> columns) {
    Dataset<Row> key = dataset.select(columns.of(dataset));
    KeyReader reader = KeyReader.of(key.schema().fields()[0].dataType());
    JavaRDD<InternalRow> rows = key.queryExecution().toRdd().toJavaRDD();
    return new SparkKeys<>(rows, new FirstColumn(reader), columns.hasher());
  }

  /**
   * Returns the elements of {@code dataset} as keys.
   *
   * @param hasher says which bytes of an element count; must be serializable
   */
  public static <T> SparkKeys<T> keys(Dataset<T> dataset, KeyHasher<? super T> hasher) {
    return keys(dataset.toJavaRDD(), hasher);
  }

  /** Returns the elements of an RDD as keys; see {@link #keys(Dataset, KeyHasher)}. */
  public static <T> SparkKeys<T> keys(JavaRDD<T> rdd, KeyHasher<? super T> hasher) {
    return new SparkKeys<>(rdd, new Whole<>(requireNonNull(hasher, "hasher")), hasher);
  }

  /**
   * Returns the distinct rows of {@code dataset}, exactly, shuffling hashes in place of rows. The
   * call copies the rows within the executors and runs the first pass, a query of {@link
   * ExactDistinct#rows} the second.
   *
   * @param columns by which rows are repeats of each other; all if none are given
   * @throws IllegalArgumentException if it is a stream, or equal values of a column may have
   *     different hashes
   */
  public static <T> ExactDistinct<T> exactDistinct(Dataset<T> dataset, String... columns) {
    return ExactDistinct.of(dataset, columns);
  }

  /**
   * Returns the distinct rows of {@code dataset} but for about a share of {@code fpp}, in one pass
   * and fixed memory.
   *
   * @param expectedRows distinct rows expected; at least 1
   * @param fpp the probability that a distinct row is dropped once they are all there; strictly
   *     between 0 and 1
   * @param columns by which rows are repeats of each other; all if none are given
   * @throws IllegalArgumentException if equal values of a column may have different hashes
   */
  public static <T> ApproximateDistinct<T> approximateDistinct(
      Dataset<T> dataset, long expectedRows, double fpp, String... columns) {
    return ApproximateDistinct.of(dataset, expectedRows, fpp, columns);
  }

  /**
   * Starts the settings of a stream without repeats.
   *
   * @param columns the key of a row
   */
  public static StreamingDistinct streamingDistinct(KeyColumns<?> columns) {
    return new StreamingDistinct(columns);
  }

  /**
   * Returns the rows of {@code dataset} whose key might be in {@code filter}, for a join or a
   * lookup whose keys the filter holds.
   *
   * @param filter of any kind, with the hasher of {@code columns} and without a secret key
   * @throws IllegalArgumentException if a column has another type than the one named, or the filter
   *     has a secret key
   */
  public static <T, K, F extends HashedFilter<? extends K> & Storable> Reduction<T> reduce(
      Dataset<T> dataset, KeyColumns<K> columns, F filter) {
    return Reduction.of(dataset, columns, filter);
  }

  /**
   * Returns the share, from 0 to 1, of the keys of a text that are in a filter of {@code tamis
   * corpus build}: of its n-grams, or 1 if the whole paragraph or document is in it. {@code corpus
   * match --overlap 0.5} drops texts {@code where(overlap.geq(0.5))}.
   *
   * @param filter whose {@linkplain dev.tamis.corpus.UnitRule rule} says how keys are made of a
   *     text; it goes to each executor once, as its bytes
   * @param text a column of text, whole or one paragraph
   * @param minWords the fewest words of a text with keys; the share of a shorter one is 0
   * @throws IllegalArgumentException if the filter states no such rule, or has a secret key
   */
  public static <F extends HashedFilter<?> & Storable> Column overlap(
      Dataset<?> dataset, F filter, Column text, int minWords) {
    return TextOverlap.column(dataset, filter, text, minWords);
  }

  /** Returns the real size and fpp of a filter of {@code dataset.stat().bloomFilter(...)}. */
  public static SparkFilterCheck check(org.apache.spark.util.sketch.BloomFilter filter) {
    return SparkFilterCheck.of(filter);
  }

  private record FirstColumn(KeyReader reader) implements KeyHashes<InternalRow> {

    @Override
    public boolean isNull(InternalRow row) {
      return reader.isNull(row, 0);
    }

    @Override
    public long hash(InternalRow row, HashFunction function) {
      return reader.hash(row, 0, function);
    }
  }

  private record Whole<T>(KeyHasher<? super T> hasher) implements KeyHashes<T> {

    @Override
    @SuppressWarnings("ConstantValue") // data may have what the type does not
    public boolean isNull(T element) {
      return element == null;
    }

    @Override
    public long hash(T element, HashFunction function) {
      return hasher.hash(element, function);
    }
  }
}
