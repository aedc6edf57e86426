package dev.tamis.filter;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.CuckooSizing;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link CuckooFilter}; expectedKeys and fpp are required.
 *
 * @param <T> the type of key
 */
public final class CuckooFilterBuilder<T> extends FilterBuilder<T, CuckooFilterBuilder<T>> {
  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;

  CuckooFilterBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /** Sets n, the distinct keys expected at a time; at least 1. */
  public CuckooFilterBuilder<T> expectedKeys(long expectedKeys) {
    this.expectedKeys = Checks.expectedKeys(expectedKeys);
    return this;
  }

  /** Sets p, the false-positive probability once all keys are in; from about 1.8e-9, below 1. */
  public CuckooFilterBuilder<T> fpp(double fpp) {
    this.fpp = CuckooSizing.forKeys(1, fpp).fpp();
    return this;
  }

  /**
   * Builds an empty filter.
   *
   * @throws IllegalStateException if settings are missing or contradict each other
   * @throws IllegalArgumentException if no such filter is possible, or the heap cannot hold it
   */
  public CuckooFilter<T> build() {
    if (expectedKeys == null || fpp == null) {
      throw new IllegalStateException("need both of expectedKeys and fpp");
    }
    CuckooSizing sizing = CuckooSizing.forKeys(expectedKeys, fpp);
    return new CuckooFilter<>(hashing(), sizing, isThreadSafe());
  }
}
