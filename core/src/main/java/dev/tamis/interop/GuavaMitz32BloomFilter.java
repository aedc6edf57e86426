package dev.tamis.interop;

import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
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

  private static final GuavaStrategy STRATEGY = GuavaStrategy.MURMUR128_MITZ_32;

  private final Probes probes;

  private GuavaMitz32BloomFilter(KeyHasher<? super T> hasher, int hashes, Words words) {
    this(hasher, STRATEGY.probes(hashes, words), words);
  }

  private GuavaMitz32BloomFilter(KeyHasher<? super T> hasher, Probes probes, Words words) {
    super(
        ForeignFormat.GUAVA,
        hasher,
        Murmur128.LOWER,
        probes,
        HashedProbes.lowerFirst(probes),
        words);
    this.probes = probes;
  }

  /** Returns an empty filter of the size that {@link GuavaBloomFilter#create} gives one. */
  public static <T> GuavaMitz32BloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    Probes probes = STRATEGY.probes(expectedKeys, fpp);
    return new GuavaMitz32BloomFilter<>(hasher, probes, emptyWords(probes.bits()));
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
    STRATEGY.expect(input);
    return readRest(input, hasher);
  }

  /** Reads what comes after the strategy. */
  static <T> GuavaMitz32BloomFilter<T> readRest(ForeignInput in, KeyHasher<? super T> hasher)
      throws IOException {
    return new GuavaMitz32BloomFilter<>(hasher, GuavaStrategy.hashes(in), in.countedWords());
  }

  @Override
  public GuavaMitz32BloomFilter<T> copy() {
    return copied(bits -> new GuavaMitz32BloomFilter<>(hasher, probes, bits));
  }

  /** Returns k, the bits set for each key. */
  public int hashes() {
    return probes.hashes();
  }

  @Override
  Traits variant() {
    return STRATEGY.variant(hashes());
  }

  @Override
  public long foreignSize() {
    return GuavaStrategy.size(words);
  }

  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    STRATEGY.write(out, hashes(), words);
  }
}
