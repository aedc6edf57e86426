package dev.tamis.sketch;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;

/**
 * Settings of a {@link CountMinSketch}. Each setter checks its own value at once.
 *
 * @param <T> the type of key
 */
public final class CountMinSketchBuilder<T> {

  private final KeyHasher<? super T> hasher;
  private double epsilon;
  private double delta;
  private boolean conservative;
  private long seed;

  CountMinSketchBuilder(KeyHasher<? super T> hasher) {
    this.hasher = hasher;
  }

  /** Sets ε, the most by which a count is too high, as a share of all puts; in (0, 1). */
  public CountMinSketchBuilder<T> epsilon(double epsilon) {
    this.epsilon = requireProbability("epsilon", epsilon);
    return this;
  }

  /** Sets δ, the probability of a larger error; in (0, 1), 7.8e-20 or more. */
  public CountMinSketchBuilder<T> delta(double delta) {
    this.delta = requireProbability("delta", delta);
    return this;
  }

  /**
   * Makes a put raise only those counters of a key that are below its new count. Counts are never
   * higher than without, and in a Zipf stream the mean error is about half; a put takes half as
   * much time again, and such sketches cannot be merged.
   *
   * @see <a href="https://doi.org/10.1145/633025.633056">Estan, Varghese 2002, New directions in
   *     traffic measurement and accounting</a>
   */
  public CountMinSketchBuilder<T> conservative() {
    this.conservative = true;
    return this;
  }

  /** Sets the seed of the hash function (default: 0); only sketches of one seed can be merged. */
  public CountMinSketchBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Builds an empty sketch.
   *
   * @throws IllegalStateException if epsilon or delta was not set, or there are both a seed and a
   *     hash key
   * @throws IllegalArgumentException if no array or this JVM's heap can hold the counters; nothing
   *     has been allocated then
   */
  public CountMinSketch<T> build() {
    if (epsilon == 0 || delta == 0) {
      throw new IllegalStateException("a count-min sketch needs epsilon and delta");
    }
    return new CountMinSketch<>(
        BoundHasher.of(hasher, seed), CounterTable.forBounds(epsilon, delta), conservative);
  }

  private static double requireProbability(String name, double value) {
    if (!(value > 0 && value < 1)) { // written so that NaN fails
      throw new IllegalArgumentException(name + " must be in (0, 1), got " + value);
    }
    return value;
  }
}
