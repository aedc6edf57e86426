package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
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

  /** Does what {@link #keys(Dataset, KeyHasher)} does for an RDD. */
  public static <T> SparkKeys<T> keys(JavaRDD<T> rdd, KeyHasher<? super T> hasher) {
    return new SparkKeys<>(rdd, new Whole<>(requireNonNull(hasher, "hasher")), hasher);
  }

  /** A key in the first column of a row. */
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

  /** An element that is the key. */
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
