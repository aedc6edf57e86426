package dev.tamis.tools.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tamis.Estimate;
import dev.tamis.file.AtomicFile;
import dev.tamis.file.FileErrors;
import dev.tamis.format.CodecInput;
import dev.tamis.format.FormatException;
import dev.tamis.format.HeaderFields;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A cache digest of Squid: a Bloom filter of the URLs in a cache, in the bytes of its version 5.
 *
 * <p>Choose it to find out what a Squid has cached, or to publish a digest to one. Its 5 bits and 4
 * hashes for each entry take every eleventh absent URL for a cached one, so for anything else
 * {@link dev.tamis.filter.BloomFilter} is better.
 *
 * <pre>{@code
 * CacheDigest digest = CacheDigest.load(path);
 * if (digest.mightContain(CachedMethod.GET, "http://example.com/logo.png")) { askNeighbour(); }
 * }</pre>
 *
 * <p>A URL is compared byte by byte, and must be written as Squid writes it: scheme and host in
 * lower case, no default port, a path, no fragment. Each variant of an answer that varies with the
 * request's headers has a key of its own, which cannot be asked for here.
 *
 * <p>A digest is true of one moment. That a URL is in it and not in the cache may be a false
 * positive of the filter, as {@link #expectedFpp} says, or the cache may have dropped it since,
 * which nothing here shows. In the same way a URL that was cached since is missing.
 *
 * <p>Not safe for concurrent writers; any number of threads may query while none puts.
 */
public final class CacheDigest {

  /*
   * The key of an entry is the MD5 of the method's byte and the URL. Its four big-endian words, each
   * modulo the number of bits, are the places of the entry; bit i is in byte i/8, the lowest first.
   * The modulo favours low places, at 1e8 bits by 1 in 42 at most. The fpp follows the square of
   * that and is off by less than 0.1 %; where bits come near 2^31, the filling alone says too little.
   */

  /** The filling above which Squid says that a neighbour's digest is useless, and drops it. */
  public static final double MAX_USEFUL_FILLING = 0.65;

  /** k, the bits of an entry: the words of an MD5. */
  public static final int HASHES = 4;

  private final byte[] mask;
  private DigestHeader header;

  private CacheDigest(DigestHeader header, byte[] mask) {
    this.header = header;
    this.mask = mask;
  }

  /** Returns an empty digest. */
  public static CacheDigest create(DigestSize size) {
    return new CacheDigest(DigestHeader.of(size), new byte[size.maskBytes()]);
  }

  /**
   * Reads a digest, after which the stream must end. Nothing is allocated for bytes that do not
   * come.
   *
   * @param maxBytes the most memory for the bits; a digest never has more than 256 MiB of them
   * @throws FormatException saying which field is wrong, and what it should be
   */
  public static CacheDigest readFrom(InputStream in, long maxBytes) throws IOException {
    CodecInput bytes = new CodecInput(DigestHeader.WHAT, in, Long.MAX_VALUE);
    DigestHeader header =
        DigestHeader.read(bytes.header("header", DigestHeader.BYTES, ByteOrder.BIG_ENDIAN));
    int maskBytes = header.size().maskBytes();
    if (maskBytes > maxBytes) {
      throw bytes.invalid("mask", "at most " + maxBytes + " bytes", maskBytes);
    }
    byte[] mask = bytes.readNBytes(maskBytes);
    if (mask.length < maskBytes) {
      throw FormatException.endOfInput(DigestHeader.WHAT, bytes.position(), "mask");
    }
    bytes.expectEnd();
    return new CacheDigest(header, mask);
  }

  /**
   * Reads the digest in a file.
   *
   * @throws FileSystemException naming the file, if it cannot be read or is not a digest
   */
  public static CacheDigest load(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return readFrom(in, Runtime.getRuntime().maxMemory());
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  /** Writes the digest: {@link #serializedSize} bytes. A digest that was read gives its bytes. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(header.toBytes());
    out.write(mask);
  }

  /** Writes the digest to a file that is replaced as a whole, or on any error not at all. */
  public void save(Path path) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      writeTo(file.out());
      file.commit();
    }
  }

  /** Returns how many bytes {@link #writeTo} writes. */
  public long serializedSize() {
    return DigestHeader.BYTES + (long) mask.length;
  }

  /** Puts a URL in, as {@link #put(CachedMethod, ByteBuffer)} does with its bytes in UTF-8. */
  public boolean put(CachedMethod method, String url) {
    return put(method, ByteBuffer.wrap(url.getBytes(UTF_8)));
  }

  /**
   * Puts a URL in. It counts as one entry more, repeated or not, as Squid counts.
   *
   * @param url the bytes of the URL, which are read and stay as they are
   * @return true if any bit changed, so the URL was certainly new
   */
  public boolean put(CachedMethod method, ByteBuffer url) {
    ByteBuffer words = words(method, url);
    boolean changed = false;
    for (int i = 0; i < HASHES; i++) {
      long place = place(words, i);
      int at = (int) (place >>> 3);
      int bit = 1 << (place & 7);
      changed |= (mask[at] & bit) == 0;
      mask[at] |= (byte) bit;
    }
    header = header.withOneMore();
    return changed;
  }

  /** Looks a URL up, as {@link #mightContain(CachedMethod, ByteBuffer)} does. */
  public boolean mightContain(CachedMethod method, String url) {
    return mightContain(method, ByteBuffer.wrap(url.getBytes(UTF_8)));
  }

  /**
   * Returns false if the URL certainly was not in the cache when the digest was made, true if it
   * probably was.
   *
   * @param url the bytes of the URL, which are read and stay as they are
   */
  public boolean mightContain(CachedMethod method, ByteBuffer url) {
    ByteBuffer words = words(method, url);
    for (int i = 0; i < HASHES; i++) {
      long place = place(words, i);
      if ((mask[(int) (place >>> 3)] & (1 << (place & 7))) == 0) {
        return false;
      }
    }
    return true;
  }

  private long place(ByteBuffer words, int i) {
    return Integer.toUnsignedLong(words.getInt(i * Integer.BYTES)) % size().bits();
  }

  private static ByteBuffer words(CachedMethod method, ByteBuffer url) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      md5.update(requireNonNull(method, "method").code());
      md5.update(url.duplicate());
      return ByteBuffer.wrap(md5.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("cache digests need MD5, which this JVM does not offer", e);
    }
  }

  /** Returns the entries it is made for and the bits of each. */
  public DigestSize size() {
    return header.size();
  }

  /** Returns the version of the format in which it was written; 5 if it was made here. */
  public int version() {
    return header.version();
  }

  /** Returns the oldest version whose readers can read it; 3 if it was made here. */
  public int requiredVersion() {
    return header.requiredVersion();
  }

  /**
   * Returns the entries put as counted by its writer, repeats included. It is a claim: Squid goes
   * on counting when it changes the size of its digest, and starts from no bits.
   */
  public int count() {
    return header.count();
  }

  /** Returns the entries counted as removed by its writer; their bits stay. */
  public int deleted() {
    return header.deleted();
  }

  /** Returns the number of set bits. Costs one pass over the bits, as do the methods below. */
  public long setBits() {
    ByteBuffer bits = ByteBuffer.wrap(mask);
    long setBits = 0;
    while (bits.remaining() >= Long.BYTES) {
      setBits += Long.bitCount(bits.getLong());
    }
    while (bits.hasRemaining()) {
      setBits += Integer.bitCount(Byte.toUnsignedInt(bits.get()));
    }
    return setBits;
  }

  /** Returns the share of set bits, in [0, 1]. */
  public double filling() {
    return (double) setBits() / size().bits();
  }

  /**
   * Returns the probability, in [0, 1], that a URL never put in is reported as there: the filling
   * to the power of 4, as the four words of an MD5 are as good as independent. Right to 0.1 % up to
   * 1e8 bits; a little low beyond, where a word modulo the bits favours low places.
   */
  public double expectedFpp() {
    return Math.pow(filling(), HASHES);
  }

  /** Returns whether it is so full that Squid drops it: over {@link #MAX_USEFUL_FILLING}. */
  public boolean isOverfull() {
    return filling() > MAX_USEFUL_FILLING;
  }

  /**
   * Estimates from the set bits how many different URLs are in it. A digest of fewer than 64 bits
   * says too little: the estimate then has no upper end.
   */
  public Estimate approximateElementCount() {
    long setBits = setBits();
    if (size().bits() < Long.SIZE) {
      double least = Math.ceil((double) setBits / HASHES);
      return new Estimate(least, least, Double.POSITIVE_INFINITY);
    }
    return KeyCounts.keys(new Shape(Layout.CLASSIC, size().bits(), HASHES), setBits);
  }

  /**
   * The fields before the bits of a digest, 128 bytes, numbers big-endian.
   *
   * @param version of the format in which the digest was written; Squid writes 5
   * @param requiredVersion the oldest version whose readers can read it; Squid writes 3
   * @param size of the digest
   * @param count entries put, as counted by its writer
   * @param deleted entries that left the cache since, whose bits stay
   */
  record DigestHeader(int version, int requiredVersion, DigestSize size, int count, int deleted) {

    static final String WHAT = "cache digest";
    static final int BYTES = 128;

    /** The version that Squid has written since 1998. */
    static final int VERSION = 5;

    /** The oldest version that Squid still reads. */
    static final int REQUIRED_VERSION = 3;

    private static final int REQUIRED_AT = 2;
    private static final int CAPACITY_AT = 4;
    private static final int COUNT_AT = 8;
    private static final int DELETED_AT = 12;
    private static final int MASK_BYTES_AT = 16;
    private static final int BITS_PER_ENTRY_AT = 20;
    private static final int HASHES_AT = 21;
    private static final int RESERVED_AT = 22;

    /** Returns the header of a new digest. */
    static DigestHeader of(DigestSize size) {
      return new DigestHeader(VERSION, REQUIRED_VERSION, size, 0, 0);
    }

    /**
     * Reads a header with every check that Squid makes, and that the unused bytes are zero: there
     * is no checksum, so every byte that can only have one value is worth a look.
     */
    static DigestHeader read(HeaderFields header) throws FormatException {
      int version = header.i16(0);
      int requiredVersion = header.i16(REQUIRED_AT);
      header.expectRange(0, "version", REQUIRED_VERSION, Long.MAX_VALUE, version);
      header.expectRange(
          REQUIRED_AT, "required version", 0, Math.min(VERSION, version), requiredVersion);
      DigestSize size = size(header);
      int count = header.i32(COUNT_AT);
      header.expectRange(COUNT_AT, "count", 0, Long.MAX_VALUE, count);
      int deleted = header.i32(DELETED_AT);
      header.expectRange(DELETED_AT, "del_count", 0, Long.MAX_VALUE, deleted);
      header.expect(HASHES_AT, "hash_func_count", CacheDigest.HASHES, header.u8(HASHES_AT));
      header.expectZeros(RESERVED_AT, BYTES);
      return new DigestHeader(version, requiredVersion, size, count, deleted);
    }

    private static DigestSize size(HeaderFields header) throws FormatException {
      int bitsPerEntry = header.u8(BITS_PER_ENTRY_AT);
      header.expectRange(BITS_PER_ENTRY_AT, "bits_per_entry", 1, Long.MAX_VALUE, bitsPerEntry);
      int capacity = header.i32(CAPACITY_AT);
      long most = DigestSize.mostEntries(bitsPerEntry);
      if (capacity < 1 || capacity > most) {
        throw header.invalid(
            CAPACITY_AT,
            "capacity",
            "1 to " + most + " with " + bitsPerEntry + " bits per entry",
            capacity);
      }
      DigestSize size = new DigestSize(capacity, bitsPerEntry);
      int maskBytes = header.i32(MASK_BYTES_AT);
      if (maskBytes != size.maskBytes()) {
        throw header.invalid(
            MASK_BYTES_AT,
            "mask_size",
            size.maskBytes() + " bytes for " + capacity + " entries of " + bitsPerEntry + " bits",
            maskBytes);
      }
      return size;
    }

    /** Returns the bytes. */
    byte[] toBytes() {
      return ByteBuffer.allocate(BYTES) // big-endian
          .putShort((short) version)
          .putShort((short) requiredVersion)
          .putInt(size.capacity())
          .putInt(count)
          .putInt(deleted)
          .putInt(size.maskBytes())
          .put((byte) size.bitsPerEntry())
          .put((byte) CacheDigest.HASHES)
          .array();
    }

    /** Returns the header after one more entry; the count stays where an int ends. */
    DigestHeader withOneMore() {
      return new DigestHeader(
          version, requiredVersion, size, count == Integer.MAX_VALUE ? count : count + 1, deleted);
    }
  }
}
