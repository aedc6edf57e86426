package dev.tamis.interop;

import static java.util.Objects.requireNonNull;

import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.tamis.Traits;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.FppText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The Bloom filter of Google's Guava, by the strategy MURMUR128_MITZ_64: all that Guava makes since
 * release 17.
 *
 * <p>Its positions take all 128 bits of a hash, so it is not a {@link dev.tamis.HashedFilter}.
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

  private static final int STRATEGY = 1;

  private static final int MAX_HASHES = 255;

  private static final int HEADER_BYTES = 2 + Integer.BYTES;

  private final Probes probes;

  private GuavaBloomFilter(KeyHasher<? super T> hasher, int hashes, Words words) {
    this(hasher, new Probes(Stepping.LONG, words.count() * Long.SIZE, hashes), words);
  }

  private GuavaBloomFilter(KeyHasher<? super T> hasher, Probes probes, Words words) {
    super(ForeignFormat.GUAVA, hasher, Murmur128.ID, probes, words);
    this.probes = probes;
  }

  /**
   * Returns an empty filter as large as Guava 33.8 makes it.
   *
   * @param fpp p, given to Guava's sizing, which neglects what rounding and stepping cost
   */
  public static <T> GuavaBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    long bits = ClassicSize.wholeWords(ClassicSize.bits(expectedKeys, fpp));
    int hashes = ClassicSize.hashes(fpp);
    if (hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "fpp %s takes %d hashes, Guava has at most %d",
              FppText.exact(fpp),
              hashes,
              MAX_HASHES));
    }
    return new GuavaBloomFilter<>(hasher, hashes, emptyWords(bits));
  }

  /**
   * Reads what {@code BloomFilter.writeTo} of Guava writes, as {@link ForeignFilters#readForeign}
   * does; reads nothing past its end.
   */
  public static <T> GuavaBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return read(ForeignInput.of(in, maxBytes), hasher);
  }

  static <T> GuavaBloomFilter<T> read(ForeignInput in, KeyHasher<? super T> hasher)
      throws IOException {
    in.expect(0, "strategy", STRATEGY, STRATEGY, in.u8("strategy"));
    int hashes = in.u8("number of hashes");
    in.expect(1, "number of hashes", 1, MAX_HASHES, hashes);
    return new GuavaBloomFilter<>(hasher, hashes, in.countedWords());
  }

  @Override
  public boolean put(T key) {
    requireNonNull(key, "key");
    long lower = hasher.hash(key, Murmur128.LOWER);
    long upper = hasher.hash(key, Murmur128.UPPER);
    if (mightContain(lower, upper)) {
      return false;
    }
    int stripe = stripes.of(lower); // keeps other puts of the key away, as in HashedProbes
    stripes.lock(stripe);
    boolean isNew = probes.put(words, lower, upper);
    stripes.unlock(stripe, isNew ? 1 : 0);
    VarHandle.acquireFence();
    return isNew;
  }

  @Override
  public boolean mightContain(T key) {
    requireNonNull(key, "key");
    return mightContain(hasher.hash(key, Murmur128.LOWER), hasher.hash(key, Murmur128.UPPER));
  }

  private boolean mightContain(long lower, long upper) {
    VarHandle.acquireFence(); // as in HashedBits
    boolean found = probes.mightContain(words, lower, upper);
    VarHandle.acquireFence();
    return found;
  }

  @Override
  void merge(Words others) {
    Placement.mergeScattered(words, 0, others);
  }

  @Override
  public GuavaBloomFilter<T> copy() {
    return copied(bits -> new GuavaBloomFilter<>(hasher, probes, bits));
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
    return HEADER_BYTES + words.bytes();
  }

  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    byte[] header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put((byte) STRATEGY)
            .put((byte) hashes())
            .putInt((int) words.count())
            .array();
    write(out, header, ByteOrder.BIG_ENDIAN);
  }

  /** One half of Guava's MurmurHash3 for x64 with 128 bits and seed 0. */
  static final class Murmur128 extends ForeignHash {

    static final HashId ID = new HashId(HashId.Algorithm.MURMUR3_128, 0);

    /** The half that Guava calls the lower one. */
    static final Murmur128 LOWER = new Murmur128(false);

    static final Murmur128 UPPER = new Murmur128(true);

    private static final Hasher128 HASHER = Hashing.murmur3_128();

    private final boolean upper;

    private Murmur128(boolean upper) {
      super(ID);
      this.upper = upper;
    }

    @Override
    long hash(byte[] bytes, int offset, int length) {
      return upper
          ? HASHER.hashBytesTo128Bits(bytes, offset, length).getMostSignificantBits()
          : HASHER.hashBytesToLong(bytes, offset, length);
    }
  }
}
