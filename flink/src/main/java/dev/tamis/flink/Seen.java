package dev.tamis.flink;

import dev.tamis.hash.KeyHasher;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.util.Collector;

/**
 * Drops the elements of a stream whose key has been seen before, by one Bloom filter in its state.
 *
 * <p>Choose it where exact state for each key is too large, and the loss of a few first elements is
 * acceptable: an element is dropped wrongly with the fpp at most while no more than the expected
 * keys are in. Those elements are among {@link #repeatedOf}, where an exact check can find them. A
 * key that was accepted is never accepted again. For keys that matter only for a while, see {@link
 * SeenWithin}.
 *
 * <pre>{@code
 * Seen<Event> seen =
 *     Seen.builder(Event::id, KeyHasher.text()).expectedKeys(100_000_000).fpp(0.001).build();
 * SingleOutputStreamOperator<Event> first = seen.firstOf(events).uid("seen");
 * DataStream<Event> repeated = seen.repeatedOf(first);
 * }</pre>
 *
 * <p>The filter is divided into buckets, which are Flink's keys: checkpoints, savepoints and
 * another parallelism are Flink's own. State that was written with other parameters is refused when
 * the job starts, with a message that names the parameter. The hashmap backend is the right one,
 * because each element changes a few bits of a value that RocksDB copies as a whole.
 *
 * @param <T> the type of element
 */
public final class Seen<T> extends SeenFunction<T> {

  private static final long serialVersionUID = 1;

  private transient ValueState<Bucket> state;

  Seen(ElementHasher<T, ?> hasher, SeenParameters parameters) {
    super(hasher, parameters);
  }

  /**
   * Starts a function for elements with a key.
   *
   * @param key returns the key of an element, never null
   * @param hasher says which bytes of a key count
   */
  public static <T, K> SeenBuilder<T> builder(KeySelector<T, K> key, KeyHasher<? super K> hasher) {
    return SeenBuilder.of(key, hasher);
  }

  /** Starts a function for elements that are keys themselves. */
  public static <T> SeenBuilder<T> builder(KeyHasher<? super T> hasher) {
    return SeenBuilder.of(element -> element, hasher);
  }

  @Override
  String name() {
    return "seen";
  }

  @Override
  public void open(OpenContext context) throws Exception {
    super.open(context);
    state =
        getRuntimeContext().getState(new ValueStateDescriptor<>(STATE, taskState().serializer()));
  }

  @Override
  public void processElement(T element, Context context, Collector<T> out) throws Exception {
    TaskState here = taskState();
    int number = context.getCurrentKey();
    Bucket bucket = state.value(); // for each element, or a snapshot would contain later changes
    if (bucket == null) {
      bucket = here.buckets().empty(number);
    }
    SeenMetrics metrics = here.metrics();
    metrics.visit(0, number, bucket);
    double fpp = here.fpp().of(number, bucket.keys());
    int added = here.buckets().put(bucket, number, hasher().hash(element));
    if (added == 0) {
      metrics.drop(fpp);
      context.output(repeatedTag(), element);
      return;
    }
    state.update(bucket);
    metrics.addSetBits(added);
    metrics.accept(fpp);
    metrics.warnIfOverfull(number, bucket);
    out.collect(element);
  }
}
