package dev.tamis.sketch;

import static dev.tamis.Refusal.refuses;
import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tamis.Keys;
import dev.tamis.StorableConformance;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Count-min sketches: what they count, merge, refuse and write. */
class CountMinSketchTest extends StorableConformance<CountMinSketch<Long>> {

  private static final long MOST = Long.MAX_VALUE;

  @Override
  protected CountMinSketch<Long> filled(long expectedKeys, int keys) {
    return filled(1, keys);
  }

  @Override
  protected CountMinSketch<Long> read(InputStream in, long maxBytes) throws IOException {
    return CountMinSketch.readFrom(in, KeyHasher.longs(), maxBytes);
  }

  private static CountMinSketch<Long> filled(int stream, int keys) {
    CountMinSketch<Long> sketch = empty();
    Keys.hashes(stream, keys).forEach(sketch::putHash);
    return sketch;
  }

  private static CountMinSketch<Long> empty() {
    return CountMinSketch.create(KeyHasher.longs(), 0.1, 0.1);
  }

  private static CountMinSketchBuilder<Long> builder() {
    return CountMinSketch.<Long>builder(KeyHasher.longs()).epsilon(0.1).delta(0.1);
  }

  @Test
  void aKeyIsCounted() {
    for (CountMinSketch<Long> sketch : List.of(empty(), conservative())) {
      assertThat(sketch.approximateCount(7L)).isZero();
      assertThat(sketch.put(7L)).isOne();
      assertThat(sketch.put(7L, 4)).isEqualTo(5);
      assertThat(sketch.putHash(sketch.hashOf(7L))).isEqualTo(6);
      assertThat(sketch.putHash(sketch.hashOf(7L), 10)).isEqualTo(16);
      assertThat(sketch.approximateCount(7L)).isEqualTo(16);
      assertThat(sketch.approximateCountHash(sketch.hashOf(7L))).isEqualTo(16);
      assertThat(sketch.totalCount()).isEqualTo(16);
    }
  }

  private static CountMinSketch<Long> conservative() {
    return builder().conservative().build();
  }

  @Test
  void puttingManyTimesIsPuttingOftenOnce() {
    for (boolean conservative : new boolean[] {false, true}) {
      CountMinSketch<Long> once = conservative ? conservative() : empty();
      CountMinSketch<Long> often = once.copy();
      Keys.hashes(1, 200)
          .forEach(
              hash -> {
                once.putHash(hash, 5);
                for (int i = 0; i < 5; i++) {
                  often.putHash(hash);
                }
              });
      assertThat(once).isEqualTo(often);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1, 28, 3",
    "0.001, 0.01, 2719, 5",
    "0.0001, 1e-6, 27183, 14",
    "0.999, 0.999, 3, 1",
    "0.5, 0.36, 6, 2",
    "0.5, 0.37, 6, 1",
  })
  void theSizeFollowsFromTheBounds(double epsilon, double delta, int width, int depth) {
    CountMinSketch<Long> sketch = CountMinSketch.create(KeyHasher.longs(), epsilon, delta);
    assertThat(sketch.width()).isEqualTo(width);
    assertThat(sketch.depth()).isEqualTo(depth);
    assertThat(sketch.epsilon()).isLessThanOrEqualTo(epsilon).isEqualTo(Math.E / width);
    assertThat(sketch.delta()).isLessThanOrEqualTo(delta).isEqualTo(Math.exp(-depth));
    assertThat(sketch.sizeInBytes()).isEqualTo(8L * width * depth);
    assertThat(sketch.serializedSize()).isEqualTo(132 + sketch.sizeInBytes());
  }

  @Test
  void theBoundGrowsWithTheTotal() {
    CountMinSketch<Long> sketch = empty();
    assertThat(sketch.maxOvercount()).isZero();
    sketch.put(1L, 1_000);
    assertThat(sketch.maxOvercount()).isCloseTo(1_000 * Math.E / 28, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void boundsAreProbabilities(double wrong) {
    refusesSaying("epsilon must be in (0, 1), got " + wrong, () -> builder().epsilon(wrong));
    refusesSaying("delta must be in (0, 1), got " + wrong, () -> builder().delta(wrong));
  }

  @Test
  void bothBoundsAreNeeded() {
    refuses(
        IllegalStateException.class,
        () -> CountMinSketch.<Long>builder(KeyHasher.longs()).epsilon(0.1).build(),
        "epsilon and delta");
    refuses(
        IllegalStateException.class,
        () -> CountMinSketch.<Long>builder(KeyHasher.longs()).delta(0.1).build());
  }

  @Test
  void rowsEndWhereEqualHashesAreLikelier() {
    assertThat(builder().delta(2.2e-19).build().depth()).isEqualTo(43);
    assertThat(builder().delta(7.8e-20).build().depth()).isEqualTo(44);
    refusesSaying("depth must be 1 to 44, got 45", () -> builder().delta(7.7e-20).build());
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-12, 1e-18, 1e-300, Double.MIN_VALUE})
  void whatIsTooWideIsRefused(double epsilon) {
    refuses(() -> builder().epsilon(epsilon).build(), "width must be 3 to 91625968981, got ");
  }

  @Test
  void whatTheHeapCannotHoldIsRefusedWithTheNumbers() {
    long heap = Runtime.getRuntime().maxMemory();
    assumeThat(heap).isLessThan(10_000_000_000L);
    assertThatThrownBy(() -> builder().delta(0.5).epsilon(Math.E / 1_250_000_001).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "the sketch needs 1000000000\\d bytes, this JVM's heap has at most "
                + heap
                + ": raise it with -Xmx, or ask for a larger epsilon or delta");
  }

  @Test
  void tablesHaveLimits() {
    assertThat(new CounterTable(1, 3).bytes()).isEqualTo(24);
    assertThat(new CounterTable(1, CounterTable.MAX_COUNTERS - 1).width())
        .isEqualTo((1L << 38) - 1);
    assertThat(new CounterTable(1, CounterTable.MAX_COUNTERS).bytes()).isEqualTo(1L << 41);
    assertThat(new CounterTable(2, CounterTable.MAX_COUNTERS / 2).depth()).isEqualTo(2);
    assertThat(new CounterTable(44, 4).depth()).isEqualTo(44);
    assertRefused(1, 2, "width must be 3 to 274877906944, got 2");
    assertRefused(1, (1L << 38) + 1, "width must be 3 to 274877906944, got 274877906945");
    assertRefused(2, CounterTable.MAX_COUNTERS / 2 + 1, "width must be 3 to 137438953472");
    assertRefused(0, 3, "depth must be 1 to 44, got 0");
    assertRefused(45, 3, "depth must be 1 to 44, got 45");
  }

  private static void assertRefused(int depth, long width, String message) {
    refuses(() -> new CounterTable(depth, width), message);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aKeyIsPutOnceAtLeast(long times) {
    CountMinSketch<Long> sketch = filled(1, 10);
    refusesSaying("times must be at least 1, got " + times, () -> sketch.put(7L, times));
    refuses(() -> sketch.putHash(7, times));
    assertThat(sketch).isEqualTo(filled(1, 10));
  }

  @Test
  @SuppressWarnings({"DataFlowIssue", "NullAway"}) // the point of the test
  void nullIsRefused() {
    CountMinSketch<Long> sketch = empty();
    refuses(NullPointerException.class, () -> sketch.put(null));
    refuses(NullPointerException.class, () -> sketch.put(null, 2));
    refuses(NullPointerException.class, () -> sketch.approximateCount(null));
    refuses(NullPointerException.class, () -> CountMinSketch.builder(null));
    assertThat(sketch).isEqualTo(empty());
  }

  @Test
  void countsStayAtTheLargestNumber() {
    for (CountMinSketch<Long> sketch : List.of(empty(), conservative())) {
      assertThat(sketch.put(7L, MOST - 1)).isEqualTo(MOST - 1);
      assertThat(sketch.put(7L, 1)).isEqualTo(MOST);
      assertThat(sketch.put(7L, 1)).isEqualTo(MOST);
      assertThat(sketch.totalCount()).isEqualTo(MOST);
      assertThat(sketch.maxOvercount()).isPositive().isLessThan(MOST);
    }
    CountMinSketch<Long> merged = empty();
    merged.put(7L, MOST - 1);
    CountMinSketch<Long> other = empty();
    other.put(7L, 2);
    merged.putAll(other);
    assertThat(merged.approximateCount(7L)).isEqualTo(MOST);
    assertThat(merged.totalCount()).isEqualTo(MOST);
  }

  @Test
  void whatIsFullComesBackFromBytes() throws IOException {
    for (CountMinSketch<Long> sketch : List.of(empty(), conservative())) {
      for (long key = 0; key < 100; key++) {
        sketch.put(key, MOST / 3);
      }
      assertThat(readAll(sketch.toByteArray())).isEqualTo(sketch);
    }
  }

  @Test
  void conservativeOnesComeBackFromBytes() throws IOException {
    for (int keys : new int[] {0, 1, 100, 10_000}) {
      CountMinSketch<Long> sketch = conservative();
      Streams.ZIPF.hashes(keys, keys).forEach(sketch::putHash);
      CountMinSketch<Long> read = readAll(sketch.toByteArray());
      assertThat(read).isEqualTo(sketch);
      assertThat(read.isConservative()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 500, 5_000})
  void mergingEqualsPuttingBoth(int keys) {
    CountMinSketch<Long> both = filled(1, keys);
    Keys.hashes(2, 500).forEach(both::putHash);
    CountMinSketch<Long> merged = filled(1, keys);
    CountMinSketch<Long> other = filled(2, 500);

    merged.putAll(other);

    assertThat(merged).isEqualTo(both).hasSameHashCodeAs(both);
    assertThat(merged.totalCount()).isEqualTo(keys + 500);
    assertThat(other).isEqualTo(filled(2, 500));
  }

  @Test
  void mergingWithItselfDoubles() {
    CountMinSketch<Long> sketch = filled(1, 100);
    CountMinSketch<Long> twice = filled(1, 100);
    Keys.hashes(1, 100).forEach(twice::putHash);
    sketch.putAll(sketch);
    assertThat(sketch).isEqualTo(twice);
  }

  @Test
  void theIncompatibleIsRefusedByTheNameOfWhatDiffers() {
    CountMinSketch<Long> sketch = filled(1, 100);
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(HashKey.of(new byte[HashKey.BYTES]));
    Map<String, CountMinSketch<Long>> others =
        Map.of(
            "width differs: 28 and 14", builder().epsilon(0.2).build(),
            "depth differs: 3 and 5", builder().delta(0.01).build(),
            "seed differs: 0 and 1", builder().seed(1).build(),
            "hash differs", CountMinSketch.create(keyed, 0.1, 0.1),
            "update is plain and conservative", conservative());
    others.forEach(
        (field, other) -> {
          assertThat(sketch.isCompatible(other)).isFalse();
          assertThat(sketch.incompatibility(other).orElseThrow()).contains(field);
          assertThat(sketch).isNotEqualTo(other).isNotEqualTo(emptied(other));
          assertThatThrownBy(() -> sketch.putAll(other))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageStartingWith("the two are not compatible: ")
              .hasMessageContaining(field);
          assertThat(sketch).isEqualTo(filled(1, 100));
        });
    assertThat(sketch.isCompatible(filled(2, 3))).isTrue();
    assertThat(conservative().incompatibility(conservative()).orElseThrow())
        .isEqualTo("update is conservative and conservative, only plain counters are sums");
  }

  private static CountMinSketch<Long> emptied(CountMinSketch<Long> sketch) {
    CountMinSketch<Long> copy = sketch.copy();
    copy.clear();
    return copy;
  }

  @Test
  void aCopyGoesItsOwnWay() {
    CountMinSketch<Long> sketch = filled(1, 100);
    CountMinSketch<Long> copy = sketch.copy();
    assertThat(copy).isEqualTo(sketch).hasSameHashCodeAs(sketch).isNotSameAs(sketch);
    copy.put(7L);
    assertThat(sketch).isEqualTo(filled(1, 100)).isNotEqualTo(copy);
    assertThat(conservative().copy().isConservative()).isTrue();
  }

  @Test
  void clearedIsAsGoodAsNew() {
    CountMinSketch<Long> sketch = filled(1, 100);
    sketch.clear();
    assertThat(sketch).isEqualTo(empty());
    assertThat(sketch.totalCount()).isZero();
    Keys.hashes(2, 50).forEach(sketch::putHash);
    assertThat(sketch).isEqualTo(filled(2, 50));
  }

  @Test
  void itSaysWhatItIs() {
    CountMinSketch<Long> sketch = builder().seed(42).conservative().build();
    sketch.put(1L, 9);
    assertThat(sketch)
        .hasToString(
            "CountMinSketch(width=28, depth=3, update=conservative, total count=9, hash=xxh3 with"
                + " seed 42)")
        .isNotEqualTo(null)
        .isNotEqualTo("a sketch");
  }
}
