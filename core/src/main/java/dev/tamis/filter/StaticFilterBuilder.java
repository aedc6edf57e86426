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
 * byte for byte. The builder keeps 8 bytes for each distinct hash, also after {@link #build}, so
 * that more keys can be put and another filter built.
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

  StaticFilterBuilder(KeyHasher<? super T> hasher) {
    this.hasher = requireNonNull(hasher, "hasher");
    this.hashing = BoundHasher.of(hasher, 0);
  }

  /** Sets p, the false-positive probability, strictly between 0 and 1; required. */
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
   * Sets how many threads build the filter at most, at least 1 (default: one per processor): the
   * calling one and those of its {@code ForkJoinPool} or the common pool. The filter is the same,
   * byte for byte; each thread takes memory of its own.
   */
  public B threads(int threads) {
    this.threads = Math.toIntExact(Checks.atLeast("threads", threads, 1));
    return self();
  }

  /** Puts a key, which must not be null. */
  public B put(T key) {
    return putHash(hashing.hash(key));
  }

  /** Puts the key with this hash, 64 well mixed bits as {@link HashedFilter#hashOf} returns. */
  public B putHash(long hash) {
    begun = true;
    collector.put(hash);
    return self();
  }

  /** Puts several keys; if one is null, those before it are in. */
  public B putAll(Iterable<? extends T> keys) {
    for (T key : keys) {
      put(key);
    }
    return self();
  }

  /** Puts the keys of a stream, which is left open; if one is null, those before it are in. */
  public B putAll(Stream<? extends T> keys) {
    keys.sequential().forEach(this::put);
    return self();
  }

  /** Returns how many distinct hashes have been put so far. Costs a sort. */
  public long distinctKeys() {
    return hashes().count();
  }

  /**
   * Passes each distinct hash put so far to {@code action}, in ascending unsigned order, for
   * another filter of the same hasher and seed. Costs a sort.
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

  BoundHasher<T> hashing() {
    return hashing;
  }

  double fpp() {
    return fpp.orElseThrow(() -> new IllegalStateException("call fpp(probability) first"));
  }

  int threads() {
    return threads;
  }

  SortedHashes hashes() {
    return collector.sorted(threads);
  }
}
