package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.Mergeable;
import dev.tamis.Overlapping;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.RemovableFilter;
import dev.tamis.Sized;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.counters.CountedPlaces;
import dev.tamis.internal.counters.Counters;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter with a small counter in place of each bit, so that keys can be removed.
 * Thread-safe.
 *
 * <p>Choose it when keys come and go and filters of parts of the data are to be merged. It takes w
 * times the memory of a {@link BloomFilter}, w being the bits of a counter, 4 by default. Where
 * nothing is merged, a {@link CuckooFilter} removes in a third of the memory.
 *
 * <p>A counter that reaches its maximum, 2^w − 1, stays there, and its keys with it, since a false
 * negative would be worse. With 4 bits and distinct keys that happens to one counter in 1e15, more
 * often if keys are put repeatedly; see {@link #saturatedCounters}.
 *
 * <p><b>Remove only what was put</b>, and as often as it was put: see {@link RemovableFilter}.
 *
 * <p>Any number of threads may put, remove and look up at once, and no count is lost: puts and
 * removals are atomic. Of all puts of a key that is not removed exactly one returns true, unless
 * the filter already reported the key when that put took effect. Once a put has returned, {@code
 * mightContain} is true until the key is removed. Lookups never wait. A pass over the counters
 * ({@link #expectedFpp}, {@link #writeTo}, {@link #equals}) sees each counter at some moment during
 * the call; {@link #copy} is a snapshot.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1109/90.851975">Fan, Cao, Almeida, Broder 2000, Summary
 *     cache</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class CountingBloomFilter<T> extends SerializableFilter<T>
    implements RemovableFilter<T>,
        DropAware,
        Sized,
        Mergeable<CountingBloomFilter<T>>,
        Overlapping<CountingBloomFilter<T>>,
        Storable {

  /*
   * Counters are where a Bloom filter of the same shape has its bits, so sizes, fpp and estimates are
   * those of the bits "not zero", which toBloomFilter() copies. CountedPlaces says how threads share
   * the counters. Operations on the whole filter (merging, clearing) take turns, under the monitor.
   */

  /** The default of w, the bits of a counter. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  private final Sizing sizing;
  private final CountedPlaces places;
  private final Object monitor = new Object();
  private final Counters counters;
  private final KeyTally tally;

  CountingBloomFilter(
      BoundHasher<T> hashing,
      Sizing sizing,
      boolean threadSafe,
      Counters counters,
      KeyTally tally) {
    super(Kind.COUNTING_BLOOM, hashing);
    this.sizing = sizing;
    this.places = new CountedPlaces(BitPositions.placement(sizing.shape()), counters, threadSafe);
    this.counters = counters;
    LongToDoubleFunction keys = KeyCounts.keysOf(sizing.shape());
    this.tally = tally.derivedFrom(() -> Math.round(keys.applyAsDouble(places.nonZeros())));
  }

  /** Returns an empty filter with counters of 4 bits, in the blocked layout for {@code fpp}. */
  public static <T> CountingBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return CountingBloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).build();
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> CountingBloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new CountingBloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /** Reads a filter that {@link #writeTo} wrote, as {@link Filters#readFrom} does. */
  public static <T> CountingBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return CountingBloomFilterFrame.read(FrameReader.of(Kind.COUNTING_BLOOM, in, maxBytes), hasher);
  }

  /** {@inheritDoc} Counts the key once more in either case. */
  @Override
  public boolean putHash(long hash) {
    boolean hasRoom;
    boolean isNew;
    long locked = places.lock(hash);
    try {
      hasRoom = !tally.isLimited() || places.mightContain(hash) || tally.reserve();
      isNew = hasRoom && places.put(hash, locked);
      if (isNew && !tally.isLimited()) {
        tally.increment();
      }
    } finally {
      places.unlock(locked);
    }
    if (!hasRoom) {
      throw tally.full();
    }
    if (isNew) {
      tally.notifyOnce(); // with no stripe held, since the action may put
    } else {
      tally.drop();
    }
    return isNew;
  }

  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += BloomFilter.BATCH) {
      int to = Math.min(count, from + BloomFilter.BATCH);
      places.prefetch(hashes, from, to, isNew);
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
      VarHandle.acquireFence();
      places.prefetch(hashes, from, to, answers);
      for (int i = from; i < to; i++) {
        answers[i] = places.mightContain(hashes[i]);
      }
      VarHandle.acquireFence();
    }
  }

  @Override
  public boolean removeHash(long hash) {
    boolean isPresent;
    boolean leaves;
    long locked = places.lock(hash);
    try {
      isPresent = places.mightContain(hash);
      leaves = isPresent && places.remove(hash, locked);
    } finally {
      places.unlock(locked);
    }
    if (leaves) {
      tally.subtract();
    }
    return isPresent;
  }

  @Override
  public boolean mightContainHash(long hash) {
    VarHandle.acquireFence(); // or the loads of a loop that waits for a key would be done once
    boolean found = places.mightContain(hash);
    VarHandle.acquireFence(); // what follows sees what was done before the key was put
    return found;
  }

  @Override
  public long approximateCountHash(long hash) {
    VarHandle.acquireFence();
    return places.least(hash);
  }

  /**
   * Merges {@code other} into this filter by adding the counters, which saturate. Costs two passes,
   * and two bits for each counter for as long.
   *
   * <p>Other threads may continue to use both. A concurrent put into {@code other} may be merged in
   * part, which no removal undoes; merge a {@link #copy} of a filter that changes.
   *
   * @throws IllegalArgumentException {@inheritDoc}
   * @throws FilterFullException if the filter {@linkplain BloomBuilder#refuseWhenFull refuses} more
   *     than its expected keys and both together have more; nothing has changed then
   */
  @Override
  public void putAll(CountingBloomFilter<T> other) {
    requireCompatible(other);
    VarHandle.acquireFence();
    synchronized (monitor) {
      long ones = places.nonZeros();
      long more = SetBits.countMissing(counters.nonZeros(), 0, other.counters.nonZeros());
      Estimate before = KeyCounts.keys(shape(), ones);
      tally.merge(before, KeyCounts.keys(shape(), ones + more), tally.isLimited());
      places.addAll(other.counters);
    }
    tally.notifyOnce();
  }

  /** {@inheritDoc} Takes two bits for each counter for as long. */
  @Override
  public Overlap estimateOverlap(CountingBloomFilter<T> other, Confidence confidence) {
    requireCompatible(other);
    Words ones = counters.nonZeros();
    Words others = other.counters.nonZeros();
    return KeyCounts.overlap(
        shape(),
        SetBits.count(ones),
        SetBits.count(others),
        SetBits.countUnion(ones, others),
        confidence);
  }

  /**
   * Returns a Bloom filter of the present keys, which takes a w-th of the memory and can be merged
   * with others of this shape. Costs one pass.
   */
  public BloomFilter<T> toBloomFilter() {
    BloomFilter<T> filter = BloomFilter.empty(hashing, sizing, true);
    filter.words().copyFrom(counters.nonZeros());
    filter.tallyFromBits();
    return filter;
  }

  /** Returns an independent snapshot, thread-safe if this is. */
  @Override
  public CountingBloomFilter<T> copy() {
    CountingBloomFilter<T> copy =
        new CountingBloomFilter<>(
            hashing,
            sizing,
            isThreadSafe(),
            new Counters(shape().bits(), counterBits()),
            tally.fresh(isThreadSafe()));
    places.lockAll();
    try {
      copy.counters.words().copyFrom(counters.words());
      copy.places.setNonZeros(places.nonZeros());
      copy.tally.continueFrom(acceptedKeys());
    } finally {
      places.unlockAll();
    }
    return copy;
  }

  static <T> CountingBloomFilter<T> empty(
      BoundHasher<T> hashing, Sizing sizing, boolean threadSafe, int counterBits) {
    return new CountingBloomFilter<>(
        hashing,
        sizing,
        threadSafe,
        new Counters(sizing.shape().bits(), counterBits),
        KeyTally.of(sizing, threadSafe));
  }

  @Override
  public void clear() {
    synchronized (monitor) {
      places.lockAll();
      try {
        counters.words().clear();
        places.setNonZeros(0);
        tally.clear();
      } finally {
        places.unlockAll();
      }
    }
  }

  /** Returns how many counters are stuck at their largest value. Costs one pass. */
  public long saturatedCounters() {
    return counters.count(counters.maxCount());
  }

  /** {@inheritDoc} Takes a bit for each counter for as long. */
  @Override
  public double expectedFpp() {
    return HashCollisions.addedTo(places.fpp(), approximateElementCount().value());
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return KeyCounts.keys(shape(), SetBits.count(counters.nonZeros()), confidence);
  }

  /** {@inheritDoc} Once a key has been removed, it is an estimate from the counters above zero. */
  @Override
  public long acceptedKeys() {
    return tally.keys();
  }

  @Override
  public double expectedWrongDrops() {
    return tally.expectedWrongDrops();
  }

  @Override
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  @Override
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
  public boolean isThreadSafe() {
    return places.isThreadSafe();
  }

  @Override
  public long bitSize() {
    return counters.words().count() * Long.SIZE;
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(counters.words().bytes());
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
        && counters.words().equals(other.counters.words());
  }

  @Override
  public int hashCode() {
    return 31 * shape().hashCode() + counters.words().hashCode();
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

  Counters counters() {
    return counters;
  }

  /** Counts the keys that came with {@link #counters()}. */
  void tallyFromCounters() {
    places.setNonZeros(SetBits.count(counters.nonZeros()));
    tally.continueFrom(approximateElementCount().rounded());
  }
}
