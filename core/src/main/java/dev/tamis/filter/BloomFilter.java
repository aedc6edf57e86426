package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Mergeable;
import dev.tamis.Overlap;
import dev.tamis.Overlapping;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.bits.LineWords;
import dev.tamis.internal.bits.Ones;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.SharedWords;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
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
 * <p>The filter keeps what was asked: built for n keys and an fpp of p, it shows p or less when n
 * distinct keys are in, whatever the layout; past that the fpp rises, which {@link #acceptedKeys}
 * tells cheaply and {@link #fillState} in detail.
 *
 * <p>As built by {@link #create} it is for one thread at a time; any number of threads may read as
 * long as none writes. In {@link BloomFilterBuilder#concurrent concurrent} mode any number of
 * threads may put and ask at once, without locks: nothing is lost, {@code mightContain} is true as
 * soon as {@code put} has returned, and of all puts of one key at most one returns true. (None does
 * if another key takes the last missing bit at that moment: a false positive like any other.)
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1145/362686.362692">Bloom 1970, Space/time trade-offs in hash
 *     coding with allowable errors</a>
 */
public final class BloomFilter<T>
    implements HashedMutableFilter<T>,
        DropAware,
        Mergeable<BloomFilter<T>>,
        Overlapping<BloomFilter<T>>,
        Storable {

  /*
   * One class for all layouts: what differs between them is where bits lie (Placement) and what
   * follows for size and fpp (Shape). The words are a plain array, because one array of longs holds
   * 17 GB, which is more than one machine's cache misses can make use of.
   */

  /** Hashes whose memory is fetched together: more than a core can have under way. */
  static final int BATCH = 32;

  private final BoundHasher<T> hashing;
  private final Sizing sizing;
  private final Placement placement;
  private final long[] words;
  private final boolean concurrent;
  private final KeyTally tally;

  BloomFilter(BoundHasher<T> hashing, Sizing sizing, boolean concurrent, KeyTally tally) {
    this.hashing = hashing;
    this.sizing = sizing;
    Placement plain = Placements.of(sizing.shape());
    this.placement = concurrent ? plain.shared() : plain;
    this.concurrent = concurrent;
    this.tally = tally;
    long count = (sizing.shape().bits() + Long.SIZE - 1) / Long.SIZE;
    HeapLimit.check(count * Long.BYTES);
    this.words = LineWords.allocate((int) count);
  }

  /**
   * Returns an empty filter in the blocked layout that fits {@code fpp}, for one thread at a time.
   *
   * @param hasher says which bytes of a key count
   * @param expectedKeys n, distinct keys expected; at least 1
   * @param fpp p, false-positive probability once they are all in; strictly between 0 and 1
   */
  public static <T> BloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return BloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).build();
  }

  static <T> BloomFilter<T> empty(BoundHasher<T> hashing, Sizing sizing, boolean concurrent) {
    return new BloomFilter<>(hashing, sizing, concurrent, KeyTally.of(sizing, concurrent));
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> BloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new BloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Returns a collector that puts the elements of a stream into a new filter in concurrent mode,
   * which a parallel stream's threads fill together.
   */
  public static <T> Collector<T, ?, BloomFilter<T>> toBloomFilter(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    BloomFilterBuilder<T> builder =
        BloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).concurrent();
    return Collector.of(
        builder::build,
        BloomFilter::put,
        (first, second) -> {
          first.putAll(second);
          return first;
        },
        Collector.Characteristics.CONCURRENT,
        Collector.Characteristics.UNORDERED,
        Collector.Characteristics.IDENTITY_FINISH);
  }

  /**
   * Reads a filter that {@link #writeTo} wrote; reads nothing past its end.
   *
   * @param in the bytes, from outside and not trusted
   * @param hasher must hash as the one that filled the filter, which the bytes cannot tell
   * @param maxBytes the most memory the filter's bits may take, in bytes
   * @throws FormatException if the bytes are not such a filter, are damaged, or claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> BloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return BloomFilterFrame.read(in, hasher, maxBytes, false);
  }

  /** Does what {@link #readFrom} does; the filter is in concurrent mode. */
  public static <T> BloomFilter<T> readConcurrentFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return BloomFilterFrame.read(in, hasher, maxBytes, true);
  }

  @Override
  public boolean putHash(long hash) {
    if (!tally.hasRoom() && !mightContainHash(hash)) {
      throw tally.full();
    }
    boolean isNew = placement.put(words, hash);
    if (isNew) {
      tally.add();
    }
    return isNew;
  }

  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += BATCH) {
      putBatch(hashes, from, Math.min(count, from + BATCH), isNew);
    }
  }

  /** Puts the hashes from {@code from} up to {@code to}, no more than {@link #BATCH}. */
  void putBatch(long[] hashes, int from, int to, boolean[] isNew) {
    if (!tally.isLimited()) {
      tally.add(placement.put(words, hashes, from, to, isNew));
      return;
    }
    touch(hashes, from, to, isNew);
    for (int i = from; i < to; i++) {
      isNew[i] = putHash(hashes[i]);
    }
  }

  /** Fetches the memory of several keys; what it writes keeps the reads from being left out. */
  void touch(long[] hashes, int from, int to, boolean[] scratch) {
    placement.touch(words, hashes, from, to, scratch);
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += BATCH) {
      placement.mightContain(words, hashes, from, Math.min(count, from + BATCH), answers);
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    return placement.mightContain(words, hash);
  }

  @Override
  public BoundHasher<T> hasher() {
    return hashing;
  }

  /**
   * Puts everything in that {@code other} holds: afterwards this filter is as if all of its keys
   * had been put here. Costs one pass over the bits.
   *
   * <p>In concurrent mode other threads may go on; {@code other} must not change meanwhile unless
   * it is in concurrent mode too.
   *
   * @throws IllegalArgumentException if the two are not {@linkplain #isCompatible compatible},
   *     naming what differs; nothing has changed then
   */
  @Override
  public void putAll(BloomFilter<T> other) {
    requireCompatible(other);
    for (int i = 0; i < words.length; i++) {
      if (concurrent) {
        SharedWords.or(words, i, other.words[i]);
      } else {
        words[i] |= other.words[i];
      }
    }
    tallyFromBits();
  }

  /**
   * Estimates how many keys the two have in common. Costs one pass over both.
   *
   * @throws IllegalArgumentException if the two are not {@linkplain #isCompatible compatible}
   */
  @Override
  public Overlap estimateOverlap(BloomFilter<T> other, Confidence confidence) {
    requireCompatible(other);
    // three passes over bits that may change meanwhile: copies would double the memory
    long union = Ones.countUnion(words, other.words);
    long first = Math.min(Ones.count(words), union);
    long second = Math.min(Ones.count(other.words), union);
    return KeyCounts.overlap(shape(), first, second, union, confidence);
  }

  /** Returns an independent filter with the same bits, in the same mode. */
  @Override
  public BloomFilter<T> copy() {
    return copy(concurrent);
  }

  BloomFilter<T> copy(boolean concurrent) {
    BloomFilter<T> copy = new BloomFilter<>(hashing, sizing, concurrent, tally.fresh(concurrent));
    System.arraycopy(words, 0, copy.words, 0, words.length);
    copy.tally.continueFrom(acceptedKeys());
    return copy;
  }

  /** Forgets all keys. No other thread may use the filter meanwhile, in whichever mode. */
  @Override
  public void clear() {
    Arrays.fill(words, 0);
    tally.clear();
  }

  @Override
  public double expectedFpp() {
    return Math.min(1, placement.fpp(words));
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return KeyCounts.keys(shape(), Ones.count(words), confidence);
  }

  @Override
  public long acceptedKeys() {
    return tally.keys();
  }

  @Override
  public double expectedWrongDrops() {
    return expectedWrongDrops(0);
  }

  /** The same where a key counts as new only if something else of {@code otherFpp} says so too. */
  double expectedWrongDrops(double otherFpp) {
    return tally.expectedWrongDrops(otherFpp);
  }

  /** Returns how full the filter is. Costs two passes over the bits. */
  public FillState fillState() {
    long ones = Ones.count(words);
    return new FillState(
        ones, bitSize(), KeyCounts.keys(shape(), ones), expectedKeys(), expectedFpp());
  }

  /** Returns n, the distinct keys the filter was built for. */
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  /** Returns the fpp the filter was built for, or has when the expected keys are in. */
  public double fpp() {
    return sizing.fpp();
  }

  /** Returns the layout, bits and hashes. */
  public Shape shape() {
    return sizing.shape();
  }

  @Override
  public boolean isConcurrent() {
    return concurrent;
  }

  @Override
  public long bitSize() {
    return shape().bits();
  }

  @Override
  public Kind kind() {
    return Kind.BLOOM;
  }

  @Override
  public long serializedSize() {
    return BloomFilterFrame.bytes(words);
  }

  /**
   * {@inheritDoc}
   *
   * <p>In concurrent mode other threads may go on: every key whose put returned before the call is
   * in the bytes, others may be.
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    BloomFilterFrame.write(out, sizing, hashId(), words);
  }

  /** Returns whether {@code object} is a filter of the same shape and seed with the same bits. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof BloomFilter<?> other
        && traits().difference(other.traits()).isEmpty()
        && Arrays.equals(words, other.words);
  }

  @Override
  public int hashCode() {
    return 31 * shape().hashCode() + Arrays.hashCode(words);
  }

  @Override
  public Traits traits() {
    return Traits.of("BloomFilter")
        .with(shape().traits())
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }

  @Override
  public String toString() {
    return traits().toString();
  }

  Sizing sizing() {
    return sizing;
  }

  BoundHasher<T> hashing() {
    return hashing;
  }

  /** Fills an empty filter with the words of one that was read. */
  long[] words() {
    return words;
  }

  /** Takes the keys into account that came with {@link #words()}. */
  void tallyFromBits() {
    tally.continueFrom(approximateElementCount().rounded());
  }
}
