package dev.tamis.flink;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The common part of {@link Seen} and {@link SeenWithin}: hashing, buckets, metrics and outputs.
 *
 * @param <T> the type of element
 */
abstract sealed class SeenFunction<T> extends KeyedProcessFunction<Integer, T, T>
    permits Seen, SeenWithin {

  private static final long serialVersionUID = 1;

  /** The name of the state; common, so that Flink refuses the state of the other function. */
  static final String STATE = "tamis-seen";

  private static final String REPEATED = "tamis-repeated";

  private final ElementHasher<T, ?> hasher;
  private final SeenParameters parameters;
  private final OutputTag<T> repeated = untyped(REPEATED);
  private transient TaskState taskState;

  SeenFunction(ElementHasher<T, ?> hasher, SeenParameters parameters) {
    this.hasher = hasher;
    this.parameters = parameters;
  }

  /**
   * Returns the elements of a stream whose keys have certainly not been seen, in the order in which
   * they come. Give the result a {@code uid}, or its state cannot be found in a savepoint once the
   * job has changed.
   */
  public SingleOutputStreamOperator<T> firstOf(DataStream<T> elements) {
    return elements
        .keyBy(new BucketSelector<>(hasher, parameters), Types.INT)
        .process(this, elements.getType())
        .name(name());
  }

  /**
   * Returns the other elements, whose keys have probably been seen, for an exact check.
   *
   * @param first the stream that {@link #firstOf} returned
   */
  public DataStream<T> repeatedOf(SingleOutputStreamOperator<T> first) {
    return first.getSideOutput(new OutputTag<>(REPEATED, first.getType()));
  }

  abstract String name();

  /** Returns the tag of the sender, whose type is not used: the receiver's is. */
  @SuppressWarnings("unchecked")
  static <T> OutputTag<T> untyped(String id) {
    return new OutputTag<>(id, (TypeInformation<T>) Types.GENERIC(Object.class));
  }

  @Override
  public void open(OpenContext context) throws Exception {
    SeenParameters full = parameters.withHash(hasher.id());
    Buckets buckets = full.split();
    double expectedKeys = (double) full.expectedKeys() / Math.max(1, full.generations());
    BucketFpp fpp = new BucketFpp(buckets, expectedKeys);
    SeenMetrics metrics = new SeenMetrics(getRuntimeContext().getMetricGroup(), buckets, fpp);
    taskState = new TaskState(buckets, fpp, metrics, new BucketSerializer(full));
  }

  final OutputTag<T> repeatedTag() {
    return repeated;
  }

  final ElementHasher<T, ?> hasher() {
    return hasher;
  }

  final SeenParameters parameters() {
    return parameters;
  }

  final TaskState taskState() {
    return taskState;
  }

  /** The state that exists only in a running task. */
  record TaskState(
      Buckets buckets, BucketFpp fpp, SeenMetrics metrics, BucketSerializer serializer) {}

  private static final class BucketSelector<T> implements KeySelector<T, Integer> {

    private static final long serialVersionUID = 1;

    private final ElementHasher<T, ?> hasher;
    private final SeenParameters parameters;
    private transient @Nullable Buckets buckets;

    BucketSelector(ElementHasher<T, ?> hasher, SeenParameters parameters) {
      this.hasher = hasher;
      this.parameters = parameters;
    }

    @Override
    public Integer getKey(T element) throws Exception {
      Buckets split = buckets;
      if (split == null) {
        split = parameters.split();
        buckets = split;
      }
      return split.of(hasher.hash(element));
    }
  }
}
