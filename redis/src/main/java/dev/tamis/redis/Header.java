package dev.tamis.redis;

import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first 64 bytes of a shard's string, which say what the rest is: see docs/redis.md.
 *
 * @param hashId how keys are hashed
 * @param sizing the parameters of the whole filter
 * @param shards how many strings the filter is cut into
 * @param shard which of them this is, from 0
 * @param epoch drawn at random when the filter was made: the high half is of all that replace one
 *     another on purpose, the low half of one of them
 * @param rotation of a window of time, whose shape is that of one generation; null for a plain
 *     filter
 */
record Header(
    HashId hashId, Sizing sizing, int shards, int shard, long epoch, @Nullable Rotation rotation) {

  /** Of a plain filter. */
  static final int BYTES = 64;

  /** Of a window, whose header goes on with how it turns and ends with the present period. */
  static final int WINDOW_BYTES = 128;

  /** Where the present period is, big-endian and no part of what is stamped. */
  static final int PERIOD_AT = 120;

  /** Where the parameters begin, and end, which are those of a file at the same place. */
  static final int PARAMETERS_AT = 24;

  private static final HashFunction XXH3 = HashFunction.xxh3(0);
  private static final int MAGIC = 'T' | 'R' << Byte.SIZE;
  private static final int WINDOW_MAGIC = 'T' | 'W' << Byte.SIZE;
  private static final int VERSION = 1;
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

  /** Returns how long it is. */
  int size() {
    return rotation == null ? BYTES : WINDOW_BYTES;
  }

  /** Returns how many of the filter's arrays a string holds. */
  int arrays() {
    return rotation == null ? 1 : rotation.generations();
  }

  /** Returns which filters followed one another on purpose. */
  int family() {
    return (int) (epoch >>> Integer.SIZE);
  }

  /** Returns the number that every command compares: the hash of all else. Never 0. */
  long stamp() {
    return stampOf(bytes());
  }

  /** Returns the bytes that every header has in the same place. */
  static byte[] mark() {
    return new byte[] {(byte) MAGIC, (byte) (MAGIC >>> Byte.SIZE), VERSION, 0};
  }

  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(size()).order(ByteOrder.LITTLE_ENDIAN);
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
    return bytes.order(ByteOrder.BIG_ENDIAN).putLong(0, stampOf(bytes.array())).array();
  }

  /** Returns the stamp that the first bytes of a string hold; 0 if there are none. */
  static long readStamp(byte[] start) {
    return start.length < Long.BYTES ? 0 : ByteBuffer.wrap(start).getLong();
  }

  private static long stampOf(byte[] header) {
    int end = isWindow(header) ? PERIOD_AT : BYTES;
    long hash = XXH3.hashBytes(header, Long.BYTES, end - Long.BYTES);
    return hash == 0 ? 1 : hash; // 0 is what a string without a header begins with
  }

  /**
   * Reads what a server holds under {@code key}.
   *
   * @throws FilterLostException if there is nothing, or only what a put leaves where nothing is
   * @throws FilterMismatchException if it is something else than a filter, or damaged
   */
  static Header parse(byte[] bytes, String key) {
    if (bytes.length == 0) {
      throw new FilterLostException(
          "the server has no key "
              + key
              + ": the filter was never created, or was flushed, evicted, deleted or has expired");
    }
    if (isBlank(bytes)) {
      throw new FilterLostException(
          "the key " + key + " has no header: the filter was lost, and a later put left its bits");
    }
    if (bytes.length < BYTES) {
      throw mismatch(key, "at least " + BYTES + " bytes", bytes.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    boolean window = isWindow(bytes);
    expect(key, "magic", window ? WINDOW_MAGIC : MAGIC, in.getShort(MAGIC_AT));
    expect(key, "version", VERSION, in.getShort(VERSION_AT));
    if (readStamp(bytes) != stampOf(bytes)) {
      throw mismatch(key, "the checksum of an unharmed header", "another");
    }
    try {
      Header header = parse(in, window);
      if (header.stamp() != readStamp(bytes)) { // a newer program has put something there
        throw mismatch(key, "zeros where nothing is defined", "others");
      }
      return header;
    } catch (IllegalArgumentException e) {
      throw new FilterMismatchException(
          "the header of key " + key + " is invalid: " + e.getMessage());
    }
  }

  /** Returns whether there is no stamp: what puts and merges leave of a filter that was lost. */
  static boolean isBlank(byte[] bytes) {
    return readStamp(bytes) == 0;
  }

  /** Returns whether there is the header of a window, as far as its length and mark tell. */
  private static boolean isWindow(byte[] bytes) {
    return bytes.length >= WINDOW_BYTES
        && bytes[MAGIC_AT] == (byte) WINDOW_MAGIC
        && bytes[MAGIC_AT + 1] == (byte) (WINDOW_MAGIC >>> Byte.SIZE);
  }

  /** Returns whether there is a header, and its stamp fits. */
  static boolean isIntact(byte[] bytes) {
    return bytes.length >= BYTES && !isBlank(bytes) && readStamp(bytes) == stampOf(bytes);
  }

  /** Copies the parameters, which lie where they do in a file. */
  void copyParameters(ByteBuffer fileHeader) {
    fileHeader.put(PARAMETERS_AT, bytes(), PARAMETERS_AT, BYTES - PARAMETERS_AT);
  }

  private static Header parse(ByteBuffer in, boolean window) {
    HashId.Algorithm algorithm = HashId.Algorithm.ofId(Short.toUnsignedInt(in.getShort(HASH_AT)));
    Layout layout = Layout.ofId(Short.toUnsignedInt(in.getShort(LAYOUT_AT)));
    Shape shape = new Shape(layout, in.getLong(BITS_AT), in.getInt(HASHES_AT));
    Sizing sizing = new Sizing(shape, in.getLong(EXPECTED_KEYS_AT), in.getDouble(FPP_AT));
    int shards = Short.toUnsignedInt(in.getShort(SHARDS_AT));
    int shard = Short.toUnsignedInt(in.getShort(SHARD_AT));
    Shards.check(shape, shards, shard);
    HashId hashId = new HashId(algorithm, in.getLong(HASH_NUMBER_AT));
    Rotation rotation =
        window ? new Rotation(in.getInt(GENERATIONS_AT), in.getLong(WINDOW_AT)) : null;
    return new Header(hashId, sizing, shards, shard, in.getLong(EPOCH_AT), rotation);
  }

  private static void expect(String key, String field, int expected, int found) {
    if (expected != found) {
      throw mismatch(key, field + " " + expected, Integer.toString(found));
    }
  }

  private static FilterMismatchException mismatch(String key, String expected, String found) {
    return new FilterMismatchException(
        "the key " + key + " holds no filter of ours: expected " + expected + ", found " + found);
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
                  "the hasher does not fit the filter (hasher first): " + difference);
            });
    return bound;
  }

  /** Returns what is not as {@code wanted}, with both values, or nothing. */
  Optional<String> difference(Header wanted) {
    Optional<String> bits = incompatibility(wanted.sizing.shape(), wanted.hashId);
    if (bits.isPresent()) {
      return bits;
    }
    if (sizing.expectedKeys() != wanted.sizing.expectedKeys()) {
      return differs("expectedKeys", sizing.expectedKeys(), wanted.sizing.expectedKeys());
    }
    if (sizing.fpp() != wanted.sizing.fpp()) {
      return differs("fpp", sizing.fpp(), wanted.sizing.fpp());
    }
    if (shards != wanted.shards) {
      return differs("number of shards", shards, wanted.shards);
    }
    return Objects.equals(rotation, wanted.rotation)
        ? Optional.empty()
        : differs("window", String.valueOf(rotation), String.valueOf(wanted.rotation));
  }

  /** Returns why the bits of another filter do not fit, with both values, or nothing. */
  Optional<String> incompatibility(Shape other, HashId otherHash) {
    Shape shape = sizing.shape();
    if (shape.layout() != other.layout()) {
      return differs("layout", shape.layout().label(), other.layout().label());
    }
    if (shape.bits() != other.bits()) {
      return differs("number of bits", shape.bits(), other.bits());
    }
    if (shape.hashes() != other.hashes()) {
      return differs("number of hashes", shape.hashes(), other.hashes());
    }
    return hashId.difference(otherHash);
  }

  private static Optional<String> differs(String field, Object here, Object other) {
    return Optional.of(field + " differs: " + here + " in the server and " + other + " here");
  }
}
