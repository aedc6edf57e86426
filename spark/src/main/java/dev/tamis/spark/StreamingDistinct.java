package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A stream without repeats within a window of event time, in state of bounded size.
 *
 * <p>A row is dropped if a row with its key was emitted in the same period of event time or in a
 * neighbouring one. So the rows of a key that are emitted are more than a window apart, and a key
 * is forgotten after one to two windows. About a share {@code fpp} of the new keys is dropped
 * wrongly. A row without a key is always emitted.
 *
 * <p>Each bucket of keys has a Bloom filter for each period in the state store. The watermark
 * removes the periods that no row can belong to or be compared with any more; rows behind it are
 * dropped, as everywhere. What a row becomes depends on the rows before it and on event time alone,
 * so a replay after a failure gives the same rows, and no key is emitted twice.
 *
 * <pre>{@code
 * Dataset<Row> once =
 *     TamisSpark.streamingDistinct(KeyColumns.text("id"))
 *         .eventTime("time")
 *         .window(Duration.ofHours(1))
 *         .expectedKeys(100_000_000)
 *         .fpp(0.001)
 *         .of(events.withWatermark("time", "10 minutes"));
 * }</pre>
 *
 * <p>The parameters belong to the checkpoint: a query that continues with others fails and names
 * them. Needs the RocksDB state store.
 */
public final class StreamingDistinct {

  /** The least and the default number of buckets: of some KB each for millions of keys. */
  public static final int DEFAULT_BUCKETS = 1_024;

  /** The most buckets: each has entries of its own in the state store. */
  public static final int MAX_BUCKETS = 1 << 20;

  static final int GROUP_BITS = 10;

  /**
   * The keys of the state store. Not a setting: so the group of a key has what was stored of it,
   * whatever the settings were then, and other settings are found out before they can do harm.
   */
  private static final int GROUPS = 1 << GROUP_BITS;

  /** The periods that a row is compared with: its own and both neighbours. */
  private static final int PERIODS = 3;

  private static final String PROVIDER = "spark.sql.streaming.stateStore.providerClass";

  private final KeyColumns<?> columns;
  private @Nullable String eventTime;
  private @Nullable Duration window;
  private long expectedKeys;
  private double fpp;
  private int buckets = DEFAULT_BUCKETS;

  StreamingDistinct(KeyColumns<?> columns) {
    this.columns = requireNonNull(columns, "columns");
  }

  /** Sets the column of event time, a timestamp, on which the stream has its watermark. */
  public StreamingDistinct eventTime(String column) {
    this.eventTime = requireNonNull(column, "column");
    return this;
  }

  /** Sets how long a key is remembered at least, in event time; at least a millisecond. */
  public StreamingDistinct window(Duration window) {
    if (window.toMillis() < 1) {
      throw new IllegalArgumentException("window must be at least 1 ms, got " + window);
    }
    this.window = window;
    return this;
  }

  /** Sets n, the distinct keys expected within a window; at least 1. */
  public StreamingDistinct expectedKeys(long expectedKeys) {
    this.expectedKeys = Checks.expectedKeys(expectedKeys);
    return this;
  }

  /** Sets p, the probability that a new key is dropped; strictly between 0 and 1. */
  public StreamingDistinct fpp(double fpp) {
    this.fpp = Checks.fpp(fpp);
    return this;
  }

  /**
   * Sets the number of buckets, a power of two (default and least: {@value #DEFAULT_BUCKETS}). A
   * micro-batch reads and writes the filters of the buckets that it has rows of, so more buckets
   * suit small batches.
   */
  public StreamingDistinct buckets(int buckets) {
    if (buckets < GROUPS || buckets > MAX_BUCKETS || Integer.bitCount(buckets) != 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "buckets must be a power of two from %d to %d, got %d",
              GROUPS,
              MAX_BUCKETS,
              buckets));
    }
    this.buckets = buckets;
    return this;
  }

  /**
   * Returns the stream without its repeats, in append mode.
   *
   * @throws IllegalStateException if a setting is missing, or Spark has another state store
   * @throws IllegalArgumentException if a column has another type than the one named
   */
  public Dataset<Row> of(Dataset<Row> stream) {
    if (eventTime == null || window == null || expectedKeys == 0 || fpp == 0) {
      throw new IllegalStateException("need eventTime, window, expectedKeys and fpp");
    }
    requireRocksDb(stream);
    List<Attribute> times = Columns.named(stream, List.of(eventTime));
    Attribute time = times.get(0);
    if (times.size() > 1 || !time.dataType().equals(DataTypes.TimestampType)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column %s: must be one column of type timestamp, got %s",
              eventTime,
              times.stream().map(found -> found.dataType().simpleString()).toList()));
    }
    Column hash =
        ExpressionUtils.column(new KeyHash(ExpressionUtils.expression(columns.of(stream))));
    // the low bits: the high ones choose the cache line within the filter of a bucket
    Column group = functions.coalesce(hash.bitwiseAND(GROUPS - 1L), functions.lit(0L)).cast("int");
    List<Attribute> given = Columns.of(stream);
    int width = given.size();
    Column[] keyed = new Column[width + 2];
    Arrays.setAll(keyed, i -> i < width ? ExpressionUtils.column(given.get(i)) : hash);
    keyed[width + 1] = group;
    MapFunction<Row, Integer> toGroup = row -> row.getInt(width + 1);
    BucketParameters parameters =
        new BucketParameters(
            columns.toString(), time.name(), window.toMillis(), expectedKeys, fpp, buckets);
    return stream
        .select(keyed)
        .groupByKey(toGroup, Encoders.INT())
        .transformWithState(
            new BucketState(width, given.indexOf(time), buckets / GROUPS, parameters, empty()),
            time.name(),
            OutputMode.Append(),
            Encoders.row(stream.schema()));
  }

  private byte[] empty() {
    double keys = (double) expectedKeys / buckets;
    return BloomFilter.<Long>create(
            KeyHasher.longs(),
            Math.max(1, (long) Math.ceil(keys + 4 * Math.sqrt(keys))),
            -Math.expm1(Math.log1p(-fpp) / PERIODS))
        .toByteArray();
  }

  private static void requireRocksDb(Dataset<Row> stream) {
    String provider = stream.sparkSession().conf().get(PROVIDER);
    if (!provider.contains("RocksDB")) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%s must be the provider of RocksDB, which Spark needs for transformWithState, got"
                  + " %s; set it to"
                  + " org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
              PROVIDER,
              provider));
    }
  }
}
