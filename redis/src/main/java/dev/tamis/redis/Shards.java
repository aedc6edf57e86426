package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.filter.LineRanges;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.util.HexFormat;
import java.util.Locale;

/**
 * How the array of a filter is split into strings of the server, and the keys of these.
 *
 * <p>Each string is a header and then consecutive whole cache lines of the array, so their
 * concatenation is the payload of the filter's file. A cluster hashes only the part of a key in
 * braces, so that a shard and its replacement are on one server, and the shards on several.
 */
final class Shards {

  /** The field of the header has 16 bits. */
  static final int MAX_SHARDS = 65_535;

  /** The maximum length of a string of the server, minus the header and the end. */
  static final int MAX_SHARD_BYTES = (512 << 20) - Header.BYTES - LineRanges.LINE_BYTES;

  /**
   * With its header a string of 1 MiB, which is a block of the server's allocator. Creating it
   * occupies the server for half a millisecond, and for five if its memory has never been touched.
   */
  private static final long DEFAULT_BYTES = (1 << 20) - 3 * LineRanges.LINE_BYTES;

  /** 32 MiB, for a layout that cannot be split: its replacement takes more bits. */
  private static final long DEFAULT_SINGLE_BYTES = 32 << 20;

  /** The longest header, the end, and that of the server's own type of string, of ten bytes. */
  private static final int OVERHEAD = Header.WINDOW_BYTES + LineRanges.LINE_BYTES;

  /** Filter size from which more shards may save memory. */
  private static final long ECONOMICAL_BYTES = 1 << 20;

  /** Accepted ratio of reserved to used memory, without the server's key table. */
  private static final double ECONOMICAL = 1.04;

  /** Additional shards tried; within 40 there always is an economical number. */
  private static final int MAX_MORE = 64;

  private final LineRanges ranges;
  private final byte[][] keys;

  private Shards(Shape shape, String name, int count, String suffix) {
    this.ranges = ranges(shape, count);
    this.keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = (keyOf(name, i) + suffix).getBytes(UTF_8);
    }
  }

  static Shards live(Shape shape, String name, int count) {
    return new Shards(shape, name, count, "");
  }

  /** Returns the temporary shards of a filter that is to replace the live one. */
  static Shards aside(Shape shape, String name, int count, long epoch) {
    return new Shards(shape, name, count, ":new:" + HexFormat.of().toHexDigits(epoch));
  }

  /** Returns the temporary shards of an upload that is to be merged into the live ones. */
  static Shards incoming(Shape shape, String name, int count, long number) {
    return new Shards(shape, name, count, ":in:" + HexFormat.of().toHexDigits(number));
  }

  static String keyOf(String name, int shard) {
    return name + ":{" + name + "#" + shard + "}";
  }

  /**
   * Returns {@code name}.
   *
   * @throws IllegalArgumentException if it has a brace, which clusters would interpret, or is empty
   */
  static String requireName(String name) {
    if (name.isEmpty() || name.indexOf('{') >= 0 || name.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "name: must not be empty or contain braces, got '" + name + "'");
    }
    return name;
  }

  static long defaultBytes(Layout layout) {
    return isPossible(layout, 2) ? DEFAULT_BYTES : DEFAULT_SINGLE_BYTES;
  }

  static long requireShardBytes(long shardBytes) {
    if (shardBytes < LineRanges.LINE_BYTES || shardBytes > MAX_SHARD_BYTES) {
      throw new IllegalArgumentException(
          "shardBytes: must be "
              + LineRanges.LINE_BYTES
              + " to "
              + MAX_SHARD_BYTES
              + ", got "
              + shardBytes);
    }
    return shardBytes;
  }

  /**
   * Returns the number of shards of at most {@code maxBytes} of payload, for which the server
   * reserves hardly more memory than they have bytes.
   *
   * @param arrays how many arrays of this shape a shard has a part of
   */
  static int countFor(Shape shape, int arrays, long maxBytes) {
    int least = leastCount(shape, maxBytes);
    long bytes = arrays * payloadBits(shape) / Byte.SIZE;
    if (bytes < ECONOMICAL_BYTES || !isPossible(shape.layout(), 2)) {
      return least;
    }
    int best = least;
    for (int wanted = least; wanted <= Math.min(MAX_SHARDS, least + MAX_MORE); wanted++) {
      int count = ranges(shape, wanted).count();
      if (reserved(shape, arrays, count) < reserved(shape, arrays, best)) {
        best = count;
      }
      if (reserved(shape, arrays, best) <= bytes * ECONOMICAL) {
        break;
      }
    }
    return best;
  }

  private static long reserved(Shape shape, int arrays, int count) {
    LineRanges ranges = ranges(shape, count);
    long full = ranges.bits(0) / Byte.SIZE;
    long last = ranges.bits(count - 1) / Byte.SIZE;
    return (count - 1) * sizeClass(arrays * full + OVERHEAD) + sizeClass(arrays * last + OVERHEAD);
  }

  /**
   * Returns the block that jemalloc, the allocator of Redis and Valkey, reserves for a string:
   * there are four sizes between a power of two and the next.
   */
  private static long sizeClass(long bytes) {
    long step = Long.highestOneBit(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
  }

  private static int leastCount(Shape shape, long maxBytes) {
    long lines = LineRanges.lines(shape.bits());
    long maxLines = Math.max(1, maxBytes / LineRanges.LINE_BYTES);
    long least = (lines + maxLines - 1) / maxLines;
    int count = ranges(shape, (int) Math.min(least, MAX_SHARDS + 1)).count();
    if (count > MAX_SHARDS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "shardBytes: must be at least %d for %d bits, got %d; there are at most %d shards",
              ranges(shape, MAX_SHARDS).bitsPerRange() / Byte.SIZE,
              shape.bits(),
              maxBytes,
              MAX_SHARDS));
    }
    return count;
  }

  /**
   * Returns whether all bits of a key are in one shard, so that one command sets them.
   *
   * @param count the number of shards
   */
  static boolean isPossible(Layout layout, int count) {
    return count == 1 || LineRanges.keepKeysTogether(layout);
  }

  /**
   * Checks numbers that came from a server.
   *
   * @throws IllegalArgumentException if a filter of this shape has no such shard
   */
  static void check(Shape shape, int count, int shard) {
    boolean even = count >= 1 && count == ranges(shape, count).count();
    if (!even || !isPossible(shape.layout(), count) || shard >= count) {
      throw new IllegalArgumentException(
          "shard " + shard + " of " + count + " cannot be of " + shape);
    }
  }

  int count() {
    return keys.length;
  }

  byte[] key(int shard) {
    return keys[shard];
  }

  String printedKey(int shard) {
    return new String(keys[shard], UTF_8);
  }

  int shardOf(long bit) {
    return ranges.rangeOf(bit);
  }

  /** Returns the offset of a bit in its string; the server counts from the highest of each byte. */
  long offsetOf(long bit) {
    return bit % ranges.bitsPerRange() + Header.BYTES * Byte.SIZE ^ 7;
  }

  long lineOf(long bit) {
    return offsetOf(bit) / Layout.LINE_BITS * LineRanges.LINE_BYTES;
  }

  long bytesOf(int shard) {
    return ranges.bits(shard) / Byte.SIZE;
  }

  FilterLostException lost(int shard) {
    return new FilterLostException(
        "key "
            + printedKey(shard)
            + ": does not belong to this filter any more: it was flushed, evicted, deleted or"
            + " recreated; open or create the filter again");
  }

  /** Returns the exception for a shard that is shorter than its header says. */
  FilterLostException cut(int shard) {
    return new FilterLostException(
        "key "
            + printedKey(shard)
            + ": length: is shorter than its header says: another program has cut it; recreate the"
            + " filter");
  }

  long payloadBytes() {
    return ranges.bits() / Byte.SIZE;
  }

  private static LineRanges ranges(Shape shape, int count) {
    return LineRanges.of(payloadBits(shape), count);
  }

  /** Returns the bits of a filter's file, which is whole words. */
  private static long payloadBits(Shape shape) {
    return (shape.bits() + Long.SIZE - 1) & -Long.SIZE;
  }
}
