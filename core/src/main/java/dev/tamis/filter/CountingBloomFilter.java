package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.Mergeable;
import dev.tamis.Overlap;
import dev.tamis.Overlapping;
import dev.tamis.RemovableFilter;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Ones;
import dev.tamis.internal.counters.CountedPlaces;
import dev.tamis.internal.counters.Counters;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter with a small counter in place of each bit, so that keys can be removed.
 *
 * <p>Choose it when keys come and go and filters of parts of the data are to be merged. It takes w
 * times the memory of a {@link BloomFilter}, w being the bits of a counter, 4 unless told
 * otherwise. Where nothing is merged, a {@link CuckooFilter} removes in a third of the memory.
 *
 * <p>A counter that reaches its largest value, 2^w − 1, stays there for good, and its keys with it:
 * better a false positive than a key denied. With 4 bits and distinct keys that happens to one
 * counter in 1e15; keys put again and again get there sooner ({@link #saturatedCounters} tells).
 *
 * <p><b>Remove only what was put</b>, and as often as it was put: see {@link RemovableFilter}.
 *
 * <p>For one thread at a time, any number may read while none writes. In {@link
 * CountingBloomFilterBuilder#concurrent concurrent} mode any number of threads may put, remove and
 * ask at once, without locks, and no count is lost. Of all puts of one key at most one returns true
 * as long as nothing is removed meanwhile.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1109/90.851975">Fan, Cao, Almeida, Broder 2000, Summary
 *     cache</a>
 */
public final class CountingBloomFilter<T>
    implements RemovableFilter<T>,
        DropAware,
        Mergeable<CountingBloomFilter<T>>,
        Overlapping<CountingBloomFilter<T>>,
        Storable {

  /*
   * The counters lie where a Bloom filter of the same shape has its bits, so sizes, fpp and estimates
   * are those of the bits "not zero", and toBloomFilter() is a copy of just these. Blocked layouts
   * keep a key within w neighbouring cache lines in place of one.
   */

  /** w, the bits of a counter, unless told otherwise. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  private final BoundHasher<T> hashing;
  private final Sizing sizing;
  private final CountedPlaces places;
  private final boolean concurrent;
  private final Counters counters;
  private final KeyTally tally;

  CountingBloomFilter(
      BoundHasher<T> hashing,
      Sizing sizing,
      boolean concurrent,
      Counters counters,
      KeyTally tally) {
    this.hashing = hashing;
    this.sizing = sizing;
    this.places = new CountedPlaces(Placements.of(sizing.shape()), counters);
    this.concurrent = concurrent;
    this.counters = counters;
    this.tally = tally;
  }

  /**
   * Returns an empty filter with counters of 4 bits, in the blocked layout that fits {@code fpp},
   * for one thread at a time.
   *
   * @param hasher says which bytes of a key count
   * @param expectedKeys n, distinct keys expected at any one time; at least 1
   * @param fpp p, false-positive probability when they are all in; strictly between 0 and 1
   */
  public static <T> CountingBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return CountingBloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).build();
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> CountingBloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new CountingBloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Reads a filter that {@link #writeTo} wrote; reads nothing past its end.
   *
   * @param in the bytes, from outside and not trusted
   * @param hasher must hash as the one that filled the filter, which the bytes cannot tell
   * @param maxBytes the most memory the filter's counters may take, in bytes
   * @throws FormatException if the bytes are not such a filter, are damaged, or claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> CountingBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return CountingBloomFilterFrame.read(in, hasher, maxBytes, false);
  }

  /** Does what {@link #readFrom} does; the filter is in concurrent mode. */
  public static <T> CountingBloomFilter<T> readConcurrentFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return CountingBloomFilterFrame.read(in, hasher, maxBytes, true);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Counts the key once more, whatever it returns.
   */
  @Override
  public boolean putHash(long hash) {
    if (!tally.hasRoom() && !mightContainHash(hash)) {
      throw tally.full();
    }
    boolean isNew = concurrent ? places.putShared(hash) : places.put(hash);
    if (isNew) {
      tally.add();
    }
    return isNew;
  }

  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += BloomFilter.BATCH) {
      int to = Math.min(count, from + BloomFilter.BATCH);
      places.touch(hashes, from, to, isNew);
      for (int i = from; i < to; i++) {
        isNew[i] = putHash(hashes[i]);
      }
    }
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += BloomFilter.BATCH) {
      int to = Math.min(count, from + BloomFilter.BATCH);
      places.touch(hashes, from, to, answers);
      for (int i = from; i < to; i++) {
        answers[i] = places.mightContain(hashes[i]);
      }
    }
  }

  @Override
  public boolean removeHash(long hash) {
    if (!mightContainHash(hash)) {
      return false;
    }
    if (places.remove(hash)) {
      tally.subtract();
    }
    return true;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return places.mightContain(hash);
  }

  @Override
  public long approximateCountHash(long hash) {
    return places.least(hash);
  }

  @Override
  public BoundHasher<T> hasher() {
    return hashing;
  }

  /**
   * Puts everything in that {@code other} holds: the counters are added up, as far as they go.
   * Costs one pass.
   *
   * <p>In concurrent mode other threads may go on; {@code other} must not change meanwhile.
   *
   * @throws IllegalArgumentException if the two are not {@linkplain #isCompatible compatible},
   *     naming what differs; nothing has changed then
   */
  @Override
  public void putAll(CountingBloomFilter<T> other) {
    requireCompatible(other);
    for (long index = 0; index < counters.length(); index++) {
      long times = other.counters.get(index);
      if (times != 0) {
        counters.add(index, times);
      }
    }
    tally.continueFrom(approximateElementCount().rounded());
  }

  /**
   * Estimates how many keys the two have in common. Costs two passes over both, and takes two bits
   * for each counter for as long.
   *
   * @throws IllegalArgumentException if the two are not {@linkplain #isCompatible compatible}
   */
  @Override
  public Overlap estimateOverlap(CountingBloomFilter<T> other, Confidence confidence) {
    requireCompatible(other);
    long[] ones = counters.nonZeros();
    long[] others = other.counters.nonZeros();
    return KeyCounts.overlap(
        shape(), Ones.count(ones), Ones.count(others), Ones.countUnion(ones, others), confidence);
  }

  /**
   * Returns the Bloom filter of the keys that are in: a w-th of the memory, and no removal. It can
   * be merged with other Bloom filters of this shape. Costs one pass.
   */
  public BloomFilter<T> toBloomFilter() {
    BloomFilter<T> filter = BloomFilter.empty(hashing, sizing, false);
    long[] ones = counters.nonZeros();
    System.arraycopy(ones, 0, filter.words(), 0, ones.length);
    filter.tallyFromBits();
    return filter;
  }

  /** Returns an independent filter with the same counters, in the same mode. */
  @Override
  public CountingBloomFilter<T> copy() {
    CountingBloomFilter<T> copy =
        new CountingBloomFilter<>(
            hashing,
            sizing,
            concurrent,
            new Counters(shape().bits(), counterBits(), concurrent),
            tally.fresh(concurrent));
    System.arraycopy(counters.words(), 0, copy.counters.words(), 0, counters.words().length);
    copy.tally.continueFrom(acceptedKeys());
    return copy;
  }

  static <T> CountingBloomFilter<T> empty(
      BoundHasher<T> hashing, Sizing sizing, boolean concurrent, int counterBits) {
    return new CountingBloomFilter<>(
        hashing,
        sizing,
        concurrent,
        new Counters(sizing.shape().bits(), counterBits, concurrent),
        KeyTally.of(sizing, concurrent));
  }

  /** Forgets all keys. No other thread may use the filter meanwhile, in whichever mode. */
  @Override
  public void clear() {
    Arrays.fill(counters.words(), 0);
    tally.clear();
  }

  /** Returns how many counters are stuck at their largest value. Costs one pass. */
  public long saturatedCounters() {
    return counters.count(counters.most());
  }

  /** {@inheritDoc} Takes a bit for each counter for as long. */
  @Override
  public double expectedFpp() {
    return Math.min(1, places.fpp());
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return KeyCounts.keys(shape(), Ones.count(counters.nonZeros()), confidence);
  }

  @Override
  public long acceptedKeys() {
    return tally.keys();
  }

  @Override
  public double expectedWrongDrops() {
    return tally.expectedWrongDrops(0);
  }

  /** Returns n, the distinct keys the filter was built for. */
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  /** Returns the fpp the filter was built for, or has when the expected keys are in. */
  public double fpp() {
    return sizing.fpp();
  }

  /** Returns the shape of the Bloom filter that has a bit where this one has a counter. */
  public Shape shape() {
    return sizing.shape();
  }

  /** Returns w, the bits of a counter. */
  public int counterBits() {
    return counters.bits();
  }

  @Override
  public boolean isConcurrent() {
    return concurrent;
  }

  @Override
  public long bitSize() {
    return (long) counters.words().length * Long.SIZE;
  }

  @Override
  public Kind kind() {
    return Kind.COUNTING_BLOOM;
  }

  @Override
  public long serializedSize() {
    return CountingBloomFilterFrame.bytes(counters);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    CountingBloomFilterFrame.write(out, sizing, hashId(), counters);
  }

  /** Returns whether {@code object} is such a filter of the same shape with the same counters. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CountingBloomFilter<?> other
        && traits().difference(other.traits()).isEmpty()
        && Arrays.equals(counters.words(), other.counters.words());
  }

  @Override
  public int hashCode() {
    return 31 * shape().hashCode() + Arrays.hashCode(counters.words());
  }

  @Override
  public Traits traits() {
    return Traits.of("CountingBloomFilter")
        .matching("counter bits", counterBits())
        .with(shape().traits())
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }

  @Override
  public String toString() {
    return traits().toString();
  }

  Counters counters() {
    return counters;
  }

  /** Takes the keys into account that came with {@link #counters()}. */
  void tallyFromCounters() {
    tally.continueFrom(approximateElementCount().rounded());
  }
}
