package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The filters of one group of keys in the state store: one for each bucket and period of event
 * time. With them are the parameters, which no run can change.
 */
final class BucketState extends StatefulProcessor<Integer, Row, Row> {

  private static final long serialVersionUID = 1;

  /** The name of the state, with its version: it holds files of kind 1, and the parameters. */
  private static final String NAME = "tamis-periods-1";

  /** The key of the parameters, which no period of a timestamp reaches. */
  private static final long PARAMETERS = Long.MIN_VALUE;

  private final int width;
  private final int timeAt;
  private final int buckets;
  private final BucketParameters parameters;
  private final byte[] empty;
  private transient @Nullable MapState<Long, byte[]> periods;

  /**
   * Creates the state of a stream.
   *
   * @param width the columns to emit; the hash of the key follows
   * @param timeAt the index of event time
   * @param buckets the buckets of a group, a power of two
   * @param empty the filter of a bucket, without keys
   */
  BucketState(int width, int timeAt, int buckets, BucketParameters parameters, byte[] empty) {
    this.width = width;
    this.timeAt = timeAt;
    this.buckets = buckets;
    this.parameters = parameters;
    this.empty = empty;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    periods = getHandle().getMapState(NAME, Encoders.LONG(), Encoders.BINARY(), TTLConfig.NONE());
  }

  @Override
  public Iterator<Row> handleInputRows(Integer group, Iterator<Row> rows, TimerValues timers) {
    MapState<Long, byte[]> stored = stored();
    Map<Long, @Nullable BloomFilter<Long>> open = new TreeMap<>();
    Set<Long> changed = new HashSet<>();
    List<Row> emitted = new ArrayList<>();
    while (rows.hasNext()) {
      Row row = rows.next();
      if (row.isNullAt(width) || row.isNullAt(timeAt)) {
        emitted.add(output(row));
        continue;
      }
      long hash = row.getLong(width);
      long period = Math.floorDiv(row.getTimestamp(timeAt).getTime(), parameters.windowMillis());
      long at = period * buckets + bucketOf(hash);
      if (isIn(open, stored, at, hash)
          || isIn(open, stored, at - buckets, hash)
          || isIn(open, stored, at + buckets, hash)) {
        continue;
      }
      BloomFilter<Long> filter = open.get(at);
      if (filter == null) {
        filter = read(empty);
        open.put(at, filter);
        getHandle().registerTimer(expiry(period));
      }
      if (filter.putLong(hash)) {
        changed.add(at);
        emitted.add(output(row));
      }
    }
    for (long at : changed) {
      stored.updateValue(at, requireNonNull(open.get(at)).toByteArray());
    }
    return CollectionConverters.asScala(emitted.iterator());
  }

  /** Returns the bucket by bits between those of the group and those of the cache line. */
  private long bucketOf(long hash) {
    return (hash >>> StreamingDistinct.GROUP_BITS) & (buckets - 1);
  }

  /** Returns the state of the group, which is that of the same parameters. */
  private MapState<Long, byte[]> stored() {
    MapState<Long, byte[]> stored = requireNonNull(periods, "set by init");
    if (stored.containsKey(PARAMETERS)) {
      parameters.requireSame(stored.getValue(PARAMETERS));
    } else {
      stored.updateValue(PARAMETERS, parameters.toBytes());
    }
    return stored;
  }

  private boolean isIn(
      Map<Long, @Nullable BloomFilter<Long>> open,
      MapState<Long, byte[]> stored,
      long at,
      long hash) {
    BloomFilter<Long> filter;
    if (open.containsKey(at)) {
      filter = open.get(at);
    } else {
      filter = stored.containsKey(at) ? read(stored.getValue(at)) : null;
      open.put(at, filter);
    }
    return filter != null && filter.mightContainLong(hash);
  }

  private static BloomFilter<Long> read(byte[] bytes) {
    try {
      return BloomFilter.readFrom(new ByteArrayInputStream(bytes), KeyHasher.longs(), bytes.length);
    } catch (IOException e) {
      throw new IllegalStateException("the state is damaged: " + e.getMessage(), e);
    }
  }

  private Row output(Row row) {
    Object[] values = new Object[width];
    for (int i = 0; i < width; i++) {
      values[i] = row.get(i);
    }
    return RowFactory.create(values);
  }

  /** Returns the time after which no row can belong to a period or be compared with it. */
  private long expiry(long period) {
    return (period + 2) * parameters.windowMillis();
  }

  @Override
  public Iterator<Row> handleExpiredTimer(
      Integer group, TimerValues timers, ExpiredTimerInfo expired) {
    MapState<Long, byte[]> stored = stored();
    long period = expired.getExpiryTimeInMs() / parameters.windowMillis() - 2;
    for (int bucket = 0; bucket < buckets; bucket++) {
      stored.removeKey(period * buckets + bucket);
    }
    return CollectionConverters.asScala(List.<Row>of().iterator());
  }
}
