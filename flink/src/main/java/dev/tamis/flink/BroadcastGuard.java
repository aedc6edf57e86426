package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps elements from a lookup whose keys a filter rules out, by filters that come as a stream.
 *
 * <p>The elements of the second stream are filters as the bytes of their files, in whole. The last
 * one is in broadcast state, so a restored job goes on with it. Until the first one has come all
 * elements are possible. Bytes that are no filter are counted and logged, and the filter before
 * stays.
 *
 * <pre>{@code
 * BroadcastGuard<Event> guard = BroadcastGuard.of(Event::customer, KeyHasher.text());
 * SingleOutputStreamOperator<Event> possible = guard.possibleOf(events, filters).uid("guard");
 * }</pre>
 *
 * <p>Where the filter is in a file or in Redis, {@link LookupGuard} needs no stream.
 *
 * @param <T> the type of element
 */
public final class BroadcastGuard<T> extends BroadcastProcessFunction<T, byte[], T> {

  private static final long serialVersionUID = 1;

  /** Broadcast state is a map: this is the key of its only entry. */
  private static final int ONLY = 0;

  private static final MapStateDescriptor<Integer, byte[]> STATE =
      new MapStateDescriptor<>(
          "tamis-filter", Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final GuardFilter<T, ?> filter;
  private transient boolean restored;

  private BroadcastGuard(GuardFilter<T, ?> filter) {
    this.filter = filter;
  }

  /**
   * Returns a guard.
   *
   * @param key returns the key of an element, never null
   * @param hasher must hash as those that filled the filters
   */
  public static <T, K> BroadcastGuard<T> of(KeySelector<T, K> key, KeyHasher<? super K> hasher) {
    requireNonNull(hasher, "hasher");
    return new BroadcastGuard<>(new GuardFilter<>(key, bytes -> read(bytes, hasher)));
  }

  private static <K> Filter<K> read(byte[] bytes, KeyHasher<? super K> hasher) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    Filter<K> read = Filters.readFrom(in, hasher, bytes.length);
    if (in.available() > 0) {
      throw new IOException(
          "filter: end: must be the end of the element, got " + in.available() + " more bytes");
    }
    return read;
  }

  /**
   * Returns the elements whose keys may be present, which are to be looked up.
   *
   * @param filters filters as the bytes of their files, each in place of the one before
   */
  public SingleOutputStreamOperator<T> possibleOf(
      DataStream<T> elements, DataStream<byte[]> filters) {
    return elements
        .connect(filters.broadcast(STATE))
        .process(this, elements.getType())
        .name("broadcast guard");
  }

  /**
   * Returns the elements whose keys are certainly absent.
   *
   * @param possible the stream that {@link #possibleOf} returned
   */
  public DataStream<T> ruledOutOf(SingleOutputStreamOperator<T> possible) {
    return GuardFilter.ruledOutOf(possible);
  }

  @Override
  public void open(OpenContext context) {
    filter.open(getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement(T element, ReadOnlyContext context, Collector<T> out)
      throws Exception {
    if (!restored) {
      restored = true;
      byte[] bytes = context.getBroadcastState(STATE).get(ONLY);
      if (bytes != null) {
        boolean unused = filter.load(bytes);
      }
    }
    if (filter.isPossible(element)) {
      out.collect(element);
    } else {
      context.output(filter.ruledOutTag(), element);
    }
  }

  @Override
  public void processBroadcastElement(byte[] bytes, Context context, Collector<T> out)
      throws Exception {
    if (filter.refresh(BroadcastGuard.class, bytes)) {
      restored = true; // the filter in the state is older
      context.getBroadcastState(STATE).put(ONLY, bytes);
    }
  }
}
