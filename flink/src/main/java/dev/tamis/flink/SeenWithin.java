package dev.tamis.flink;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Drops the elements of a stream whose key occurred within a window of event time.
 *
 * <p>An element is dropped if its key occurred, accepted or dropped, less than the window away in
 * event time, earlier or later; the key is forgotten at the latest after the window and one
 * generation, a fraction of it. So a key that keeps coming is accepted once, until it pauses for
 * the window. For keys that are never forgotten see {@link Seen}.
 *
 * <p>What an element finds depends on the timestamps and the order of the elements of its bucket,
 * not on when watermarks arrive, so a replay after a failure decides as before. Watermarks only
 * free state that no element can need any more. An element is late if the watermark has passed the
 * end of its generation by the allowed lateness; it is neither accepted nor dropped, but in {@link
 * #lateOf}.
 *
 * @param <T> the type of element
 */
public final class SeenWithin<T> extends SeenFunction<T> {

  /*
   * Generation g has the elements from g·d up to (g + 1)·d, d = W/G. Two elements less than W apart
   * are at most G generations apart, so an element of g looks into g − G to g + G and is put into g.
   * It is late once the watermark has reached the end of g plus the lateness. Hence h is not
   * queried any more when h + G is late, which is when a timer removes h.
   */

  private static final long serialVersionUID = 1;

  private static final String LATE = "tamis-late";

  private final long allowedLatenessMillis;
  private final OutputTag<T> late = untyped(LATE);
  private transient MapState<Long, Bucket> state;

  SeenWithin(ElementHasher<T, ?> hasher, SeenParameters parameters, long allowedLatenessMillis) {
    super(hasher, parameters);
    this.allowedLatenessMillis = allowedLatenessMillis;
  }

  /**
   * Returns the elements that came too late to be judged.
   *
   * @param first the stream that {@link #firstOf} returned
   */
  public DataStream<T> lateOf(SingleOutputStreamOperator<T> first) {
    return first.getSideOutput(new OutputTag<>(LATE, first.getType()));
  }

  @Override
  String name() {
    return "seen within";
  }

  @Override
  public void open(OpenContext context) throws Exception {
    super.open(context);
    state =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(STATE, LongSerializer.INSTANCE, taskState().serializer()));
  }

  @Override
  public void processElement(T element, Context context, Collector<T> out) throws Exception {
    Long timestamp = context.timestamp();
    if (timestamp == null) {
      throw new IllegalStateException(
          "SeenWithin: an element has no timestamp; call assignTimestampsAndWatermarks before it");
    }
    long generation = Math.floorDiv(timestamp, generationMillis());
    if (lateFrom(generation) <= context.timerService().currentWatermark()) {
      taskState().metrics().late();
      context.output(late, element);
      return;
    }
    TaskState here = taskState();
    SeenMetrics metrics = here.metrics();
    int number = context.getCurrentKey();
    long hash = hasher().hash(element);
    boolean found = false;
    double passes = 1;
    for (long other = generation - generations(); other <= generation + generations(); other++) {
      Bucket bucket = state.get(other);
      if (bucket != null) {
        metrics.visit(other, number, bucket);
        passes *= 1 - here.fpp().of(number, bucket.keys());
        found |= here.buckets().mightContain(bucket, number, hash);
      }
    }
    remember(generation, hash, context);
    if (found) {
      metrics.drop(1 - passes);
      context.output(repeatedTag(), element);
    } else {
      metrics.accept(1 - passes);
      out.collect(element);
    }
  }

  /** Puts a key into its generation, even if it was found in another. */
  private void remember(long generation, long hash, Context context) throws Exception {
    TaskState here = taskState();
    int number = context.getCurrentKey();
    Bucket bucket = state.get(generation);
    if (bucket == null) {
      bucket = here.buckets().empty(number);
      here.metrics().visit(generation, number, bucket);
      context.timerService().registerEventTimeTimer(lateFrom(generation + generations()));
    }
    int added = here.buckets().put(bucket, number, hash);
    if (added > 0) {
      state.put(generation, bucket);
      here.metrics().addSetBits(added);
      here.metrics().warnIfOverfull(number, bucket);
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<T> out) throws Exception {
    long watermark = context.timerService().currentWatermark();
    List<Long> expired = new ArrayList<>();
    for (Long generation : state.keys()) {
      if (lateFrom(generation + generations()) <= watermark) {
        expired.add(generation);
      }
    }
    int number = context.getCurrentKey();
    for (Long generation : expired) {
      taskState().metrics().leave(generation, number, state.get(generation));
      state.remove(generation);
    }
  }

  /** Returns the watermark from which the elements of a generation are late. */
  private long lateFrom(long generation) {
    long length = generationMillis();
    if (generation >= (Long.MAX_VALUE - allowedLatenessMillis) / length - 1) {
      return Long.MAX_VALUE;
    }
    return (generation + 1) * length - 1 + allowedLatenessMillis;
  }

  private int generations() {
    return parameters().generations();
  }

  private long generationMillis() {
    return parameters().windowMillis() / generations();
  }
}
