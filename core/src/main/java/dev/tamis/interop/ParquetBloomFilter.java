package dev.tamis.interop;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The split-block Bloom filter of a column of an Apache Parquet file.
 *
 * <p>The bytes are the bits alone, without a length, as {@code BlockSplitBloomFilter} of
 * parquet-java writes and takes them. In a Parquet file a header stands before them, at the offset
 * that the column's metadata give: {@link #readWithHeaderFrom} begins there. To find it, a reader
 * of Parquet files is needed.
 *
 * <p>Which hasher sees a value as Parquet does: {@link KeyHasher#text} and {@link KeyHasher#bytes}
 * a BYTE_ARRAY, bytes also a FIXED_LEN_BYTE_ARRAY, {@link KeyHasher#ints} an INT32, {@link
 * KeyHasher#longs} an INT64. A FLOAT is the int and a DOUBLE the long of its bits: {@code
 * KeyHasher.longs().on(Double::doubleToRawLongBits)}. {@link KeyHasher#fields} has no counterpart.
 *
 * @param <T> the type of key
 * @see <a href="https://github.com/apache/parquet-format/blob/master/BloomFilter.md">Parquet Bloom
 *     filter specification</a>
 */
public final class ParquetBloomFilter<T> extends HashedBits<T> {

  /** The most bytes that parquet-java makes or reads in a file. */
  public static final int MAX_BYTES = 128 << 20;

  private static final int BLOCK_BYTES = WordBlocks.BLOCK_BITS / Byte.SIZE;
  private static final int WORDS = 8;
  private static final double EIGHTH = 1.0 / WORDS;

  /*
   * The header in a Parquet file is a Thrift structure in the compact protocol, in which only the
   * length can differ. Field 1, an i32, is the length of the bits in bytes. Fields 2 to 4 are unions
   * with one choice each, an empty structure: algorithm, hash and compression. Then the end.
   */
  private static final byte LENGTH_FIELD = 0x15;
  private static final byte[] CHOICES = {
    0x1C, 0x1C, 0, 0, // split block
    0x1C, 0x1C, 0, 0, // XXH64
    0x1C, 0x1C, 0, 0, // uncompressed
    0
  };
  private static final int MAX_VARINT_BYTES = 5;

  private ParquetBloomFilter(KeyHasher<? super T> hasher, Words words) {
    this(hasher, new WordBlocks(words.count() / WordBlocks.BLOCK_LONGS), words);
  }

  private ParquetBloomFilter(KeyHasher<? super T> hasher, WordBlocks blocks, Words words) {
    super(ForeignFormat.PARQUET, hasher, Xxh64.INSTANCE, blocks, blocks, words);
  }

  /**
   * Returns an empty filter as large as parquet-java makes it for a column: the next power of two.
   *
   * @param fpp p, given to parquet-java's sizing, which does not always keep it
   * @throws IllegalArgumentException also if that is more than {@link #MAX_BYTES}, where
   *     parquet-java would make a smaller filter of a higher fpp
   */
  public static <T> ParquetBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    ClassicSize.check(expectedKeys, fpp);
    double bits = -(double) WORDS * expectedKeys / Math.log(1 - Math.pow(fpp, EIGHTH));
    if (bits > (double) MAX_BYTES * Byte.SIZE) {
      throw new IllegalArgumentException(
          "Parquet's filters have at most "
              + MAX_BYTES
              + " bytes, this needs "
              + (long) Math.ceil(bits / Byte.SIZE)
              + "; ask for fewer keys or a higher fpp");
    }
    // as parquet-java rounds, which can come out a few bits short
    int rounded = ((int) bits + WordBlocks.BLOCK_BITS - 1) & ~WordBlocks.BLOCK_BITS;
    int bytes = Math.max(BLOCK_BYTES, rounded / Byte.SIZE);
    int power = Integer.highestOneBit(bytes);
    return new ParquetBloomFilter<>(
        hasher, emptyWords((power < bytes ? 2L : 1L) * power * Byte.SIZE));
  }

  /** Reads the bits alone, to the end of the stream, as {@link ForeignFilters#readForeign} does. */
  public static <T> ParquetBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return read(ForeignInput.of(in, maxBytes), hasher);
  }

  static <T> ParquetBloomFilter<T> read(ForeignInput in, KeyHasher<? super T> hasher)
      throws IOException {
    byte[] bytes = in.rest();
    if (bytes.length < BLOCK_BYTES || bytes.length % BLOCK_BYTES != 0) {
      throw in.invalid(
          bytes.length, "end", "one block of 32 bytes or more, all of them whole", "the end");
    }
    ByteBuffer longs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Words words = in.allocate(0, bytes.length / Long.BYTES);
    for (long[] segment : words.segments()) {
      for (int at = Words.FIRST; at < segment.length; at++) {
        segment[at] = longs.getLong();
      }
    }
    return new ParquetBloomFilter<>(hasher, words);
  }

  /**
   * Reads header and bits as in a Parquet file; reads nothing past their end.
   *
   * @throws FormatException if this is no uncompressed split-block filter of XXH64, or too large
   */
  public static <T> ParquetBloomFilter<T> readWithHeaderFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    ForeignInput input = ForeignInput.of(in, maxBytes);
    int bytes = header(input);
    return new ParquetBloomFilter<>(
        hasher, input.words(1, bytes / Long.BYTES, ByteOrder.LITTLE_ENDIAN));
  }

  /** Writes header and bits as in a Parquet file. The stream is flushed and left open. */
  public void writeWithHeaderTo(OutputStream out) throws IOException {
    write(out, header((int) foreignSize()), ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a header and returns the length of the bits in bytes, which are whole blocks. */
  private static int header(ForeignInput in) throws IOException {
    in.expectBytes("length field", LENGTH_FIELD);
    long zigzag = varint(in);
    long bytes = (zigzag >>> 1) ^ -(zigzag & 1);
    if (bytes < BLOCK_BYTES || bytes % BLOCK_BYTES != 0 || bytes > MAX_BYTES) {
      throw in.invalid(1, "length", "a multiple of 32 up to " + MAX_BYTES, bytes);
    }
    in.expectBytes("algorithm, hash and compression", CHOICES);
    return (int) bytes;
  }

  private static long varint(ForeignInput in) throws IOException {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = in.u8("length");
      value |= (long) (next & 0x7F) << (7 * i);
      if (next < 0x80) {
        return value;
      }
    }
    throw in.invalid(1, "length", "a number of at most 5 bytes", "more");
  }

  private static byte[] header(int bytes) {
    ByteBuffer header = ByteBuffer.allocate(1 + MAX_VARINT_BYTES + CHOICES.length);
    header.put(LENGTH_FIELD);
    int rest = bytes << 1;
    while (rest >= 0x80) {
      header.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    header.put((byte) rest).put(CHOICES);
    return Arrays.copyOf(header.array(), header.position());
  }

  @Override
  public ParquetBloomFilter<T> copy() {
    return copied(bits -> new ParquetBloomFilter<>(hasher, bits));
  }

  @Override
  Traits variant() {
    return Traits.of("variant").matching("algorithm", "split-block");
  }

  @Override
  public long foreignSize() {
    return words.bytes();
  }

  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    write(out, new byte[0], ByteOrder.LITTLE_ENDIAN);
  }

  /** Parquet's XXH64 with seed 0. */
  static final class Xxh64 extends ForeignHash {

    static final Xxh64 INSTANCE = new Xxh64();

    private static final Hasher64 HASHER = Hashing.xxh64();

    private Xxh64() {
      super(new HashId(HashId.Algorithm.XXH64, 0));
    }

    @Override
    long hash(byte[] bytes, int offset, int length) {
      return HASHER.hashBytesToLong(bytes, offset, length);
    }
  }
}
