package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

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
import org.jspecify.annotations.Nullable;

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

  private static final byte[] NOTHING = {};

  private final GuardFilter<T, ?> filter;
  private final Duration refreshEvery;
  private transient @Nullable ScheduledExecutorService refreshing;

  private LookupGuard(GuardFilter<T, ?> filter, Duration refreshEvery) {
    this.filter = filter;
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
    requireNonNull(source, "source");
    return new LookupGuard<>(new GuardFilter<>(key, nothing -> source.load()), refreshEvery);
  }

  /** Returns the elements whose keys may be present, which are to be looked up. */
  public SingleOutputStreamOperator<T> possibleOf(DataStream<T> elements) {
    return elements.process(this, elements.getType()).name("lookup guard");
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
  public void open(OpenContext context) throws Exception {
    filter.open(getRuntimeContext().getMetricGroup());
    boolean unused = filter.load(NOTHING);
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
    var unusedToo =
        refreshing.scheduleWithFixedDelay(
            () -> filter.refresh(LookupGuard.class, NOTHING),
            millis,
            millis,
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void processElement(T element, Context context, Collector<T> out) throws Exception {
    if (filter.isPossible(element)) {
      out.collect(element);
    } else {
      context.output(filter.ruledOutTag(), element);
    }
  }

  @Override
  public void close() {
    if (refreshing != null) { // it is null if open failed
      refreshing.shutdownNow();
    }
  }
}
