package dev.tamis.interop;

import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The Bloom filter of Google's Guava before release 17, by the strategy MURMUR128_MITZ_32.
 *
 * <p>Later releases read it and never make one: see {@link GuavaBloomFilter}, also for the hashers
 * that match Guava's funnels. Its positions are ints, so that no more than 2^31 bits are reached;
 * {@link #expectedFpp} takes that into account.
 *
 * @param <T> the type of key
 */
public final class GuavaMitz32BloomFilter<T> extends HashedBits<T> {

  private final Probes probes;

  GuavaMitz32BloomFilter(KeyHasher<? super T> hasher, int hashes, long[] words) {
    this(hasher, new Probes(Stepping.INT, (long) words.length * Long.SIZE, hashes), words);
  }

  private GuavaMitz32BloomFilter(KeyHasher<? super T> hasher, Probes probes, long[] words) {
    super(ForeignFormat.GUAVA, hasher, Murmur128.LOWER, probes, words);
    this.probes = probes;
  }

  /** Returns an empty filter of the size that {@link GuavaBloomFilter#create} gives one. */
  public static <T> GuavaMitz32BloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    long bits = ClassicSize.wholeWords(ClassicSize.bits(expectedKeys, fpp));
    int hashes = GuavaHeader.hashesFor(fpp);
    return new GuavaMitz32BloomFilter<>(hasher, hashes, emptyWords(bits));
  }

  /**
   * Does what {@link GuavaBloomFilter#readFrom} does for this strategy.
   *
   * @throws FormatException if the bytes are not such a filter of this strategy, or claim more
   *     memory
   * @throws IOException if {@code in} fails
   */
  public static <T> GuavaMitz32BloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    ForeignInput input = ForeignInput.of(in, maxBytes);
    GuavaHeader.strategy(input, GuavaHeader.MITZ_32, GuavaHeader.MITZ_32);
    return new GuavaMitz32BloomFilter<>(hasher, GuavaHeader.hashes(input), input.countedWords());
  }

  @Override
  boolean setBits(long hash) {
    return probes.put(words, hash, hash >>> Integer.SIZE);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.mightContain(words, hash, hash >>> Integer.SIZE);
  }

  @Override
  public GuavaMitz32BloomFilter<T> copy() {
    GuavaMitz32BloomFilter<T> copy = new GuavaMitz32BloomFilter<>(hasher, probes, words.clone());
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
        .matching("strategy", "MURMUR128_MITZ_32")
        .matching("hashes", hashes());
  }

  @Override
  public long foreignSize() {
    return GuavaHeader.BYTES + (long) words.length * Long.BYTES;
  }

  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    GuavaHeader.write(out, GuavaHeader.MITZ_32, hashes(), words);
  }
}
