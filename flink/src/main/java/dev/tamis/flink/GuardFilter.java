package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current filter of a guard, with its metrics: by it the guard splits the elements.
 *
 * @param <T> the type of element
 * @param <K> the type of key
 */
final class GuardFilter<T, K> implements Serializable {

  private static final long serialVersionUID = 1;

  private static final String RULED_OUT = "tamis-ruled-out";

  private final KeySelector<T, K> key;
  private final Source<K> source;
  private final OutputTag<T> ruledOut = SeenFunction.untyped(RULED_OUT);
  private transient volatile @Nullable Filter<K> filter;
  private transient @Nullable Metrics metrics;

  GuardFilter(KeySelector<T, K> key, Source<K> source) {
    this.key = requireNonNull(key, "key");
    this.source = source;
  }

  /** Loads a filter; the bytes are those that have arrived, if filters arrive as such. */
  interface Source<K> extends Serializable {
    Filter<K> load(byte[] arrived) throws Exception;
  }

  /** Gauges are atomic: filters are refreshed by another thread than that of the task. */
  private record Metrics(
      Counter possible, Counter ruledOut, AtomicLong refreshes, AtomicLong failures) {}

  /** Begins in a task, without a filter. */
  void open(MetricGroup parent) {
    MetricGroup group = parent.addGroup("tamis");
    Metrics opened =
        new Metrics(
            group.counter("possible"),
            group.counter("ruledOut"),
            new AtomicLong(),
            new AtomicLong());
    group.gauge("refreshes", (Gauge<Long>) opened.refreshes::get);
    group.gauge("refreshFailures", (Gauge<Long>) opened.failures::get);
    metrics = opened;
  }

  private Metrics metrics() {
    return requireNonNull(metrics, "set by open");
  }

  /** Loads the filter, and returns whether it is another one. */
  boolean load(byte[] arrived) throws Exception {
    Filter<K> loaded =
        requireNonNull(source.load(arrived), "a source must return a filter, got null");
    boolean isOther = loaded != filter;
    filter = loaded;
    return isOther;
  }

  /** Loads the filter, or counts and logs the failure; returns whether it succeeded. */
  boolean refresh(Class<?> guard, byte[] arrived) {
    try {
      if (load(arrived)) {
        metrics().refreshes.incrementAndGet();
      }
      return true;
    } catch (
        Throwable e) { // or a scheduled refresh would be the last; the old filter is still true
      metrics().failures.incrementAndGet();
      Logger log = LoggerFactory.getLogger(guard);
      log.warn("the filter could not be refreshed; the previous one stays in use", e);
      return false;
    }
  }

  /**
   * Counts an element and returns whether its key may be present, which all may without a filter.
   */
  boolean isPossible(T element) throws Exception {
    Filter<K> current = filter;
    K asked = ElementHasher.keyOf(key, element); // also without a filter, so that null always fails
    boolean isPossible = current == null || current.mightContain(asked);
    (isPossible ? metrics().possible : metrics().ruledOut).inc();
    return isPossible;
  }

  OutputTag<T> ruledOutTag() {
    return ruledOut;
  }

  static <T> DataStream<T> ruledOutOf(SingleOutputStreamOperator<T> possible) {
    return possible.getSideOutput(new OutputTag<>(RULED_OUT, possible.getType()));
  }
}
