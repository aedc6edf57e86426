package dev.tamis.interop;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.tamis.Sized;
import dev.tamis.Traits;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.FppText;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * The filter of DCSO's program {@code bloom} and its library in Python, flor: version 1.
 *
 * <p>Lists of indicators, CIRCL's hashlookup among them, are published in these files. The program
 * compresses them with gzip on request; reading detects it. The bits may be followed by any data,
 * often JSON: {@link #data} returns it.
 *
 * <p>The program puts lines: {@link KeyHasher#bytes} of a line without its end is the same key, and
 * {@link KeyHasher#text} if the line is UTF-8. It takes a carriage return before the end of a line
 * for a part of that end. The other hashers have no counterpart there.
 *
 * <p>The hash is FNV-1, without a seed: anyone can construct false positives.
 *
 * @param <T> the type of key
 * @see <a href="https://github.com/DCSO/bloom">DCSO bloom</a>
 */
public final class DcsoBloomFilter<T> extends HashedBits<T> implements Sized {

  /** The most hashes per key: enough for the smallest fpp that a double can be. */
  public static final int MAX_HASHES = 1_075;

  /** The most keys that a file may record. */
  public static final long MAX_KEYS = 1L << 62;

  private static final int VERSION = 1;
  private static final int EXPECTED_KEYS_AT = 8;
  private static final int FPP_AT = 16;
  private static final int HASHES_AT = 24;
  private static final int BITS_AT = 32;
  private static final int KEYS_AT = 40;
  private static final int HEADER_BYTES = 48;
  private static final long MAX_BITS = Words.MAX_COUNT * Long.SIZE;

  private final Probes probes;
  private final long expectedKeys;
  private final double fpp;
  private final KeyCount recorded;
  private volatile byte[] data;

  private DcsoBloomFilter(
      KeyHasher<? super T> hasher,
      long expectedKeys,
      double fpp,
      Probes probes,
      Words words,
      byte[] data) {
    super(
        ForeignFormat.DCSO, hasher, Fnv1.INSTANCE, probes, HashedProbes.lowerFirst(probes), words);
    this.recorded = new KeyCount(stripes);
    this.expectedKeys = expectedKeys;
    this.fpp = fpp;
    this.probes = probes;
    this.data = data;
  }

  /**
   * Returns an empty filter as large as {@code bloom create} makes it.
   *
   * @param fpp p, strictly between 0 and 1
   */
  public static <T> DcsoBloomFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    ClassicSize.check(expectedKeys, fpp);
    // the very operations of the program: another order may round to another size
    double ln2 = StrictMath.log(2);
    double needed = Math.ceil(expectedKeys * StrictMath.log(fpp) / (ln2 * ln2));
    double bits = Math.max(1, Math.abs(needed)); // with none at all the program fails
    if (bits > MAX_BITS) {
      throw new IllegalArgumentException(
          "a filter has at most "
              + MAX_BITS
              + " bits, this needs "
              + bits
              + "; ask for fewer keys or a higher fpp");
    }
    int hashes = (int) Math.max(1, Math.ceil(ln2 * bits / expectedKeys));
    Probes probes = new Probes(Stepping.PRODUCT, (long) bits, hashes);
    return new DcsoBloomFilter<>(
        hasher, expectedKeys, fpp, probes, emptyWords(paddedBits(probes.bits())), new byte[0]);
  }

  private static long paddedBits(long bits) {
    return (bits + Long.SIZE - 1) / Long.SIZE * Long.SIZE;
  }

  /**
   * Reads what {@code bloom} writes, gzipped or not, to the end of the stream, as {@link
   * ForeignFilters#readForeign} does: what follows the bits is data, and counts as memory.
   */
  public static <T> DcsoBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return read(ForeignInput.of(GzipInput.unpackedIfPacked(in), maxBytes), hasher);
  }

  static <T> DcsoBloomFilter<T> read(ForeignInput in, KeyHasher<? super T> hasher)
      throws IOException {
    in.expect(0, "version", VERSION, VERSION, in.littleEndianLong("version"));
    long expectedKeys = in.littleEndianLong("expected keys");
    in.expect(EXPECTED_KEYS_AT, "expected keys", 1, Long.MAX_VALUE, expectedKeys);
    double fpp = Double.longBitsToDouble(in.littleEndianLong("fpp"));
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw in.invalid(FPP_AT, "fpp", "a number in (0, 1)", FppText.exact(fpp));
    }
    long hashes = in.littleEndianLong("number of hashes");
    in.expect(HASHES_AT, "number of hashes", 1, MAX_HASHES, hashes);
    long bits = in.littleEndianLong("number of bits");
    in.expect(BITS_AT, "number of bits", 1, MAX_BITS, bits);
    long keys = in.littleEndianLong("keys");
    in.expect(KEYS_AT, "keys", 0, MAX_KEYS, keys);
    Words words = in.words(BITS_AT, paddedBits(bits) / Long.SIZE, ByteOrder.LITTLE_ENDIAN);
    if (bits % Long.SIZE != 0 && words.last() >>> bits != 0) {
      throw in.invalid(
          in.offset() - Long.BYTES, "last word", "zeros from bit " + bits + " on", "set bits");
    }
    Probes probes = new Probes(Stepping.PRODUCT, bits, (int) hashes);
    DcsoBloomFilter<T> filter =
        new DcsoBloomFilter<>(hasher, expectedKeys, fpp, probes, words, in.rest());
    filter.recorded.continueFrom(keys);
    return filter;
  }

  @Override
  void merged(ForeignFilter<T> other) {
    recorded.add(((DcsoBloomFilter<T>) other).recordedKeys(), count -> 0);
  }

  @Override
  void cleared() {
    recorded.continueFrom(0);
  }

  @Override
  public DcsoBloomFilter<T> copy() {
    long count = recordedKeys();
    DcsoBloomFilter<T> copy =
        copied(bits -> new DcsoBloomFilter<>(hasher, expectedKeys, fpp, probes, bits, data));
    copy.recorded.continueFrom(count);
    return copy;
  }

  @Override
  public long expectedKeys() {
    return expectedKeys;
  }

  @Override
  public double fpp() {
    return fpp;
  }

  /** Returns k, the bits set for each key. */
  public int hashes() {
    return probes.hashes();
  }

  /**
   * Returns N, the keys that the file counts as new when put. A merge adds the numbers, as the
   * program does, so that keys in both count twice; {@link #acceptedKeys} does not.
   */
  public long recordedKeys() {
    return Math.min(MAX_KEYS, recorded.keys());
  }

  /** Returns a copy of the data that follows the bits, empty if there is none. */
  public byte[] data() {
    return data.clone();
  }

  /** Replaces the data that follows the bits; not during a write of this filter. */
  public void setData(byte[] data) {
    this.data = requireNonNull(data, "data").clone();
  }

  @Override
  Traits variant() {
    return Traits.of("variant")
        .matching("version", VERSION)
        .matching("expected keys", expectedKeys)
        .matching("requested fpp", fpp)
        .matching("hashes", hashes());
  }

  @Override
  public long foreignSize() {
    return HEADER_BYTES + words.bytes() + data.length;
  }

  /** {@inheritDoc} They are not compressed; {@code GZIPOutputStream} does that. */
  @Override
  public void writeForeignTo(OutputStream out) throws IOException {
    byte[] header =
        ByteBuffer.allocate(HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(VERSION)
            .putLong(expectedKeys)
            .putDouble(fpp)
            .putLong(hashes())
            .putLong(probes.bits())
            .putLong(recordedKeys())
            .array();
    write(out, header, ByteOrder.LITTLE_ENDIAN);
    out.write(data);
    out.flush();
  }

  /** The hash FNV-1 of 64 bits, which multiplies before it takes a byte in. */
  static final class Fnv1 extends ForeignHash {

    static final Fnv1 INSTANCE = new Fnv1();

    private static final long OFFSET = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private Fnv1() {
      super(new HashId(HashId.Algorithm.FNV1_64, 0));
    }

    @Override
    long hash(byte[] bytes, int offset, int length) {
      long hash = OFFSET;
      for (int i = offset; i < offset + length; i++) {
        hash = hash * PRIME ^ Byte.toUnsignedLong(bytes[i]);
      }
      return hash;
    }
  }

  /** Gzipped input; damage to it is a {@link FormatException}, as for any other bytes. */
  static final class GzipInput extends InflaterInputStream {

    /*
     * The JDK's calls itself for each empty member, so that a few hundred kilobytes of them end in a
     * StackOverflowError, and reads names without a limit.
     */

    private static final short MAGIC = (short) 0x8B1F;
    private static final int DEFLATE = 8;
    private static final int HEADER_BYTES = 10;
    private static final int CHECKSUM_OF_HEADER = 1 << 1;
    private static final int EXTRA = 1 << 2;
    private static final int NAME = 1 << 3;
    private static final int COMMENT = 1 << 4;

    /** The longest name and the longest comment, each many times longer than any file's. */
    private static final int MAX_TEXT_BYTES = 1 << 16;

    private static final int BUFFER_BYTES = 1 << 13;

    private final PushbackInputStream packed;
    private final CRC32 checksum = new CRC32();
    private long offset;
    private boolean ended;

    private GzipInput(PushbackInputStream packed) {
      super(packed, new Inflater(true), BUFFER_BYTES);
      this.packed = packed;
    }

    /** Returns a stream's bytes, uncompressed if they begin with the magic number of gzip. */
    static InputStream unpackedIfPacked(InputStream in) throws IOException {
      PushbackInputStream whole =
          new PushbackInputStream(new BufferedInputStream(in), BUFFER_BYTES);
      byte[] start = whole.readNBytes(Short.BYTES);
      whole.unread(start);
      if (start.length < Short.BYTES || littleEndian(start).getShort() != MAGIC) {
        return whole;
      }
      GzipInput unpacked = new GzipInput(whole);
      try {
        unpacked.startMember();
      } catch (EOFException | ZipException e) {
        throw unpacked.damaged(e);
      }
      return unpacked;
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
      try {
        int count = ended ? -1 : super.read(bytes, start, length);
        while (count < 0 && !ended) {
          endMember();
          count = ended ? -1 : super.read(bytes, start, length);
        }
        if (count > 0) {
          checksum.update(bytes, start, count);
          offset += count;
        }
        return count;
      } catch (EOFException | ZipException e) {
        throw damaged(e);
      }
    }

    private void startMember() throws IOException {
      ByteBuffer header = next(HEADER_BYTES);
      if (header.getShort() != MAGIC || header.get() != DEFLATE) {
        throw new ZipException("bytes that are not a gzip header");
      }
      int flags = header.get();
      if ((flags & EXTRA) != 0) {
        next(Short.toUnsignedInt(next(Short.BYTES).getShort()));
      }
      if ((flags & NAME) != 0) {
        skipText();
      }
      if ((flags & COMMENT) != 0) {
        skipText();
      }
      if ((flags & CHECKSUM_OF_HEADER) != 0) {
        next(Short.BYTES);
      }
    }

    private void skipText() throws IOException {
      for (int length = 0; next(1).get() != 0; length++) {
        if (length == MAX_TEXT_BYTES) {
          throw new ZipException("a name or comment of more than " + MAX_TEXT_BYTES + " bytes");
        }
      }
    }

    /** Checks what follows the data of a member, and starts the next one if there is one. */
    private void endMember() throws IOException {
      packed.unread(buf, len - inf.getRemaining(), inf.getRemaining());
      ByteBuffer trailer = next(2 * Integer.BYTES);
      if (trailer.getInt() != (int) checksum.getValue()
          || trailer.getInt() != (int) inf.getBytesWritten()) {
        throw new ZipException("data that does not match its checksum");
      }
      checksum.reset();
      inf.reset();
      int first = packed.read();
      while (first == 0) { // padding
        first = packed.read();
      }
      ended = first < 0;
      if (!ended) {
        packed.unread(first);
        startMember();
      }
    }

    private ByteBuffer next(int count) throws IOException {
      byte[] bytes = packed.readNBytes(count);
      if (bytes.length < count) {
        throw new EOFException();
      }
      return littleEndian(bytes);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private FormatException damaged(IOException reason) {
      String got =
          reason instanceof EOFException
              ? "the end of the input"
              : requireNonNullElse(reason.getMessage(), "damage");
      return new FormatException("filter", offset, "unpacked byte", "valid gzip data", got);
    }
  }
}
