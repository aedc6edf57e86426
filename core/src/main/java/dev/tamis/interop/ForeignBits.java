package dev.tamis.interop;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlap;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.bits.Ones;
import dev.tamis.sizing.WrongDrops;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An array of bits in which another program's rules apply, and the count of the keys that came.
 *
 * @param <T> the type of key
 */
abstract sealed class ForeignBits<T> implements ForeignFilter<T>
    permits HashedBits, GuavaBloomFilter {

  final KeyHasher<? super T> hasher;
  final long[] words;
  private final ForeignFormat format;
  private final Geometry geometry;
  private final HashId hashId;
  private long keysBefore;
  private long accepted;

  /**
   * Takes bits as they are.
   *
   * @throws IllegalArgumentException if the hasher has a secret key, which no foreign hash has
   */
  ForeignBits(
      ForeignFormat format,
      KeyHasher<? super T> hasher,
      HashId hashId,
      Geometry geometry,
      long[] words) {
    this.hasher = requireNonNull(hasher, "hasher");
    if (hasher.hashKey().isPresent()) {
      throw new IllegalArgumentException(
          "a filter of " + format.label() + " has no hash key: leave keyedBy out");
    }
    this.format = format;
    this.hashId = hashId;
    this.geometry = geometry;
    this.words = words;
    countKeys();
  }

  /** Allocates the words of a new filter. */
  static long[] emptyWords(long bits) {
    HeapLimit.check(bits / Byte.SIZE);
    return new long[Math.toIntExact(bits / Long.SIZE)];
  }

  /** Takes as many keys for put as the bits tell. */
  private void countKeys() {
    accepted = 0;
    keysBefore = Math.min(approximateElementCount().rounded(), Long.MAX_VALUE / 2);
  }

  /** Makes this go on from the count of {@code original}, whose bits it has. */
  final void continueFrom(ForeignBits<?> original) {
    keysBefore = original.acceptedKeys();
  }

  /** Counts a put that changed bits, and returns whether it did. */
  final boolean accept(boolean changed) {
    accepted += changed ? 1 : 0;
    return changed;
  }

  /** Does what else the other program does when it merges, once the bits are there. */
  void merged(ForeignFilter<T> other) {}

  /** Does what else there is to do once all bits are zero. */
  void cleared() {}

  /** Returns the traits of the format's variant, to which this class adds size and hash. */
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
    return keysBefore + accepted;
  }

  @Override
  public final double expectedWrongDrops() {
    return WrongDrops.expected(geometry::fppAt, keysBefore, accepted, 0);
  }

  @Override
  public final double expectedFpp() {
    return geometry.fpp(words);
  }

  @Override
  public final Estimate approximateElementCount(Confidence confidence) {
    return geometry.keys(geometry.ones(words), confidence);
  }

  @Override
  public final long bitSize() {
    return geometry.bits();
  }

  @Override
  public final long ones() {
    return Ones.count(words);
  }

  private long[] wordsOf(ForeignFilter<T> other) {
    requireCompatible(other);
    return ((ForeignBits<T>) other).words;
  }

  @Override
  public final void putAll(ForeignFilter<T> other) {
    long[] others = wordsOf(other);
    for (int i = 0; i < words.length; i++) {
      words[i] |= others[i];
    }
    merged(other);
    countKeys();
  }

  @Override
  public final Overlap estimateOverlap(ForeignFilter<T> other, Confidence confidence) {
    long[] union = wordsOf(other).clone();
    for (int i = 0; i < union.length; i++) {
      union[i] |= words[i];
    }
    return geometry.overlap(
        geometry.ones(words), geometry.ones(wordsOf(other)), geometry.ones(union), confidence);
  }

  @Override
  public final void clear() {
    Arrays.fill(words, 0);
    cleared();
    countKeys();
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

  /** Returns whether {@code object} has the same traits and the same bits. */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof ForeignBits<?> other
        && traits().equals(other.traits())
        && Arrays.equals(words, other.words);
  }

  @Override
  public final int hashCode() {
    return 31 * traits().hashCode() + Arrays.hashCode(words);
  }

  @Override
  public final String toString() {
    return traits().toString();
  }
}
