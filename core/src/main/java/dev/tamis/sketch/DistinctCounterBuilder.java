package dev.tamis.sketch;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;

/**
 * Settings of a {@link DistinctCounter}: its precision or its standard error, whichever comes last.
 *
 * @param <T> the type of key
 */
public final class DistinctCounterBuilder<T> {

  private final KeyHasher<? super T> hasher;
  private int precision;
  private long seed;

  DistinctCounterBuilder(KeyHasher<? super T> hasher) {
    this.hasher = hasher;
  }

  /** Sets p; the counter takes 2^p bytes; 3 to 26. */
  public DistinctCounterBuilder<T> precision(int precision) {
    this.precision = Precision.require(precision);
    return this;
  }

  /**
   * Sets the precision to the least whose relative standard error is no more than this.
   *
   * @param standardError in (0, 1), and at least that of precision 26: 0.0093 %
   */
  public DistinctCounterBuilder<T> standardError(double standardError) {
    if (!(standardError > 0 && standardError < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("standardError must be in (0, 1), got " + standardError);
    }
    this.precision = Precision.forStandardError(standardError);
    return this;
  }

  /** Sets the seed of the hash function (default: 0); only counters of one seed can be merged. */
  public DistinctCounterBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Builds an empty counter.
   *
   * @throws IllegalStateException if neither precision nor standard error was set, or there are
   *     both a seed and a hash key
   */
  public DistinctCounter<T> build() {
    if (precision == 0) {
      throw new IllegalStateException("a distinct counter needs a precision or a standard error");
    }
    return new DistinctCounter<>(BoundHasher.of(hasher, seed), UltraLogLog.create(precision));
  }
}
