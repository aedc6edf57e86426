package dev.tamis.redis;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.tamis.format.FormatException;
import dev.tamis.format.HeaderFields;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FppText;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header of a shard, which describes the filter: see docs/redis.md.
 *
 * @param hashId how keys are hashed
 * @param sizing the parameters of the whole filter
 * @param shards how many shards the filter has
 * @param shard the number of this one, from 0
 * @param epoch drawn at random when the filter was created: filters that replace one another on
 *     purpose share the high half and differ in the low half
 * @param rotation of a window, whose shape is that of one generation; null for a plain filter
 */
record Header(
    HashId hashId, Sizing sizing, int shards, int shard, long epoch, @Nullable Rotation rotation) {

  /** Of a plain filter. */
  static final int BYTES = 64;

  /** Of a window, whose header goes on with its rotation and ends with the current period. */
  static final int WINDOW_BYTES = 128;

  /** The offset of the current period, big-endian and excluded from the stamp. */
  static final int PERIOD_AT = 120;

  /** The offset of the parameters, up to {@link #BYTES}: the same as in a file. */
  static final int PARAMETERS_AT = 24;

  /**
   * The last byte of a string, which reads as 0 once the string was cut short, also if puts make it
   * grow again. All ones, so that no late put of a client that has not seen a swap changes it.
   */
  static final byte END = -1;

  private static final HashFunction XXH3 = HashFunction.xxh3(0);
  private static final int MAGIC = 'T' | 'R' << Byte.SIZE;
  private static final int WINDOW_MAGIC = 'T' | 'W' << Byte.SIZE;
  private static final int VERSION = 2;
  private static final int EPOCH_AT = 8;
  static final int MAGIC_AT = 16;
  private static final int VERSION_AT = 18;
  private static final int SHARDS_AT = 20;
  private static final int SHARD_AT = 22;
  private static final int HASH_AT = 24;
  private static final int LAYOUT_AT = 26;
  private static final int HASHES_AT = 28;
  private static final int BITS_AT = 32;
  private static final int HASH_NUMBER_AT = 40;
  private static final int EXPECTED_KEYS_AT = 48;
  private static final int FPP_AT = 56;
  private static final int GENERATIONS_AT = 64;
  private static final int WINDOW_AT = 72;

  /** Of a plain filter. */
  Header(HashId hashId, Sizing sizing, int shards, int shard, long epoch) {
    this(hashId, sizing, shards, shard, epoch, null);
  }

  Header withShard(int other) {
    return new Header(hashId, sizing, shards, other, epoch, rotation);
  }

  int size() {
    return rotation == null ? BYTES : WINDOW_BYTES;
  }

  /** Returns how many arrays of bits a shard has a part of. */
  int arrays() {
    return rotation == null ? 1 : rotation.generations();
  }

  long stringBytes() {
    return endOf(Shards.live(sizing.shape(), "any", shards).bytesOf(0)) + 1;
  }

  /**
   * Returns the offset of the last byte of a shard, {@link #END}.
   *
   * @param bytes of the shard's part of an array
   */
  long endOf(long bytes) {
    return size() + arrays() * bytes;
  }

  /** Returns the half of the epoch that a filter shares with its replacements. */
  int family() {
    return (int) (epoch >>> Integer.SIZE);
  }

  /** Returns the hash of everything else, which every command compares; never 0. */
  long stamp() {
    return stampOf(bytes());
  }

  /** Returns the bytes at {@link #MAGIC_AT} of every plain filter. */
  static byte[] mark() {
    return new byte[] {(byte) MAGIC, (byte) (MAGIC >>> Byte.SIZE), VERSION, 0};
  }

  byte[] bytes() {
    byte[] header = new byte[size()];
    ByteBuffer bytes = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    Shape shape = sizing.shape();
    bytes.putLong(EPOCH_AT, epoch);
    bytes.putShort(MAGIC_AT, (short) (rotation == null ? MAGIC : WINDOW_MAGIC));
    bytes.putShort(VERSION_AT, (short) VERSION);
    bytes.putShort(SHARDS_AT, (short) shards);
    bytes.putShort(SHARD_AT, (short) shard);
    bytes.putShort(HASH_AT, (short) hashId.algorithm().id());
    bytes.putShort(LAYOUT_AT, (short) shape.layout().id());
    bytes.putInt(HASHES_AT, shape.hashes());
    bytes.putLong(BITS_AT, shape.bits());
    bytes.putLong(HASH_NUMBER_AT, hashId.number());
    bytes.putLong(EXPECTED_KEYS_AT, sizing.expectedKeys());
    bytes.putDouble(FPP_AT, sizing.fpp());
    if (rotation != null) {
      bytes.putInt(GENERATIONS_AT, rotation.generations());
      bytes.putLong(WINDOW_AT, rotation.windowMillis());
    }
    bytes.order(ByteOrder.BIG_ENDIAN).putLong(0, stampOf(header));
    return header;
  }

  /** Returns the stamp in the first bytes of a string; 0 if there are too few. */
  static long readStamp(byte[] start) {
    return start.length < Long.BYTES ? 0 : ByteBuffer.wrap(start).getLong();
  }

  private static long stampOf(byte[] header) {
    int end = isWindow(header) ? PERIOD_AT : BYTES;
    long hash = XXH3.hashBytes(header, Long.BYTES, end - Long.BYTES);
    return hash == 0 ? 1 : hash; // a string without a header begins with 0
  }

  /**
   * Parses the start of the string under {@code key}.
   *
   * @throws FilterLostException if the key does not exist, or only a late put has written to it
   * @throws FilterMismatchException if it is not a filter, or damaged
   */
  static Header parse(byte[] bytes, String key) {
    if (bytes.length == 0) {
      throw new FilterLostException(
          "key "
              + key
              + ": does not exist: the filter was never created, or was flushed, evicted, deleted"
              + " or has expired");
    }
    if (isBlank(bytes)) {
      throw new FilterLostException(
          "key " + key + ": has no header: the filter was lost, and a later put left its bits");
    }
    if (bytes.length < BYTES) {
      throw new FilterMismatchException(
          String.format(
              Locale.ROOT,
              "key %s: header: must be at least %d bytes, got %d; use another name",
              key,
              BYTES,
              bytes.length));
    }
    try {
      return parse(bytes, new HeaderFields("filter in key " + key, 0, bytes, LITTLE_ENDIAN));
    } catch (FormatException e) {
      throw new FilterMismatchException(e.getMessage() + "; use another name");
    }
  }

  private static Header parse(byte[] bytes, HeaderFields fields) throws FormatException {
    boolean window = isWindow(bytes);
    fields.expect(MAGIC_AT, "magic", window ? WINDOW_MAGIC : MAGIC, fields.u16(MAGIC_AT));
    fields.expect(VERSION_AT, "version", VERSION, fields.u16(VERSION_AT));
    String stamp = HexFormat.of().toHexDigits(readStamp(bytes));
    if (readStamp(bytes) != stampOf(bytes)) {
      throw fields.invalid(0, "stamp", HexFormat.of().toHexDigits(stampOf(bytes)), stamp);
    }
    Header header = fields.checked(PARAMETERS_AT, "parameters", () -> parameters(fields, window));
    if (header.stamp() != readStamp(bytes)) { // a newer version uses a reserved byte
      throw fields.invalid(
          0, "stamp without reserved bytes", HexFormat.of().toHexDigits(header.stamp()), stamp);
    }
    return header;
  }

  /** Returns whether there is no stamp: puts and merges into a lost filter leave such strings. */
  static boolean isBlank(byte[] bytes) {
    return readStamp(bytes) == 0;
  }

  private static boolean isWindow(byte[] bytes) {
    return bytes.length >= WINDOW_BYTES
        && bytes[MAGIC_AT] == (byte) WINDOW_MAGIC
        && bytes[MAGIC_AT + 1] == (byte) (WINDOW_MAGIC >>> Byte.SIZE);
  }

  static boolean isIntact(byte[] bytes) {
    return bytes.length >= BYTES && !isBlank(bytes) && readStamp(bytes) == stampOf(bytes);
  }

  /** Copies the parameters, which have the same offsets in a file. */
  void copyParameters(ByteBuffer fileHeader) {
    fileHeader.put(PARAMETERS_AT, bytes(), PARAMETERS_AT, BYTES - PARAMETERS_AT);
  }

  private static Header parameters(HeaderFields in, boolean window) {
    HashId.Algorithm algorithm = HashId.Algorithm.ofId(in.u16(HASH_AT));
    Layout layout = Layout.ofId(in.u16(LAYOUT_AT));
    Shape shape = new Shape(layout, in.i64(BITS_AT), in.i32(HASHES_AT));
    Sizing sizing = new Sizing(shape, in.i64(EXPECTED_KEYS_AT), in.f64(FPP_AT));
    int shards = in.u16(SHARDS_AT);
    int shard = in.u16(SHARD_AT);
    Shards.check(shape, shards, shard);
    HashId hashId = new HashId(algorithm, in.i64(HASH_NUMBER_AT));
    Rotation rotation = window ? new Rotation(in.i32(GENERATIONS_AT), in.i64(WINDOW_AT)) : null;
    return new Header(hashId, sizing, shards, shard, in.i64(EPOCH_AT), rotation);
  }

  /**
   * Returns the hasher of the filter.
   *
   * @throws FilterMismatchException if the hasher lacks the secret key, or has another
   */
  <T> BoundHasher<T> requireFit(KeyHasher<? super T> hasher) {
    BoundHasher<T> bound = BoundHasher.forFilter(hasher, hashId);
    bound
        .id()
        .difference(hashId)
        .ifPresent(
            difference -> {
              throw new FilterMismatchException(
                  "hasher: does not match the filter (hasher first): " + difference, true);
            });
    return bound;
  }

  /** Returns the first difference from {@code wanted}, with both values; empty if none. */
  Optional<String> difference(Header wanted) {
    Sizing other = wanted.sizing;
    return incompatibility(other.shape(), wanted.hashId)
        .or(() -> differs("expectedKeys", sizing.expectedKeys(), other.expectedKeys()))
        .or(() -> differs("fpp", FppText.exact(sizing.fpp()), FppText.exact(other.fpp())))
        .or(() -> differs("number of shards", shards, wanted.shards))
        .or(() -> differs("window", String.valueOf(rotation), String.valueOf(wanted.rotation)));
  }

  /** Returns why the bits of another filter are incompatible; empty if they are compatible. */
  Optional<String> incompatibility(Shape other, HashId otherHash) {
    Shape shape = sizing.shape();
    return differs("layout", shape.layout().label(), other.layout().label())
        .or(() -> differs("number of bits", shape.bits(), other.bits()))
        .or(() -> differs("number of hashes", shape.hashes(), other.hashes()))
        .or(() -> hashId.difference(otherHash));
  }

  private static Optional<String> differs(String field, Object here, Object other) {
    return here.equals(other)
        ? Optional.empty()
        : Optional.of(field + " differs: " + here + " in the server and " + other + " here");
  }
}
