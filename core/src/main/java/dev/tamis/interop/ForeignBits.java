package dev.tamis.interop;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.WrongDrops;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * An array of bits that follows another program's rules, and the count of the keys put.
 *
 * @param <T> the type of key
 */
abstract sealed class ForeignBits<T> implements ForeignFilter<T>
    permits HashedBits, GuavaBloomFilter {

  /*
   * Threads: as in our own Bloom filter. Placement says who may write a word, and why one put of a
   * key returns true. What is done to the whole filter (merging, clearing) happens one at a time,
   * under the monitor.
   */

  private static final int CHUNK_BYTES = 1 << 16;

  /** The largest count, with room to increase. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  final KeyHasher<? super T> hasher;
  final Words words;
  final Stripes stripes;
  private final Object monitor = new Object();
  private final ForeignFormat format;
  private final Geometry geometry;
  private final HashId hashId;
  private final KeyCount keys;

  /** Takes over {@code words}; rejects a keyed hasher, as no foreign hash has a secret key. */
  ForeignBits(
      ForeignFormat format,
      KeyHasher<? super T> hasher,
      HashId hashId,
      Geometry geometry,
      Words words) {
    this.hasher = requireNonNull(hasher, "hasher");
    if (hasher.hashKey().isPresent()) {
      throw new IllegalArgumentException(
          "filter of "
              + format.label()
              + ": hasher: has no hash key, got a keyed one; omit keyedBy");
    }
    this.format = format;
    this.hashId = hashId;
    this.geometry = geometry;
    this.words = words;
    this.stripes = Stripes.forWords(words.count());
    this.keys = new KeyCount(stripes);
    keys.continueFrom(distinctKeys(geometry.setBits(words)));
  }

  static Words emptyWords(long bits) {
    return Words.allocate(bits / Long.SIZE);
  }

  private long distinctKeys(long setBits) {
    return Math.min(UNBOUNDED, geometry.keys(setBits, Confidence.DEFAULT).rounded());
  }

  /** Returns the filter that {@code create} makes from a copy of the bits. */
  final <F extends ForeignBits<T>> F copied(Function<Words, F> create) {
    long before = acceptedKeys();
    VarHandle.acquireFence();
    F copy = create.apply(words.copy());
    long after = acceptedKeys();
    ForeignBits<T> bits = copy;
    long least = Math.min(before, after);
    bits.keys.continueFrom(Math.max(least, Math.min(Math.max(before, after), bits.acceptedKeys())));
    return copy;
  }

  /** Sets the bits of {@code others}, while other threads put. */
  abstract void merge(Words others);

  /** Merges other fields once the bits are set. */
  void merged(ForeignFilter<T> other) {}

  /** Clears other fields once all bits are zero. */
  void cleared() {}

  /** Returns the traits of the format's variant. */
  abstract Traits variant();

  @Override
  public final Traits traits() {
    return Traits.of(getClass().getSimpleName())
        .matching("format", format.label())
        .with(variant())
        .matching("bits", bitSize())
        .matching("hash", hashId);
  }

  @Override
  public final ForeignFormat format() {
    return format;
  }

  @Override
  public final HashId hashId() {
    return hashId;
  }

  @Override
  public final long acceptedKeys() {
    return keys.keys();
  }

  @Override
  public final double expectedWrongDrops() {
    return keys.expectedWrongDrops(geometry::fppAt);
  }

  @Override
  public final double expectedFpp() {
    return geometry.fpp(words);
  }

  @Override
  public final Estimate approximateElementCount(Confidence confidence) {
    return geometry.keys(geometry.setBits(words), confidence);
  }

  @Override
  public final long bitSize() {
    return geometry.bits();
  }

  @Override
  public final long setBits() {
    return SetBits.count(words);
  }

  private Words wordsOf(ForeignFilter<T> other) {
    requireCompatible(other);
    return ((ForeignBits<T>) other).words;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Other threads may go on using both. What they put into {@code other} meanwhile may be merged
   * or not.
   */
  @Override
  public final void putAll(ForeignFilter<T> other) {
    Words others = wordsOf(other);
    VarHandle.acquireFence();
    synchronized (monitor) {
      long ones = geometry.setBits(words);
      long more = SetBits.countMissing(words, 0, others);
      keys.add(distinctKeys(ones + more) - distinctKeys(ones), geometry::fppAt);
      merge(others);
      merged(other);
    }
  }

  @Override
  public final Overlap estimateOverlap(ForeignFilter<T> other, Confidence confidence) {
    Words others = wordsOf(other);
    Words union = others.copy();
    union.or(0, words);
    // passes over bits that may change meanwhile
    long inUnion = geometry.setBits(union);
    long inFirst = Math.min(geometry.setBits(words), inUnion);
    long inSecond = Math.min(geometry.setBits(others), inUnion);
    return geometry.overlap(inFirst, inSecond, inUnion, confidence);
  }

  /**
   * {@inheritDoc}
   *
   * <p>What other threads do meanwhile comes before or after it, except that a put or lookup that
   * finds some bits of its key from before and the others from after reports the key.
   */
  @Override
  public final void clear() {
    synchronized (monitor) {
      stripes.lockAll();
      try {
        words.clear();
        cleared();
        keys.continueFrom(0);
      } finally {
        stripes.unlockAll();
      }
    }
  }

  @Override
  public final Kind kind() {
    return Kind.FOREIGN;
  }

  @Override
  public final long serializedSize() {
    return Frame.bytes(foreignSize());
  }

  /** {@inheritDoc} The frame is of kind 10. */
  @Override
  public final void writeTo(OutputStream out) throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.FOREIGN, foreignSize());
    writer.hash(hashId);
    writer.header().putShort(ForeignFilters.FORMAT_AT, (short) format.id());
    writeForeignTo(writer.payload());
    writer.finish();
  }

  /**
   * Writes a foreign header and the words, and flushes. Other threads may put meanwhile: every key
   * whose put returned before the call is written.
   */
  final void write(OutputStream out, byte[] header, ByteOrder order) throws IOException {
    VarHandle.acquireFence();
    out.write(header);
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(order);
    for (long[] segment : words.segments()) {
      int count;
      for (int start = Words.FIRST; start < segment.length; start += count) {
        count = Math.min(CHUNK_BYTES / Long.BYTES, segment.length - start);
        chunk.asLongBuffer().put(segment, start, count);
        out.write(chunk.array(), 0, count * Long.BYTES);
      }
    }
    out.flush();
  }

  /** Returns whether {@code object} has the same traits and the same bits. */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof ForeignBits<?> other
        && traits().equals(other.traits())
        && words.equals(other.words);
  }

  @Override
  public final int hashCode() {
    return 31 * traits().hashCode() + words.hashCode();
  }

  @Override
  public final String toString() {
    return traits().toString();
  }

  /**
   * How many keys a filter has, from a number it starts with and the puts counted in its stripes.
   */
  static final class KeyCount {

    private final Stripes stripes;
    private volatile Start start = new Start(0, 0, 0);

    KeyCount(Stripes stripes) {
      this.stripes = stripes;
    }

    long keys() {
      Start from = start;
      return from.keys() + stripes.counted() - from.counted();
    }

    /** Continues from {@code keys}, which nobody else has counted. */
    void continueFrom(long keys) {
      start = new Start(keys, stripes.counted(), 0);
    }

    /** Adds keys that were not put individually; for one thread at a time. */
    void add(long keys, LongToDoubleFunction fppAtKeys) {
      Start from = start;
      long counted = stripes.counted();
      long present = from.keys() + counted - from.counted();
      start = new Start(present + keys, counted, expectedWrongDrops(from, counted, fppAtKeys));
    }

    double expectedWrongDrops(LongToDoubleFunction fppAtKeys) {
      return expectedWrongDrops(start, stripes.counted(), fppAtKeys);
    }

    private static double expectedWrongDrops(
        Start from, long counted, LongToDoubleFunction fppAtKeys) {
      long accepted = counted - from.counted();
      return from.drops() + WrongDrops.expected(fppAtKeys, from.keys(), accepted, 0);
    }

    /**
     * Where counting began.
     *
     * @param keys the keys there were
     * @param counted what the stripes had counted, which is never reset
     * @param drops the wrong drops that were expected by then
     */
    private record Start(long keys, long counted, double drops) {}
  }
}
