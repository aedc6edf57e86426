package dev.tamis.interop;

import static java.util.Objects.requireNonNull;

import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The Bloom filter of Google's Guava, by the strategy MURMUR128_MITZ_64: all that Guava makes.
 *
 * <p>Its positions take all 128 bits of a hash, so it is no {@link dev.tamis.HashedFilter}. {@link
 * GuavaMitz32BloomFilter} is for files that releases before 17 wrote.
 *
 * <p>Which hasher sees a key as a funnel of Guava's does: {@link KeyHasher#text} as {@code
 * stringFunnel(UTF_8)}, {@link KeyHasher#bytes} as {@code byteArrayFunnel()}, {@link
 * KeyHasher#longs} as {@code longFunnel()}, {@link KeyHasher#ints} as {@code integerFunnel()}.
 * There is none for {@code unencodedCharsFunnel()}, which takes two bytes of each char: make a byte
 * array of them. A funnel that puts several fields is a byte array of all of them too; {@link
 * KeyHasher#fields} hashes each by itself, which Guava never does.
 *
 * @param <T> the type of key
 */
public final class GuavaBloomFilter<T> extends ForeignBits<T> {

  private final Probes probes;

  GuavaBloomFilter(KeyHasher<? super T> hasher, int hashes, long[] words) {
    this(hasher, new Probes(Stepping.LONG, (long) words.length * Long.SIZE, hashes), words);
  }

  private GuavaBloomFilter(KeyHasher<? super T> hasher, Probes probes, long[] words) {
    super(ForeignFormat.GUAVA, hasher, Murmur128.ID, probes, words);
    this.probes = probes;
  }

  /**
   * Returns an empty filter as large as Guava 33.8 makes it.
   *
   * @param hasher says which bytes of a key count
   * @param expectedKeys n, distinct keys expected; at least 1
   * @param fpp p, asked of Guava's sizing, which neglects what rounding and stepping cost; strictly
   *     between 0 and 1
   */
  public static <T> GuavaBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    long bits = ClassicSize.wholeWords(ClassicSize.bits(expectedKeys, fpp));
    int hashes = GuavaHeader.hashesFor(fpp);
    return new GuavaBloomFilter<>(hasher, hashes, emptyWords(bits));
  }

  /**
   * Reads what {@code BloomFilter.writeTo} of Guava writes; reads nothing past its end.
   *
   * @param in the bytes, from outside and not trusted
   * @param hasher must pick the bytes of a key as the funnel did that filled the filter
   * @param maxBytes the most memory the filter's bits may take, in bytes
   * @throws FormatException if the bytes are not such a filter of this strategy, or claim more
   *     memory
   * @throws IOException if {@code in} fails
   */
  public static <T> GuavaBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    ForeignInput input = ForeignInput.of(in, maxBytes);
    GuavaHeader.strategy(input, GuavaHeader.MITZ_64, GuavaHeader.MITZ_64);
    return new GuavaBloomFilter<>(hasher, GuavaHeader.hashes(input), input.countedWords());
  }

  @Override
  public boolean put(T key) {
    requireNonNull(key, "key");
    return accept(
        probes.put(words, hasher.hash(key, Murmur128.LOWER), hasher.hash(key, Murmur128.UPPER)));
  }

  @Override
  public boolean mightContain(T key) {
    requireNonNull(key, "key");
    return probes.mightContain(
        words, hasher.hash(key, Murmur128.LOWER), hasher.hash(key, Murmur128.UPPER));
  }

  @Override
  public GuavaBloomFilter<T> copy() {
    GuavaBloomFilter<T> copy = new GuavaBloomFilter<>(hasher, probes, words.clone());
    copy.continueFrom(this);
    return copy;
  }

  /** Returns k, the bits set for each key. */
  public int hashes() {
    return probes.hashes();
  }

  @Override
  Traits variant() {
    return Traits.of("variant")
        .matching("strategy", "MURMUR128_MITZ_64")
        .matching("hashes", hashes());
  }

  @Override
  public long foreignSize() {
    return GuavaHeader.BYTES + (long) words.length * Long.BYTES;
  }

  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    GuavaHeader.write(out, GuavaHeader.MITZ_64, hashes(), words);
  }
}
