package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.internal.ribbon.Ribbon;
import dev.tamis.sizing.RibbonSizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A ribbon filter: built once from all keys, within one to three percent of the lower bound in
 * bits.
 *
 * <p>Choose it when the keys are known beforehand and memory or transfer size matters most: at 1 %
 * it takes 6.7 bits per key, where a Bloom filter takes 10. When queries have to be as fast as
 * possible, see {@link FuseFilter}; when keys arrive one by one, {@link BloomFilter}.
 *
 * <pre>{@code
 * RibbonFilter<String> known =
 *     RibbonFilter.<String>builder(KeyHasher.text()).fpp(0.01).putAll(words).build();
 * if (!known.mightContain(word)) {
 *   report(word); // certainly none of the words
 * }
 * }</pre>
 *
 * <p>It has the requested fpp, to a fraction of a percent, for any fpp: parts of it have one column
 * of bits fewer than the rest. Mixing whole columns costs up to 3.5 % of the bits for an fpp of 1/4
 * and less, and up to 7 % between 1/4 and 1/2; a higher fpp is not worth a filter of this kind.
 * Each filter takes 128 slots at least, which counts below a thousand keys.
 *
 * <p>Immutable, and safe for any number of threads.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.4230/LIPIcs.SEA.2022.4">Dillinger, Hübschle-Schneider, Sanders,
 *     Walzer 2022, Fast Succinct Retrieval and Approximate Membership Using Ribbon</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class RibbonFilter<T> extends SerializableFilter<T> {

  private final long keys;
  private final double fpp;
  private final Ribbon ribbon;

  RibbonFilter(BoundHasher<T> hashing, long keys, double fpp, Ribbon ribbon) {
    super(Kind.RIBBON, hashing);
    this.keys = RibbonSizing.requireKeys(keys);
    this.fpp = RibbonSizing.requireFpp(fpp);
    this.ribbon = ribbon;
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> RibbonFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new RibbonFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /** Reads a filter that {@link #writeTo} wrote, as {@link Filters#readFrom} does. */
  public static <T> RibbonFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return RibbonFilterFrame.read(FrameReader.of(Kind.RIBBON, in, maxBytes), hasher);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return ribbon.mightContain(hash);
  }

  /** {@inheritDoc} Exact; the pass is over the thresholds only, a bit for each 64 keys. */
  @Override
  public double expectedFpp() {
    return HashCollisions.addedTo(ribbon.fpp(), (double) keys);
  }

  /** Returns how many distinct hashes were put, which is exact and costs nothing. */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return new Estimate(keys, keys, keys);
  }

  /** Returns how many distinct hashes were put. */
  public long keys() {
    return keys;
  }

  /** Returns the fpp the filter was built for. */
  public double fpp() {
    return fpp;
  }

  /** Returns how many layers there are, most keys being in the first: 0 without keys. */
  public int layers() {
    return ribbon.layers();
  }

  /** {@inheritDoc} Thresholds are included, and the lengths of the layers. */
  @Override
  public long bitSize() {
    return ribbon.words().count() * Long.SIZE;
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(ribbon.words().bytes());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    RibbonFilterFrame.write(out, this, ribbon);
  }

  /** Returns whether {@code object} is a filter of the same hash function with the same bits. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof RibbonFilter<?> other
        && hashId().equals(other.hashId())
        && keys == other.keys
        && ribbon.columns() == other.ribbon.columns()
        && ribbon.words().equals(other.ribbon.words());
  }

  @Override
  public int hashCode() {
    return 31 * hashId().hashCode() + ribbon.words().hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("RibbonFilter")
        .with("bits", bitSize())
        .with("columns", ribbon.columns())
        .with("layers", layers())
        .with("keys", keys)
        .with("requested fpp", fpp)
        .matching("hash", hashId());
  }
}
