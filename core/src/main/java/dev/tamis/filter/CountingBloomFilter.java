package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.Mergeable;
import dev.tamis.Overlap;
import dev.tamis.Overlapping;
import dev.tamis.RemovableFilter;
import dev.tamis.Sized;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.FormatException;
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
 * <p>A counter that reaches its largest value, 2^w − 1, stays there, and its keys with it: better a
 * false positive than a key denied. With 4 bits and distinct keys that happens to one counter in
 * 1e15; keys put again and again get there sooner ({@link #saturatedCounters} tells).
 *
 * <p><b>Remove only what was put</b>, and as often as it was put: see {@link RemovableFilter}.
 *
 * <p>Any number of threads may put, remove and look up at once, and no count is lost. Puts and
 * removals take effect at one moment each. So of all puts of a key that is not removed exactly one
 * returns true, whatever happens to other keys, unless the filter reported the key already when
 * that put took effect. Once a put has returned, {@code mightContain} is true until the key is
 * removed. Lookups never wait. What is computed in a pass over the counters ({@link #expectedFpp},
 * {@link #writeTo}, {@link #equals}) sees each counter at some moment during the call; {@link
 * #copy} takes one moment for all. A filter {@linkplain CountingBloomFilterBuilder#singleThreaded
 * for a single thread} saves some nanoseconds for each put and removal.
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
   * The counters lie where a Bloom filter of the same shape has its bits, so sizes, fpp and estimates
   * are those of the bits "not zero", and toBloomFilter() is a copy of just these. Blocked layouts
   * keep a key within w neighbouring cache lines in place of one.
   *
   * CountedPlaces says how threads share the counters. What is done to the whole filter, merging and
   * clearing, happens one at a time, under the monitor.
   */

  /** The default of w, the bits of a counter. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  private final BoundHasher<T> hashing;
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
    this.hashing = hashing;
    this.sizing = sizing;
    this.places = new CountedPlaces(BitPositions.placement(sizing.shape()), counters, threadSafe);
    this.counters = counters;
    LongToDoubleFunction keys = KeyCounts.keysOf(sizing.shape());
    this.tally = tally.derivedFrom(() -> Math.round(keys.applyAsDouble(places.nonZeros())));
  }

  /**
   * Returns an empty filter with counters of 4 bits, in the blocked layout that fits {@code fpp}.
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
    return CountingBloomFilterFrame.read(in, hasher, maxBytes);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Counts the key once more, whatever it returns.
   */
  @Override
  public boolean putHash(long hash) {
    boolean hasRoom;
    boolean isNew;
    long locked = places.lock(hash);
    try {
      hasRoom = !tally.isLimited() || places.mightContain(hash) || tally.reserve();
      isNew = hasRoom && places.put(hash, locked);
    } finally {
      places.unlock(locked);
    }
    if (!hasRoom) {
      throw tally.full();
    }
    if (!isNew) {
      tally.drop();
    } else if (tally.isLimited()) {
      tally.notifyOnce(); // with no stripe held, since the action may put
    } else {
      tally.add();
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

  @Override
  public BoundHasher<T> hasher() {
    return hashing;
  }

  /**
   * Merges {@code other} into this filter by adding the counters, which saturate. Costs one pass.
   *
   * <p>Other threads may go on using both. What they put into {@code other} meanwhile may be merged
   * in part, which no removal takes back; merge a {@link #copy} of a filter that changes.
   *
   * @throws IllegalArgumentException if the two are not {@linkplain #isCompatible compatible},
   *     naming what differs; nothing has changed then
   * @throws FilterFullException if the filter {@linkplain BloomBuilder#refuseWhenFull refuses} more
   *     than its expected keys and both together have more; nothing has changed then
   */
  @Override
  public void putAll(CountingBloomFilter<T> other) {
    requireCompatible(other);
    VarHandle.acquireFence();
    synchronized (monitor) {
      if (tally.isLimited()) {
        long ones = SetBits.countUnion(counters.nonZeros(), other.counters.nonZeros());
        tally.requireRoomFor(KeyCounts.keys(shape(), ones).rounded());
      }
      places.addAll(other.counters);
      tally.continueFrom(approximateElementCount().rounded());
    }
    tally.notifyOnce();
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
   * Returns the Bloom filter of the keys that are in: a w-th of the memory, and no removal. It can
   * be merged with other Bloom filters of this shape. Costs one pass.
   */
  public BloomFilter<T> toBloomFilter() {
    BloomFilter<T> filter = BloomFilter.empty(hashing, sizing, true);
    filter.words().copyFrom(counters.nonZeros());
    filter.tallyFromBits();
    return filter;
  }

  /**
   * Returns an independent filter with the counters that this one has at one moment, thread-safe if
   * this is.
   */
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
    } finally {
      places.unlockAll();
    }
    copy.tally.continueFrom(acceptedKeys());
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

  /** Forgets all keys. */
  @Override
  public void clear() {
    synchronized (monitor) {
      places.lockAll();
      try {
        counters.words().clear();
        places.setNonZeros(0);
      } finally {
        places.unlockAll();
      }
      tally.clear();
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

  /**
   * {@inheritDoc}
   *
   * <p>Exact as long as no key has been removed. From then on it is an estimate from the number of
   * counters above zero, which does not drift however many keys come and go.
   */
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

  @Override
  public String toString() {
    return traits().toString();
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
