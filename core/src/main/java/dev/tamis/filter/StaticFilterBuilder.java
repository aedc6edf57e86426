package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedFilter;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.Checks;
import java.util.OptionalDouble;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Collects the keys of an immutable filter and builds it.
 *
 * <p>Keys may be put in any order and more than once: the same set of keys gives the same filter,
 * byte for byte. Only their hashes are kept, 8 bytes for each distinct one. The builder keeps them
 * after {@link #build}, so that more keys can be put and another filter built; drop the builder
 * when that is not needed.
 *
 * <p>Not safe for concurrent use.
 *
 * @param <T> the type of key
 * @param <F> the type of filter
 * @param <B> the type of this builder
 */
public abstract class StaticFilterBuilder<
    T, F extends HashedFilter<T>, B extends StaticFilterBuilder<T, F, B>> {

  private static final int CHUNK_HASHES = 1 << 10;

  private final KeyHasher<? super T> hasher;
  private final HashCollector collector = new HashCollector();
  private BoundHasher<T> hashing;
  private boolean begun;
  private int threads = Runtime.getRuntime().availableProcessors();
  private OptionalDouble fpp = OptionalDouble.empty();

  /** Only this package defines static filters. */
  StaticFilterBuilder(KeyHasher<? super T> hasher) {
    this.hasher = requireNonNull(hasher, "hasher");
    this.hashing = BoundHasher.of(hasher, 0);
  }

  /**
   * Sets p, the false-positive probability; required.
   *
   * @param fpp strictly between 0 and 1
   * @throws IllegalArgumentException if it is out of range
   */
  public B fpp(double fpp) {
    this.fpp = OptionalDouble.of(Checks.fpp(fpp));
    return self();
  }

  /**
   * Sets the seed of the hash function (default: 0). Not for a hasher with a hash key, which is its
   * seed.
   *
   * @throws IllegalStateException if a key has been put, or the hasher has a hash key
   */
  public B seed(long seed) {
    if (begun) {
      throw new IllegalStateException("seed must be set before the first key is put");
    }
    hashing = BoundHasher.of(hasher, seed);
    return self();
  }

  /**
   * Sets how many threads build the filter at most (default: one per processor): the calling one
   * and those of the common pool, or of the {@code ForkJoinPool} that it belongs to. The filter is
   * the same, byte for byte, whatever their number; each takes memory of its own.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public B threads(int threads) {
    this.threads = Math.toIntExact(Checks.atLeast("threads", threads, 1));
    return self();
  }

  /**
   * Puts {@code key} in.
   *
   * @throws NullPointerException if it is null
   */
  public B put(T key) {
    return putHash(hashing.hash(key));
  }

  /**
   * Puts the key with this hash.
   *
   * @param hash 64 well mixed bits, as the filter's {@link dev.tamis.HashedFilter#hashOf} gives
   *     them
   */
  public B putHash(long hash) {
    begun = true;
    collector.put(hash);
    return self();
  }

  /**
   * Puts all of {@code keys} in.
   *
   * @throws NullPointerException if one is null; those before it are in
   */
  public B putAll(Iterable<? extends T> keys) {
    for (T key : keys) {
      put(key);
    }
    return self();
  }

  /**
   * Puts all {@code keys} in. The stream is consumed and left open.
   *
   * @throws NullPointerException if one is null; those before it are in
   */
  public B putAll(Stream<? extends T> keys) {
    keys.sequential().forEach(this::put);
    return self();
  }

  /** Returns how many distinct hashes have been put so far. Costs a sort. */
  public long distinctKeys() {
    return hashes().count();
  }

  /**
   * Passes each distinct hash that has been put so far to {@code action}, in ascending unsigned
   * order: for a caller whose choice of another filter depends on {@link #distinctKeys}. The other
   * must have the same hasher and seed. Costs a sort.
   */
  public void forEachHash(LongConsumer action) {
    SortedHashes hashes = hashes();
    SortedHashes.Reader reader = hashes.reader();
    long[] chunk = new long[(int) Math.min(CHUNK_HASHES, hashes.count())];
    for (long left = hashes.count(); left > 0; left -= chunk.length) {
      int count = (int) Math.min(chunk.length, left);
      reader.read(chunk, count);
      for (int i = 0; i < count; i++) {
        action.accept(chunk[i]);
      }
    }
  }

  /**
   * Builds a filter of the keys put so far.
   *
   * @throws IllegalStateException if the fpp is not set
   * @throws IllegalArgumentException if this JVM's heap cannot hold the filter
   */
  public abstract F build();

  @SuppressWarnings("unchecked") // each builder extends this with its own type
  private B self() {
    return (B) this;
  }

  /** Returns how keys are hashed. */
  BoundHasher<T> hashing() {
    return hashing;
  }

  /** Returns p, the requested fpp. */
  double fpp() {
    return fpp.orElseThrow(() -> new IllegalStateException("call fpp(probability) first"));
  }

  /** Returns how many threads may build. */
  int threads() {
    return threads;
  }

  /** Returns the hashes put so far, sorted and each once. */
  SortedHashes hashes() {
    return collector.sorted(threads);
  }
}
