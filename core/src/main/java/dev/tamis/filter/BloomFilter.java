package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Mergeable;
import dev.tamis.Overlapping;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.Sized;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter: one array of bits, k of them set for each key.
 *
 * <p>Choose it when keys only arrive and their number is known within a factor of two. When it is
 * not, see {@link ScalableBloomFilter}.
 *
 * <pre>{@code
 * BloomFilter<String> seen = BloomFilter.create(KeyHasher.text(), 1_000_000, 0.01);
 * if (seen.put(url)) {
 *   visit(url); // certainly the first time
 * }
 * }</pre>
 *
 * <p>With n distinct keys in a filter built for n keys and fpp p, the fpp is at most p, in every
 * layout. Beyond n it rises: {@link #acceptedKeys} is cheap to watch, {@link #fillState} has the
 * details.
 *
 * <p>Any number of threads may use one filter. Of all puts of a key exactly one returns true,
 * unless the filter already reported the key when that put took effect: a false positive as in one
 * thread, counted by {@link #expectedWrongDrops}. Once any put of a key has returned, {@code
 * mightContain} is true for it; what a thread did before a put happens before what follows a lookup
 * that finds the key. Lookups never wait; a put waits while another writes to the same part of the
 * filter, some nanoseconds. The locks take an eighth more memory, 64 KB at most; {@link
 * BloomFilterBuilder#singleThreaded} saves both.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1145/362686.362692">Bloom 1970, Space/time trade-offs in hash
 *     coding with allowable errors</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class BloomFilter<T> extends SerializableFilter<T>
    implements HashedMutableFilter<T>,
        DropAware,
        Sized,
        Mergeable<BloomFilter<T>>,
        Overlapping<BloomFilter<T>>,
        Storable {

  /*
   * Layouts differ in the positions of bits (Placement) and in the size and fpp that follow (Shape).
   * Placement says who may write a word, and why one put of a key returns true. Operations on the
   * whole filter (merging, clearing) take turns, under the monitor.
   */

  /** Hashes whose memory is prefetched together. */
  static final int BATCH = Placement.BATCH;

  private final Sizing sizing;
  private final Placement placement;
  private final Words words;
  private final Object monitor = new Object();
  private final @Nullable Stripes stripes;
  private final KeyTally tally;

  BloomFilter(BoundHasher<T> hashing, Sizing sizing, boolean threadSafe, KeyTally tally) {
    super(Kind.BLOOM, hashing);
    this.sizing = sizing;
    this.placement = BitPositions.placement(sizing.shape());
    long count = (sizing.shape().bits() + Long.SIZE - 1) / Long.SIZE;
    this.words = Words.allocate(count);
    this.stripes = threadSafe ? Stripes.forWords(count) : null;
    KeyTally derived = tally.derivedFrom(() -> approximateElementCount().rounded());
    this.tally = stripes == null ? derived : derived.countedIn(stripes);
  }

  /** Returns an empty filter in the blocked layout that fits {@code fpp}: see {@link #builder}. */
  public static <T> BloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return BloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).build();
  }

  static <T> BloomFilter<T> empty(BoundHasher<T> hashing, Sizing sizing, boolean threadSafe) {
    return new BloomFilter<>(hashing, sizing, threadSafe, KeyTally.of(sizing, threadSafe));
  }

  static <T> BloomFilter<T> stage(BoundHasher<T> hashing, Sizing sizing, boolean threadSafe) {
    return new BloomFilter<>(hashing, sizing, threadSafe, KeyTally.limited(sizing, threadSafe));
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> BloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new BloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Returns a collector that puts the elements of a stream into a new filter, which the threads of
   * a parallel stream fill together.
   */
  public static <T> Collector<T, ?, BloomFilter<T>> toBloomFilter(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return BloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).collector();
  }

  /** Reads a filter that {@link #writeTo} wrote, as {@link Filters#readFrom} does. */
  public static <T> BloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return BloomFilterFrame.read(FrameReader.of(Kind.BLOOM, in, maxBytes), hasher);
  }

  @Override
  public boolean putHash(long hash) {
    boolean isNew;
    if (stripes != null && tally.isInStripes()) {
      VarHandle.acquireFence();
      isNew = placement.putConcurrent(words, stripes, hash);
      VarHandle.acquireFence();
    } else if (stripes == null && !tally.isLimited()) {
      isNew = placement.put(words, hash);
      if (isNew) {
        tally.add();
      }
    } else {
      Offer offer = offer(hash);
      if (offer == Offer.NO_ROOM) {
        throw tally.full();
      }
      isNew = offer == Offer.NEW;
      if (isNew) {
        tally.notifyOnce(); // with no stripe held, since the action may put
      }
    }
    if (!isNew) {
      tally.drop();
    }
    return isNew;
  }

  /** Puts a key if it is missing and the tally has room for it. */
  Offer offer(long hash) {
    VarHandle.acquireFence();
    if (placement.mightContainBranchless(words, hash)) {
      VarHandle.acquireFence();
      return Offer.KNOWN;
    }
    if (stripes == null) {
      return putIfRoom(hash);
    }
    long locked = placement.lock(stripes, hash);
    try {
      return placement.mightContain(words, hash) ? Offer.KNOWN : putIfRoom(hash);
    } finally {
      placement.unlock(stripes, locked);
    }
  }

  long peek(long hash) {
    return placement.peek(words, hash);
  }

  private Offer putIfRoom(long hash) {
    if (!tally.reserve()) {
      return Offer.NO_ROOM;
    }
    boolean unused = placement.putLocked(words, hash);
    return Offer.NEW;
  }

  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += BATCH) {
      int to = Math.min(count, from + BATCH);
      prefetch(hashes, from, to, isNew);
      for (int i = from; i < to; i++) {
        isNew[i] = putHash(hashes[i]);
      }
    }
  }

  /** Fetches the memory of several keys; the writes to {@code scratch} keep the reads alive. */
  void prefetch(long[] hashes, int from, int to, boolean[] scratch) {
    placement.prefetch(words, hashes, from, to, scratch);
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    placement.mightContainBatch(words, hashes, count, answers);
  }

  @Override
  public boolean mightContainHash(long hash) {
    VarHandle.acquireFence(); // or the loads of a loop that waits for a key would be done once
    boolean found = placement.mightContain(words, hash);
    VarHandle.acquireFence(); // what follows sees what was done before the key was put
    return found;
  }

  /**
   * Merges {@code other} into this filter, as if all of its keys had been put here, in one pass.
   *
   * <p>Other threads may continue to use both; their puts into {@code other} may be merged or not.
   *
   * @throws IllegalArgumentException {@inheritDoc}
   * @throws FilterFullException if the filter {@linkplain BloomBuilder#refuseWhenFull refuses} more
   *     than its expected keys and both together have more; nothing has changed then
   */
  @Override
  public void putAll(BloomFilter<T> other) {
    requireCompatible(other);
    merge(other, tally.isLimited());
    tally.notifyOnce();
  }

  void merge(BloomFilter<T> other, boolean refuses) {
    synchronized (monitor) {
      long ones = SetBits.count(words);
      countMerged(ones, SetBits.countMissing(words, 0, other.words), refuses);
      merge(0, other.words);
    }
  }

  /** Counts the keys of {@code more} bits that a merge adds to {@code ones}. */
  void countMerged(long ones, long more, boolean refuses) {
    tally.merge(KeyCounts.keys(shape(), ones), KeyCounts.keys(shape(), ones + more), refuses);
  }

  /** Merges words from {@code start} on and does not count them. */
  void merge(long start, Words others) {
    VarHandle.acquireFence();
    if (stripes != null) {
      placement.merge(words, stripes, start, others);
    } else {
      words.or(start, others);
    }
  }

  @Override
  public Overlap estimateOverlap(BloomFilter<T> other, Confidence confidence) {
    requireCompatible(other);
    // three passes over bits that may change meanwhile: copies would double the memory
    long union = SetBits.countUnion(words, other.words);
    long first = Math.min(SetBits.count(words), union);
    long second = Math.min(SetBits.count(other.words), union);
    return KeyCounts.overlap(shape(), first, second, union, confidence);
  }

  /**
   * Returns an independent filter with the same bits, thread-safe if this is. It has every key
   * whose put returned before the call; keys put meanwhile may be in it.
   */
  @Override
  public BloomFilter<T> copy() {
    return copyInto(
        new BloomFilter<>(hashing, sizing, isThreadSafe(), tally.fresh(isThreadSafe())));
  }

  BloomFilter<T> copyAsStage(boolean threadSafe) {
    return copyInto(stage(hashing, sizing, threadSafe));
  }

  private BloomFilter<T> copyInto(BloomFilter<T> copy) {
    long before = acceptedKeys();
    VarHandle.acquireFence();
    copy.words.copyFrom(words);
    copy.tally.continueBetween(before, acceptedKeys());
    return copy;
  }

  /**
   * Removes all keys. Concurrent puts and lookups take effect before or after, except that one that
   * finds some bits of its key before and the others after reports the key.
   */
  @Override
  public void clear() {
    synchronized (monitor) {
      if (stripes == null) {
        words.clear();
        tally.clear();
        return;
      }
      stripes.lockAll();
      try {
        words.clear();
        tally.clear();
      } finally {
        stripes.unlockAll();
      }
    }
  }

  /** Takes no more keys until {@link #reopen}; once it returns, no bit changes. */
  void close() {
    tally.close();
    if (stripes != null) {
      stripes.lockAll();
      stripes.unlockAll();
    }
  }

  void reopen() {
    tally.reopen();
  }

  @Override
  public double expectedFpp() {
    return HashCollisions.addedTo(placement.fpp(words), approximateElementCount().value());
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return KeyCounts.keys(shape(), SetBits.count(words), confidence);
  }

  @Override
  public long acceptedKeys() {
    return tally.keys();
  }

  @Override
  public double expectedWrongDrops() {
    return tally.expectedWrongDrops();
  }

  /** The same where a key is new only if something else of {@code otherFpp} reports it too. */
  double expectedWrongDrops(double otherFpp) {
    return tally.expectedWrongDrops(otherFpp);
  }

  /** Returns how full the filter is. Costs two passes over the bits. */
  public FillState fillState() {
    long ones = SetBits.count(words);
    return new FillState(
        ones, bitSize(), KeyCounts.keys(shape(), ones), expectedKeys(), expectedFpp());
  }

  @Override
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  @Override
  public double fpp() {
    return sizing.fpp();
  }

  /** Returns the layout, bits and hashes. */
  public Shape shape() {
    return sizing.shape();
  }

  @Override
  public boolean isThreadSafe() {
    return stripes != null;
  }

  @Override
  public long bitSize() {
    return shape().bits();
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(words.bytes());
  }

  /** {@inheritDoc} The bytes have every key whose put returned before the call. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    VarHandle.acquireFence();
    BloomFilterFrame.write(out, sizing, hashing, words);
  }

  /** Returns whether {@code object} is a filter of the same shape and seed with the same bits. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof BloomFilter<?> other
        && traits().difference(other.traits()).isEmpty()
        && words.equals(other.words);
  }

  @Override
  public int hashCode() {
    return 31 * shape().hashCode() + words.hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("BloomFilter")
        .with(shape().traits())
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }

  Sizing sizing() {
    return sizing;
  }

  KeyTally tally() {
    return tally;
  }

  Words words() {
    return words;
  }

  /** Counts the keys that came with {@link #words()} before anybody else has put any. */
  void tallyFromBits() {
    tally.continueFrom(approximateElementCount().rounded());
  }

  /**
   * How full a filter is, computed from its bits.
   *
   * @param setBits set bits
   * @param bits all bits of the filter
   * @param keys distinct keys in the filter, estimated from the set bits
   * @param expectedKeys the distinct keys it was built for
   * @param fpp the probability that a key never put is reported present, computed from the set bits
   */
  public record FillState(long setBits, long bits, Estimate keys, long expectedKeys, double fpp) {

    /** Returns the share of set bits; about a half when the filter is at capacity. */
    public double fractionFilled() {
      return (double) setBits / bits;
    }
  }

  /** What became of a key that was offered to a stage. */
  enum Offer {
    /** All of its bits were set. */
    KNOWN,
    /** It was missing and is in. */
    NEW,
    /** It was missing and still is, because the filter takes no more. */
    NO_ROOM
  }
}
