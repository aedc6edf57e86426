package dev.tamis.interop;

import dev.tamis.Traits;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The Bloom filter of Apache Spark's sketch library, version 1 or 2.
 *
 * <p>Version 2 came with Spark 4.1 and is its default; earlier programs read version 1 only.
 * Version 1 takes positions from 31 bits: past 2^31 bits it does not get better, and {@link
 * #expectedFpp} says so where Spark's own does not. Both step from one position of a key to the
 * next by the same distance, which below a thousand keys shows up as more false positives than
 * {@link #expectedFpp} says: ten times as many in version 2 with 100 keys at 1e-4.
 *
 * <p>Which hasher sees a key as Spark does: {@link KeyHasher#text} as {@code putString}, {@link
 * KeyHasher#bytes} as {@code putBinary}, {@link KeyHasher#longs} as {@code putLong}. Spark widens
 * ints, shorts and bytes to longs first: {@code KeyHasher.longs().on(Integer::longValue)}. {@link
 * KeyHasher#ints}, {@link KeyHasher#uuids} and {@link KeyHasher#fields} have no counterpart there.
 *
 * @param <T> the type of key
 */
public final class SparkBloomFilter<T> extends HashedBits<T> {

  /** The most hashes per key: enough for the smallest fpp that a double can be. */
  public static final int MAX_HASHES = 1_075;

  private static final int FIRST = 1;
  private static final int SECOND = 2;

  private final int version;
  private final Probes probes;

  private SparkBloomFilter(
      KeyHasher<? super T> hasher, int version, int seed, int hashes, Words words) {
    this(hasher, version, seed, probes(version, hashes, words), words);
  }

  private SparkBloomFilter(
      KeyHasher<? super T> hasher, int version, int seed, Probes probes, Words words) {
    super(
        ForeignFormat.SPARK,
        hasher,
        new SparkHash(seed),
        probes,
        HashedProbes.upperFirst(probes),
        words);
    this.version = version;
    this.probes = probes;
  }

  private static Probes probes(int version, int hashes, Words words) {
    Stepping stepping = version == FIRST ? Stepping.INT : Stepping.INTS_IN_LONG;
    return new Probes(stepping, words.count() * Long.SIZE, hashes);
  }

  /**
   * Returns an empty filter of version 2 with seed 0, as large as Spark makes it.
   *
   * @param fpp p, given to Spark's sizing, which neglects what rounding and stepping cost
   */
  public static <T> SparkBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return create(hasher, expectedKeys, fpp, 0);
  }

  /** Returns an empty filter of version 2 with a seed of the caller's. */
  public static <T> SparkBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp, int seed) {
    return create(hasher, SECOND, expectedKeys, fpp, seed);
  }

  /** Returns an empty filter of version 1, which all of Spark's releases read. */
  public static <T> SparkBloomFilter<T> createVersion1(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return create(hasher, FIRST, expectedKeys, fpp, 0);
  }

  private static <T> SparkBloomFilter<T> create(
      KeyHasher<? super T> hasher, int version, long expectedKeys, double fpp, int seed) {
    long bits = ClassicSize.bits(expectedKeys, fpp);
    Words words = emptyWords(ClassicSize.wholeWords(bits));
    int hashes = ClassicSize.hashes(expectedKeys, bits);
    return new SparkBloomFilter<>(hasher, version, seed, hashes, words);
  }

  /**
   * Reads what {@code BloomFilter.writeTo} of Spark writes, as {@link ForeignFilters#readForeign}
   * does; reads nothing past its end.
   */
  public static <T> SparkBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return read(ForeignInput.of(in, maxBytes), hasher);
  }

  static <T> SparkBloomFilter<T> read(ForeignInput in, KeyHasher<? super T> hasher)
      throws IOException {
    int version = in.bigEndianInt("version");
    in.expect(0, "version", FIRST, SECOND, version);
    int hashes = in.bigEndianInt("number of hashes");
    in.expect(Integer.BYTES, "number of hashes", 1, MAX_HASHES, hashes);
    int seed = version == FIRST ? 0 : in.bigEndianInt("seed");
    return new SparkBloomFilter<>(hasher, version, seed, hashes, in.countedWords());
  }

  @Override
  public SparkBloomFilter<T> copy() {
    return copied(bits -> new SparkBloomFilter<>(hasher, version, seed(), probes, bits));
  }

  /** Returns the version of the format: 1 or 2. */
  public int version() {
    return version;
  }

  /** Returns the seed of the hash, 0 in version 1. */
  public int seed() {
    return (int) hashId().number();
  }

  /** Returns k, the bits set for each key. */
  public int hashes() {
    return probes.hashes();
  }

  @Override
  Traits variant() {
    return Traits.of("variant").matching("version", version).matching("hashes", hashes());
  }

  @Override
  public long foreignSize() {
    return header().length + words.bytes();
  }

  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    write(out, header(), ByteOrder.BIG_ENDIAN);
  }

  private byte[] header() {
    int ints = version == FIRST ? 3 : 4;
    ByteBuffer header = ByteBuffer.allocate(ints * Integer.BYTES).putInt(version).putInt(hashes());
    if (version == SECOND) {
      header.putInt(seed());
    }
    return header.putInt((int) words.count()).array();
  }

  /**
   * Spark's two hashes of a key, the first in the upper half: MurmurHash3 for x86 with a seed, and
   * again with the first hash for a seed.
   *
   * <p>Up to three bytes at the end are not what MurmurHash3 makes of them: each is mixed in as if
   * it were a block of four, with its sign.
   */
  static final class SparkHash extends ForeignHash {

    private static final VarHandle INTS =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final int seed;

    SparkHash(int seed) {
      super(new HashId(HashId.Algorithm.SPARK_MURMUR3, seed));
      this.seed = seed;
    }

    @Override
    long hash(byte[] bytes, int offset, int length) {
      int first = murmur(bytes, offset, length, seed);
      int second = murmur(bytes, offset, length, first);
      return (long) first << Integer.SIZE | Integer.toUnsignedLong(second);
    }

    private static int murmur(byte[] bytes, int offset, int length, int seed) {
      int hash = seed;
      int blocksEnd = offset + (length & -Integer.BYTES);
      for (int at = offset; at < blocksEnd; at += Integer.BYTES) {
        hash = mix(hash, (int) INTS.get(bytes, at));
      }
      for (int at = blocksEnd; at < offset + length; at++) {
        hash = mix(hash, bytes[at]);
      }
      hash ^= length;
      hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
      hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
      return hash ^ hash >>> 16;
    }

    private static int mix(int hash, int block) {
      int mixed = Integer.rotateLeft(block * 0xCC9E2D51, 15) * 0x1B873593;
      return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xE6546B64;
    }
  }
}
