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

/** The filters of one bucket of keys in the state store, one for each period of event time. */
final class BucketState extends StatefulProcessor<Integer, Row, Row> {

  private static final long serialVersionUID = 1;

  /** The name of the state, with its version: what it holds is a file of kind 1. */
  private static final String NAME = "tamis-periods-1";

  private final int width;
  private final int timeAt;
  private final long windowMillis;
  private final byte[] empty;
  private transient @Nullable MapState<Long, byte[]> periods;

  /**
   * Creates the state of a stream.
   *
   * @param width the columns to emit; the hash of the key follows
   * @param timeAt the index of event time
   */
  BucketState(int width, int timeAt, long windowMillis, byte[] empty) {
    this.width = width;
    this.timeAt = timeAt;
    this.windowMillis = windowMillis;
    this.empty = empty;
  }

  @Override
  public void init(OutputMode outputMode, TimeMode timeMode) {
    periods = getHandle().getMapState(NAME, Encoders.LONG(), Encoders.BINARY(), TTLConfig.NONE());
  }

  @Override
  public Iterator<Row> handleInputRows(Integer bucket, Iterator<Row> rows, TimerValues timers) {
    MapState<Long, byte[]> stored = requireNonNull(periods, "set by init");
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
      long period = Math.floorDiv(row.getTimestamp(timeAt).getTime(), windowMillis);
      if (isIn(open, stored, period, hash)
          || isIn(open, stored, period - 1, hash)
          || isIn(open, stored, period + 1, hash)) {
        continue;
      }
      BloomFilter<Long> filter = open.get(period);
      if (filter == null) {
        filter = read(empty);
        open.put(period, filter);
        getHandle().registerTimer(expiry(period));
      }
      if (filter.putLong(hash)) {
        changed.add(period);
        emitted.add(output(row));
      }
    }
    for (long period : changed) {
      stored.updateValue(period, requireNonNull(open.get(period)).toByteArray());
    }
    return CollectionConverters.asScala(emitted.iterator());
  }

  private boolean isIn(
      Map<Long, @Nullable BloomFilter<Long>> open,
      MapState<Long, byte[]> stored,
      long period,
      long hash) {
    BloomFilter<Long> filter;
    if (open.containsKey(period)) {
      filter = open.get(period);
    } else {
      filter = stored.containsKey(period) ? read(stored.getValue(period)) : null;
      open.put(period, filter);
    }
    return filter != null && filter.mightContainLong(hash);
  }

  private BloomFilter<Long> read(byte[] bytes) {
    try {
      BloomFilter<Long> filter = open(bytes);
      if (bytes != empty && !sizing(filter).equals(sizing(open(empty)))) {
        throw new IllegalStateException(
            "the state was written with other parameters: its filters are "
                + sizing(filter)
                + ", requested are "
                + sizing(open(empty))
                + "; give the parameters of the checkpoint, or start with another one");
      }
      return filter;
    } catch (IOException e) {
      throw new IllegalStateException("the state is damaged: " + e.getMessage(), e);
    }
  }

  private static BloomFilter<Long> open(byte[] bytes) throws IOException {
    return BloomFilter.readFrom(new ByteArrayInputStream(bytes), KeyHasher.longs(), bytes.length);
  }

  private static String sizing(BloomFilter<Long> filter) {
    return filter.traits().toString();
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
    return (period + 2) * windowMillis;
  }

  @Override
  public Iterator<Row> handleExpiredTimer(
      Integer bucket, TimerValues timers, ExpiredTimerInfo expired) {
    long period = expired.getExpiryTimeInMs() / windowMillis - 2;
    requireNonNull(periods, "set by init").removeKey(period);
    return CollectionConverters.asScala(List.<Row>of().iterator());
  }
}
