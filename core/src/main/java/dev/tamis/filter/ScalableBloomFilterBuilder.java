package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link ScalableBloomFilter}: {@link #fpp} is required.
 *
 * @param <T> the type of key
 */
public final class ScalableBloomFilterBuilder<T>
    extends FilterBuilder<T, ScalableBloomFilterBuilder<T>> {

  /** The default number of distinct keys of the first stage. */
  public static final long DEFAULT_INITIAL_KEYS = 1_000;

  private long initialKeys = DEFAULT_INITIAL_KEYS;
  private @Nullable Double fpp;
  private @Nullable Layout layout;

  ScalableBloomFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /** Sets the distinct keys the first stage is for, 1000 without; a good guess saves stages. */
  public ScalableBloomFilterBuilder<T> initialKeys(long initialKeys) {
    this.initialKeys = Checks.atLeast("initialKeys", initialKeys, 1);
    return this;
  }

  /** Sets p, the false-positive probability that is never passed; strictly between 0 and 1. */
  public ScalableBloomFilterBuilder<T> fpp(double fpp) {
    this.fpp = Checks.fpp(fpp);
    return this;
  }

  /**
   * Sets the layout of the stages. The default is {@link Layout#SPLIT_PAIR} for an fpp below 1.3 %,
   * above it {@link Layout#SPLIT} or {@link Layout#LINE}. {@link Layout#CLASSIC} takes the fewest
   * bits, 7 % fewer at 1 %, and twice to three times as long.
   */
  public ScalableBloomFilterBuilder<T> layout(Layout layout) {
    this.layout = requireNonNull(layout, "layout");
    return this;
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if there is no fpp, or both a seed and a hash key
   * @throws IllegalArgumentException if no such first stage is possible
   */
  public ScalableBloomFilter<T> build() {
    if (fpp == null) {
      throw new IllegalStateException("call fpp(probability) first");
    }
    return ScalableBloomFilter.empty(hashing(), initialKeys, fpp, layout, isThreadSafe());
  }
}
