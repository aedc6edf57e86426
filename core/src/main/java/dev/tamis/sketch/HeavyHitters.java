package dev.tamis.sketch;

import static java.util.Objects.requireNonNull;

import dev.tamis.internal.counters.CounterRows;
import dev.tamis.sizing.Checks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent keys, found in one pass: a count-min sketch and the few keys with the highest
 * counts. Not thread-safe: one for each thread, then {@linkplain #putAll merge} them.
 *
 * <p>A key is kept as soon as it may have occurred more often than the least frequent of the kept
 * ones, and from then on it is counted exactly: its error stays what it was when the key was added,
 * 0 as long as there was room for all. No count is too low, and no key that is not kept occurred
 * more often than {@link #mostOfOthers}.
 *
 * <pre>{@code
 * CountMinSketch<String> sketch = CountMinSketch.create(KeyHasher.text(), 1e-4, 0.01);
 * HeavyHitters<String> leaders = HeavyHitters.over(sketch, 100);
 * leaders.put(url);
 * leaders.top(10); // most frequent first, each with bounds of its true count
 * }</pre>
 *
 * <p>Choose it when there are many keys and a few of them are frequent. Memory is that of the
 * sketch and the kept keys, whatever the input. Two keys of one 64-bit hash count as one.
 *
 * @param <T> the type of key; must not change while it is kept
 * @see <a href="https://doi.org/10.1016/j.jalgor.2003.12.001">Cormode, Muthukrishnan 2005, An
 *     improved data stream summary: the count-min sketch and its applications, section 5.2</a>
 */
public final class HeavyHitters<T> {

  /** The most keys that can be kept: the capacity of their hash table. */
  public static final int MAX_KEPT = 1 << 24;

  private final CountMinSketch<T> sketch;
  private final KeptKeys<T> kept;

  /** The maximum count of a key that is not kept. */
  private long mostOfOthers;

  private HeavyHitters(CountMinSketch<T> sketch, int kept) {
    this.sketch = sketch;
    this.kept = new KeptKeys<>(kept);
  }

  /**
   * Returns an empty one.
   *
   * @param sketch an empty sketch, which is this object's own from now on; with conservative update
   *     the counts are better, but two cannot be merged
   * @param kept how many keys to keep; 1 to {@link #MAX_KEPT}. All that have a share φ of the puts
   *     are among them if it is 1/φ or a little more
   */
  public static <T> HeavyHitters<T> over(CountMinSketch<T> sketch, int kept) {
    if (sketch.totalCount() != 0) {
      throw new IllegalArgumentException(
          "sketch must be empty, got one of " + sketch.totalCount() + " puts");
    }
    return new HeavyHitters<>(sketch, (int) Checks.range("kept", kept, 1, MAX_KEPT));
  }

  /** Puts {@code key} once. */
  public void put(T key) {
    put(key, 1);
  }

  /** Puts {@code key} {@code times} times, at least 1. */
  public void put(T key, long times) {
    putHash(sketch.hashOf(key), times, () -> key);
  }

  /**
   * Puts the key with this hash, as {@link #put(Object, long)} does.
   *
   * @param hash as the sketch's {@link CountMinSketch#hashOf} returns
   * @param key called only if the key is to be kept and was not; may copy it
   */
  public void putHash(long hash, long times, Supplier<? extends T> key) {
    long inSketch = sketch.putHash(hash, times);
    // a kept key has its count in the sketch at least, and so it has more than the least by now
    boolean known = !kept.isFull() || inSketch > kept.leastCount();
    KeptKeys.Entry<T> entry = known ? kept.find(hash) : null;
    if (entry != null) {
      kept.raise(entry, CounterRows.saturatingSum(entry.count(), times));
      return;
    }
    long count = Math.min(inSketch, CounterRows.saturatingSum(mostOfOthers, times));
    if (kept.isFull() && count <= kept.leastCount()) {
      mostOfOthers = Math.max(mostOfOthers, count);
      return;
    }
    T leader = requireNonNull(key.get(), "key");
    if (kept.isFull()) {
      mostOfOthers = Math.max(mostOfOthers, kept.leastCount());
      kept.removeLeast();
    }
    kept.add(new KeptKeys.Entry<>(hash, leader, count, count - times));
  }

  /** Returns the {@code most} keys with the highest counts, most first; fewer if fewer are kept. */
  public List<HeavyHitter<T>> top(int most) {
    Checks.atLeast("most", most, 1);
    return kept.entries().stream()
        .sorted(HeavyHitters.<T>leadersFirst())
        .limit(most)
        .map(KeptKeys.Entry::toHeavyHitter)
        .toList();
  }

  /**
   * Returns all keys that were put in at least this share of all puts, most first, and with them
   * maybe some whose count is too high: a key whose share is lower by ε or more is among them with
   * probability δ at most, those of the sketch.
   *
   * @param share φ, in (0, 1]
   * @throws IllegalStateException if too few keys are kept to know: another may have that share
   */
  public List<HeavyHitter<T>> above(double share) {
    if (!(share > 0 && share <= 1)) { // written so that NaN fails
      throw new IllegalArgumentException("share must be in (0, 1], got " + share);
    }
    double least = share * sketch.totalCount();
    if (mostOfOthers > 0 && mostOfOthers >= least) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%d keys are too few for a share of %s: another may have come %d times of %d",
              kept.capacity(),
              share,
              mostOfOthers,
              sketch.totalCount()));
    }
    return top(kept.capacity()).stream().filter(hitter -> hitter.count() >= least).toList();
  }

  /** Returns how often a key that is not kept was put at most; 0 while all are kept. */
  public long mostOfOthers() {
    return mostOfOthers;
  }

  /** Returns how many keys are kept at most. */
  public int capacity() {
    return kept.capacity();
  }

  /** Returns the sketch, in which every put was counted; for reading only. */
  public CountMinSketch<T> sketch() {
    return sketch;
  }

  /**
   * Merges {@code other} into this; of the keys that either kept, those with the highest counts
   * stay. What a key may have been put where it was not kept goes into its error.
   *
   * @throws IllegalArgumentException if the sketches are not {@linkplain #incompatibility
   *     compatible}; nothing has changed then
   */
  public void putAll(HeavyHitters<T> other) {
    List<KeptKeys.Entry<T>> together = new ArrayList<>();
    for (KeptKeys.Entry<T> entry : kept.entries()) {
      together.add(sum(entry, other, other.kept.find(entry.hash)));
    }
    for (KeptKeys.Entry<T> entry : other.kept.entries()) {
      if (kept.find(entry.hash) == null) {
        together.add(sum(entry, this, null));
      }
    }
    long others = CounterRows.saturatingSum(mostOfOthers, other.mostOfOthers);
    sketch.putAll(other.sketch);
    together.sort(leadersFirst());
    kept.clear();
    mostOfOthers = others;
    for (KeptKeys.Entry<T> entry : together) {
      if (kept.isFull()) {
        mostOfOthers = Math.max(mostOfOthers, entry.count());
      } else {
        kept.add(entry);
      }
    }
  }

  /** Returns an entry with its counts in both; {@code match} is the same key in {@code there}. */
  private static <T> KeptKeys.Entry<T> sum(
      KeptKeys.Entry<T> entry, HeavyHitters<T> there, KeptKeys.@Nullable Entry<T> match) {
    long unknown = Math.min(there.mostOfOthers, there.sketch.approximateCountHash(entry.hash));
    long count = match == null ? unknown : match.count();
    long error = match == null ? unknown : match.error();
    return new KeptKeys.Entry<>(
        entry.hash,
        entry.key,
        CounterRows.saturatingSum(entry.count(), count),
        CounterRows.saturatingSum(entry.error(), error));
  }

  /** Returns the first difference that prevents a merge, with both values; empty if compatible. */
  public Optional<String> incompatibility(HeavyHitters<T> other) {
    return sketch.incompatibility(other.sketch);
  }

  /** Ties are broken by the hash, so that the order is deterministic. */
  private static <T> Comparator<KeptKeys.Entry<T>> leadersFirst() {
    return Comparator.<KeptKeys.Entry<T>>comparingLong(KeptKeys.Entry::count)
        .reversed()
        .thenComparingLong(KeptKeys.Entry::error)
        .thenComparing(entry -> entry.hash, Long::compareUnsigned);
  }

  /**
   * A frequent key, with certain lower and upper bounds of its count.
   *
   * @param key the key
   * @param count never less than its true count, and more by {@code error} at most
   * @param error 0 to {@code count}; 0 if the count is exact
   * @param <T> the type of key
   */
  public record HeavyHitter<T>(T key, long count, long error) {

    /** Checks that 0 ≤ error ≤ count. */
    public HeavyHitter {
      requireNonNull(key, "key");
      if (error < 0 || count < error) {
        throw new IllegalArgumentException(
            "a count needs 0 <= error <= count, got " + error + " and " + count);
      }
    }

    /** Returns how often the key was put at least. */
    public long atLeast() {
      return count - error;
    }
  }
}
