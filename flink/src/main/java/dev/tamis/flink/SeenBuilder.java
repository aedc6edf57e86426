package dev.tamis.flink;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.time.Duration;
import org.apache.flink.api.java.functions.KeySelector;
import org.jspecify.annotations.Nullable;

/**
 * Settings of {@link Seen} and {@link SeenWithin}.
 *
 * @param <T> the type of element
 */
public final class SeenBuilder<T> {

  private final HasherOfSeed<T> hasher;
  private final String keys;
  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private @Nullable Integer buckets;
  private @Nullable String keyFile;
  private long seed;

  private SeenBuilder(HasherOfSeed<T> hasher, String keys) {
    this.hasher = hasher;
    this.keys = keys;
  }

  static <T, K> SeenBuilder<T> of(KeySelector<T, K> key, KeyHasher<? super K> hasher) {
    requireNonNull(key, "key");
    if (requireNonNull(hasher, "hasher").hashKey().isPresent()) {
      throw new IllegalArgumentException(
          "hasher: must have no secret key, which would be sent with the job; use keyFile to have"
              + " each task read it");
    }
    return new SeenBuilder<>(
        (seed, file) -> new ElementHasher<>(key, hasher, seed, file), hasher.label());
  }

  /** Sets n, the distinct keys expected, in a window if there is one; at least 1; required. */
  public SeenBuilder<T> expectedKeys(long expectedKeys) {
    this.expectedKeys = Checks.expectedKeys(expectedKeys);
    return this;
  }

  /**
   * Sets p, the probability to drop a first element once all keys are in; strictly between 0 and 1;
   * required.
   */
  public SeenBuilder<T> fpp(double fpp) {
    this.fpp = Checks.fpp(fpp);
    return this;
  }

  /** Sets the seed of the hash function (default: 0). */
  public SeenBuilder<T> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets the file with the secret key of the hash, for keys that an attacker may choose. Every task
   * reads it from this path of its own machine; neither the job nor its state has the key.
   */
  public SeenBuilder<T> keyFile(String path) {
    this.keyFile = requireNonNull(path, "path");
    return this;
  }

  /**
   * Sets into how many buckets the filter is divided, 1 to 1,048,576 (default: 1024, or more so
   * that a bucket has at most 16 KiB). No more subtasks than buckets have work.
   */
  public SeenBuilder<T> buckets(int buckets) {
    this.buckets = (int) Checks.range("buckets", buckets, 1, Buckets.MAX);
    return this;
  }

  /**
   * Starts the settings of a function that forgets keys.
   *
   * @param window for how long a key is remembered, in event time; at least a millisecond
   */
  public SeenWithinBuilder<T> within(Duration window) {
    return new SeenWithinBuilder<>(this, window);
  }

  /**
   * Builds a function that remembers all keys.
   *
   * @throws IllegalStateException if expectedKeys or fpp is missing
   * @throws IllegalArgumentException if no such filter is possible
   */
  public Seen<T> build() {
    return new Seen<>(elementHasher(), parameters(0, 0));
  }

  ElementHasher<T, ?> elementHasher() {
    if (keyFile != null && seed != 0) {
      throw new IllegalStateException("a hash with a key file has no seed, got " + seed);
    }
    return hasher.of(seed, keyFile);
  }

  /** Returns the parameters but for the hash, which a task knows once it has read its key. */
  SeenParameters parameters(long windowMillis, int generations) {
    if (expectedKeys == null || fpp == null) {
      throw new IllegalStateException("need expectedKeys and fpp");
    }
    // the generations that an element is compared with; each has its share of the keys
    int looksInto = 2 * generations + 1;
    long keys = generations == 0 ? expectedKeys : (expectedKeys - 1) / generations + 1;
    double each = fpp / looksInto;
    Layout layout = Layout.forFpp(each) == Layout.LINE ? Layout.LINE : Layout.SPLIT;
    Sizing sizing = Sizing.builder().layout(layout).expectedKeys(keys).fpp(each).solve();
    HashId unknown = new HashId(HashId.Algorithm.XXH3, seed);
    return new SeenParameters(
        expectedKeys,
        fpp,
        buckets == null ? Buckets.defaultCount(sizing.shape()) : buckets,
        windowMillis,
        generations,
        layout.id(),
        sizing.shape().bits(),
        sizing.shape().hashes(),
        unknown.algorithm().id(),
        unknown.number(),
        this.keys);
  }

  private interface HasherOfSeed<T> {
    ElementHasher<T, ?> of(long seed, @Nullable String keyFile);
  }
}
