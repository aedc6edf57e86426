package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps elements from a lookup whose keys a filter rules out, by a filter that each task loads and
 * refreshes.
 *
 * <p>Put it before an {@code AsyncFunction} that queries a database or a service: what the filter
 * rules out is certainly absent there, as far as the filter is up to date, and never leaves the
 * job. A key that was added since the filter was written is ruled out wrongly until the next
 * refresh.
 *
 * <pre>{@code
 * LookupGuard<Event> guard =
 *     LookupGuard.of(
 *         Event::customer,
 *         FilterSource.file("/data/customers.tamis", KeyHasher.text()),
 *         Duration.ofMinutes(1));
 * SingleOutputStreamOperator<Event> possible = guard.possibleOf(events);
 * DataStream<Result> found = AsyncDataStream.unorderedWait(possible, lookup, 1, SECONDS);
 * DataStream<Event> absent = guard.ruledOutOf(possible);
 * }</pre>
 *
 * <p>A task that cannot load the filter at its start fails. Afterwards a failed refresh is counted
 * and logged, and the filter before stays. Each subtask has the filter in its heap, unless the
 * source maps a file.
 *
 * @param <T> the type of element
 */
public final class LookupGuard<T> extends ProcessFunction<T, T> {

  private static final long serialVersionUID = 1;

  static final String RULED_OUT = "tamis-ruled-out";

  private static final Logger LOG = LoggerFactory.getLogger(LookupGuard.class);

  private final Keyed<T, ?> keyed;
  private final Duration refreshEvery;
  private final OutputTag<T> ruledOut = SeenFunction.untyped(RULED_OUT);
  private transient GuardMetrics metrics;
  private transient @Nullable ScheduledExecutorService refreshing;

  private LookupGuard(Keyed<T, ?> keyed, Duration refreshEvery) {
    this.keyed = keyed;
    this.refreshEvery = refreshEvery;
  }

  /**
   * Returns a guard.
   *
   * @param key returns the key of an element, never null
   * @param source where the filter comes from
   * @param refreshEvery the time from the end of one refresh to the next; at least a millisecond
   */
  public static <T, K> LookupGuard<T> of(
      KeySelector<T, K> key, FilterSource<K> source, Duration refreshEvery) {
    if (refreshEvery.toMillis() < 1) {
      throw new IllegalArgumentException(
          "refreshEvery must be at least a millisecond, got " + refreshEvery);
    }
    return new LookupGuard<>(
        new Keyed<>(requireNonNull(key, "key"), requireNonNull(source, "source")), refreshEvery);
  }

  /** Returns the elements whose keys may be present, which are to be looked up. */
  public SingleOutputStreamOperator<T> possibleOf(DataStream<T> elements) {
    return elements.process(this, elements.getType()).name("lookup guard");
  }

  /**
   * Returns the elements whose keys are certainly absent.
   *
   * @param possible what {@link #possibleOf} returned
   */
  public DataStream<T> ruledOutOf(SingleOutputStreamOperator<T> possible) {
    return possible.getSideOutput(new OutputTag<>(RULED_OUT, possible.getType()));
  }

  @Override
  public void open(OpenContext context) throws Exception {
    metrics = new GuardMetrics(getRuntimeContext().getMetricGroup());
    keyed.refresh();
    ClassLoader loader = getRuntimeContext().getUserCodeClassLoader();
    String name = "tamis-refresh " + getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks();
    refreshing =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              thread.setContextClassLoader(loader);
              return thread;
            });
    long millis = refreshEvery.toMillis();
    var unused =
        refreshing.scheduleWithFixedDelay(this::refresh, millis, millis, TimeUnit.MILLISECONDS);
  }

  private void refresh() {
    try {
      if (keyed.refresh()) {
        metrics.refresh();
      }
    } catch (Throwable e) { // or no refresh would follow; the filter at hand is still true
      metrics.fail();
      LOG.warn("LookupGuard: the filter could not be refreshed; the one before stays in use", e);
    }
  }

  @Override
  public void processElement(T element, Context context, Collector<T> out) throws Exception {
    if (keyed.mightContain(element)) {
      metrics.pass();
      out.collect(element);
    } else {
      metrics.ruleOut();
      context.output(ruledOut, element);
    }
  }

  @Override
  public void close() {
    if (refreshing != null) { // it is null if open failed
      refreshing.shutdownNow();
    }
  }

  private static final class Keyed<T, K> implements Serializable {

    private static final long serialVersionUID = 1;

    private final KeySelector<T, K> key;
    private final FilterSource<K> source;
    private transient volatile @Nullable Filter<K> filter;

    Keyed(KeySelector<T, K> key, FilterSource<K> source) {
      this.key = key;
      this.source = source;
    }

    /** Loads the filter and returns whether it is another one. */
    boolean refresh() throws Exception {
      Filter<K> loaded = requireNonNull(source.load(), "a source must return a filter, got null");
      boolean isOther = loaded != filter;
      filter = loaded;
      return isOther;
    }

    boolean mightContain(T element) throws Exception {
      return requireNonNull(filter, "loaded by open").mightContain(key.getKey(element));
    }
  }
}
