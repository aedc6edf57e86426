package dev.tamis.spark;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** The periods of a bucket of 100 seconds each, in a store that is a map. */
class BucketStateTest {

  private static final long WINDOW = 100_000;

  private final TreeMap<Long, byte[]> store = new TreeMap<>();
  private final TreeSet<Long> timers = new TreeSet<>();

  @Test
  void emittedRowsOfAKeyAreMoreThanAWindowApart() {
    BucketState state = state(1_000);
    assertThat(put(state, row("a", 10))).hasSize(1);
    assertThat(put(state, row("a", 90), row("a", 11))).isEmpty();
    assertThat(put(state, row("a", 199))).isEmpty(); // the next period
    assertThat(put(state, row("a", 200))).hasSize(1); // the period after that
    assertThat(put(state, row("a", 100))).isEmpty(); // late, and within a window of both
  }

  @Test
  void aMicroBatchIsOneMoreCallOnTheStore() {
    BucketState state = state(1_000);
    assertThat(put(state, row("a", 10), row("b", 10), row("a", 20))).hasSize(2);
    assertThat(put(state(1_000), row("b", 30), row("c", 30))).hasSize(1);
  }

  @Test
  void rowsWithoutAKeyOrATimeAreEmitted() {
    assertThat(put(state(10), row(null, 1), row(null, 1), RowFactory.create("a", null, 5L, 0)))
        .hasSize(3)
        .allMatch(row -> row.size() == 2);
    assertThat(periods()).isEmpty();
  }

  @Test
  void aPeriodLeavesWhenNoRowCanBeComparedWithIt() {
    BucketState state = state(1_000);
    put(state, row("a", 50));
    put(state, row("b", 150), row("c", 310));
    assertThat(periods()).containsExactly(0L, 1L, 3L);
    assertThat(timers).containsExactly(200_000L, 300_000L, 500_000L);

    expire(state, 250_000);
    assertThat(periods()).containsExactly(1L, 3L);
    expire(state, 500_000);
    assertThat(periods()).isEmpty();
  }

  @Test
  void timesBeforeTheEpochHavePeriodsToo() {
    BucketState state = state(1_000);
    assertThat(put(state, row("a", -1), row("a", 50), row("b", -150))).hasSize(2);
    assertThat(timers).containsExactly(0L, 100_000L);
    expire(state, 100_000);
    assertThat(periods()).isEmpty();
  }

  @Test
  void stateOfOtherParametersIsRefused() {
    put(state(1_000), row("a", 10));
    for (String name : List.of("key", "eventTime", "window", "expectedKeys", "fpp", "buckets")) {
      BucketParameters other =
          new BucketParameters(
              name.equals("key") ? "[id bigint]" : "[id string]",
              name.equals("eventTime") ? "arrival" : "time",
              name.equals("window") ? 2 * WINDOW : WINDOW,
              name.equals("expectedKeys") ? 5_000 : 1_000,
              name.equals("fpp") ? 0.02 : 0.01,
              name.equals("buckets") ? 2_048 : 1_024);
      assertThatThrownBy(() -> put(state(other), row("b", 10)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the state was written with [" + name + " ")
          .hasMessageContaining("the query asks for [" + name + " ");
      assertThatThrownBy(() -> expire(state(other), 500_000)).hasMessageContaining(name);
    }
  }

  @Test
  void theBucketsOfAGroupHaveFiltersOfTheirOwn() {
    BucketState state = state(new BucketParameters("", "", WINDOW, 1_000, 0.01, 4_096));
    Row[] rows = new Row[100];
    Arrays.setAll(rows, i -> row("key " + i, 10));
    assertThat(put(state, rows)).hasSize(100);
    assertThat(put(state, rows)).isEmpty();
    assertThat(periods()).containsExactly(0L, 1L, 2L, 3L);
    expire(state, 200_000);
    assertThat(periods()).isEmpty();
  }

  @Test
  void aShareOfTheFppIsLost() {
    BucketState state = state(10_000);
    Row[] rows = new Row[10_000];
    Arrays.setAll(rows, i -> row("key " + i, i % 100));
    // the mean over the fill is well below 0.01, which is for a full filter
    assertThat(put(state, rows)).hasSizeBetween(10_000 - 60, 10_000);
  }

  private BucketState state(long expectedKeys) {
    return state(new BucketParameters("[id string]", "time", WINDOW, expectedKeys, 0.01, 1_024));
  }

  private BucketState state(BucketParameters parameters) {
    BucketState state =
        new BucketState(
            2,
            1,
            parameters.buckets() / 1_024,
            parameters,
            BloomFilter.<Long>create(KeyHasher.longs(), parameters.expectedKeys(), 0.01)
                .toByteArray());
    state.setHandle(
        proxy(
            StatefulProcessorHandle.class,
            (method, arguments) ->
                switch (method.getName()) {
                  case "getMapState" -> stored();
                  case "registerTimer" -> timers.add((Long) arguments[0]);
                  default -> throw new AssertionError(method);
                }));
    state.init(OutputMode.Append(), TimeMode.EventTime());
    return state;
  }

  /** Returns the keys of what is stored, apart from the parameters. */
  private List<Long> periods() {
    return store.keySet().stream().filter(key -> key != Long.MIN_VALUE).toList();
  }

  private static Row row(@Nullable String key, long seconds) {
    Long hash = key == null ? null : HashFunction.xxh3(0).hashText(key);
    return RowFactory.create(key, new Timestamp(seconds * 1_000), hash, 0);
  }

  private static List<Row> put(BucketState state, Row... rows) {
    return CollectionConverters.asJava(
        state
            .handleInputRows(
                0,
                CollectionConverters.asScala(List.of(rows).iterator()),
                unused(TimerValues.class))
            .toSeq());
  }

  private void expire(BucketState state, long watermark) {
    for (long timer : new ArrayList<>(timers.headSet(watermark, true))) {
      ExpiredTimerInfo info = proxy(ExpiredTimerInfo.class, (method, arguments) -> timer);
      assertThat(state.handleExpiredTimer(0, unused(TimerValues.class), info).isEmpty()).isTrue();
      timers.remove(timer);
    }
  }

  /** Returns a state that is a map. */
  private MapState<?, ?> stored() {
    return proxy(
        MapState.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "containsKey" -> store.containsKey((Long) arguments[0]);
              case "getValue" -> requireNonNull(store.get((Long) arguments[0]));
              case "updateValue" -> store.put((Long) arguments[0], (byte[]) arguments[1]);
              case "removeKey" -> store.remove((Long) arguments[0]);
              default -> throw new AssertionError(method);
            });
  }

  private static <T> T proxy(Class<T> type, BiFunction<Method, Object[], @Nullable Object> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object result = calls.apply(method, arguments);
              return method.getReturnType() == void.class ? null : result;
            }));
  }

  private static <T> T unused(Class<T> type) {
    return proxy(
        type,
        (method, arguments) -> {
          throw new AssertionError(method);
        });
  }
}
