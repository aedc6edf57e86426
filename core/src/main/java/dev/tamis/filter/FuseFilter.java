package dev.tamis.filter;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Traits;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.fuse.FuseTable;
import dev.tamis.internal.hashes.HashCollisions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A binary fuse filter: built once from all of its keys, and then a fifth smaller than a Bloom
 * filter.
 *
 * <p>Choose it when the keys are known beforehand and their number is large. It takes 1.13 · f bits
 * per key for an fpp of 2^−f (1.08 · f with an arity of 4), where a {@link BloomFilter} takes 1.44
 * · f at best; an fpp between two powers of two is rounded down to the lower. When keys arrive one
 * by one, use a {@link BloomFilter}; so too below a thousand keys, where a fuse filter is the
 * larger of the two. Bits per key, at an fpp of 2^−8:
 *
 * <pre>
 * keys                    10    100  1,000  10,000  100,000  1,000,000
 * fuse, arity 3         38.4   15.4   11.3    10.2      9.5        9.0
 * fuse, arity 4         20.8   13.4   11.0     9.8      9.0        8.6
 * Bloom, classic        11.5 at any number
 * </pre>
 *
 * <pre>{@code
 * FuseFilter<CharSequence> blocked =
 *     FuseFilter.builder(KeyHasher.text()).fpp(0.001).putAll(Files.lines(path)).build();
 * }</pre>
 *
 * <p>A query reads three or four places in memory, always all of them. An empty filter answers
 * false to all queries.
 *
 * <p>Immutable, so safe for any number of threads.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1145/3510449">Graf, Lemire 2022, Binary fuse filters: fast and
 *     smaller than xor filters</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class FuseFilter<T> extends SerializableFilter<T> {

  /*
   * All shards have the shape that the fullest needs, so that the start of a shard is computed and
   * a query needs only a byte of seed per shard. The excess slots of the others are 0.2 % at two
   * million keys per shard. Shards bound the memory of construction, 24 bytes per key.
   */

  private final double fpp;
  private final long keys;
  private final FuseTable table;

  FuseFilter(BoundHasher<T> hashing, double fpp, long keys, FuseTable table) {
    super(Kind.FUSE, hashing);
    this.fpp = fpp;
    this.keys = keys;
    this.table = table;
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> FuseFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new FuseFilterBuilder<>(hasher);
  }

  /** Reads a filter that {@link #writeTo} wrote, as {@link Filters#readFrom} does. */
  public static <T> FuseFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return FuseFilterFrame.read(FrameReader.of(Kind.FUSE, in, maxBytes), hasher);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return keys != 0 && table.mightContain(hash);
  }

  /** Returns 2^−f plus the probability of a hash collision, n/2^64, at no cost. */
  @Override
  public double expectedFpp() {
    return expectedFpp(keys, fingerprintBits());
  }

  static double expectedFpp(long keys, int fingerprintBits) {
    if (keys == 0) {
      return 0;
    }
    return HashCollisions.addedTo(Math.scalb(1.0, -fingerprintBits), (double) keys);
  }

  /** Returns {@link #keys}, which is exact. */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return new Estimate(keys, keys, keys);
  }

  /** Returns n, the distinct keys the filter was built from; different keys of one hash are one. */
  public long keys() {
    return keys;
  }

  /** Returns the requested fpp; {@link #expectedFpp} is the largest power of two not above it. */
  public double fpp() {
    return fpp;
  }

  /** Returns the slots of a key: 3 or 4. */
  public int arity() {
    return table.sizing().arity();
  }

  /** Returns f, the bits of a fingerprint and of a slot: 1 to 32. */
  public int fingerprintBits() {
    return table.slots().width();
  }

  /** Returns how many parts the filter has been built in, a power of two. */
  public int shards() {
    return table.sizing().shards();
  }

  /** {@inheritDoc} That is f for each slot. */
  @Override
  public long bitSize() {
    return table.slots().slots() * fingerprintBits();
  }

  @Override
  public long serializedSize() {
    return FuseFilterFrame.bytes(table);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FuseFilterFrame.write(out, hashing, fpp, keys, table);
  }

  /** Returns whether {@code object} is such a filter that writes the same bytes. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FuseFilter<?> other
        && hashId().equals(other.hashId())
        && fpp == other.fpp
        && keys == other.keys
        && table.equals(other.table);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(keys) + table.hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("FuseFilter")
        .with("bits", bitSize())
        .with("arity", arity())
        .with("fingerprint bits", fingerprintBits())
        .with("shards", shards())
        .with("keys", keys)
        .with("requested fpp", fpp)
        .matching("hash", hashId());
  }
}
