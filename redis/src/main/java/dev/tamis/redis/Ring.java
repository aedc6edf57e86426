package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BitPositions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strings of a windowed filter as it was made, and the commands for them.
 *
 * <p>A string has a header, the number of the present period, and the shard's part of each
 * generation, one after the other. The generation of period p is number p mod g.
 */
final class Ring {

  /**
   * Goes on to the period that it is, clears the generations of those that begin, and answers the
   * period and the time. What is not the expected filter stays as it is.
   */
  private static final byte[] TURN =
      Words.of(
          "if redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[1] then return {0, 0, 0} end "
              + "local now = tonumber(ARGV[2]) "
              + "if not now then local t = redis.call('TIME') "
              + "now = t[1] * 1000 + math.floor(t[2] / 1000) end "
              + "local g, size = tonumber(ARGV[4]), tonumber(ARGV[5]) "
              + "local at = redis.call('BITFIELD', KEYS[1], 'GET', 'i64', ARGV[6])[1] "
              + "local due = math.floor(now / tonumber(ARGV[3])) "
              + "if due > at then "
              + "local zeros = string.rep('\\0', math.min(size, 65536)) "
              + "for p = math.max(at + 1, due - g + 1), due do "
              + "local start = tonumber(ARGV[7]) + p % g * size "
              + "for i = 0, size - 1, 65536 do "
              + "redis.call('SETRANGE', KEYS[1], start + i, string.sub(zeros, 1, size - i)) "
              + "end end "
              + "redis.call('BITFIELD', KEYS[1], 'SET', 'i64', ARGV[6], due) at = due end "
              + "return {1, at, now}");

  /** What {@link #turn} answers: whether it is the filter, the period, the time. */
  static final int TURN_REPLIES = 3;

  /** Where {@link #put} and {@link #ask} answer the stamp, and then the period. */
  static final int STAMP_REPLY = 0;

  static final int PERIOD_REPLY = 1;
  private static final int FIRST_BIT_REPLY = 2;

  private static final byte[] PERIOD_OFFSET = Words.of((long) Header.PERIOD_AT * Byte.SIZE);

  private final Header header;
  private final Rotation rotation;
  private final Shards shards;
  private final BitPositions positions;
  private final long[] stamps;

  Ring(Header header, Shards shards) {
    this.header = header;
    this.rotation = requireNonNull(header.rotation(), "rotation");
    this.shards = shards;
    this.positions = BitPositions.of(header.sizing().shape());
    this.stamps = new long[shards.count()];
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = header.withShard(i).stamp();
    }
  }

  Header header() {
    return header;
  }

  Rotation rotation() {
    return rotation;
  }

  Shards shards() {
    return shards;
  }

  long stamp(int shard) {
    return stamps[shard];
  }

  int shardOf(long hash) {
    return shards.shardOf(positions.position(hash, 0));
  }

  /** Returns the integers that answer {@link #put} and {@link #ask}. */
  int replies() {
    return FIRST_BIT_REPLY + rotation.generations() * positions.count();
  }

  /**
   * Returns the command that sets the bits of a key in the generation of a period, and answers the
   * stamp, the period that it is, and what the key's bits were in every generation.
   */
  Command put(long hash, long period) {
    byte[] key = shards.key(shardOf(hash));
    int present = Math.floorMod(period, rotation.generations());
    return Command.write("BITFIELD", key, words(hash, key, present));
  }

  /** Returns the command that answers the same and changes nothing. */
  Command ask(long hash) {
    byte[] key = shards.key(shardOf(hash));
    return Command.read("BITFIELD_RO", key, words(hash, key, -1));
  }

  private byte[][] words(long hash, byte[] key, int generationToSet) {
    List<byte[]> words = new ArrayList<>();
    words.addAll(List.of(key, Words.GET, Words.STAMP, Words.ZERO));
    words.addAll(List.of(Words.GET, Words.STAMP, PERIOD_OFFSET));
    int shard = shardOf(hash);
    for (int generation = 0; generation < rotation.generations(); generation++) {
      long start = startOf(generation, shard) - Header.BYTES;
      boolean set = generation == generationToSet;
      for (int i = 0; i < positions.count(); i++) {
        long offset = shards.offsetOf(positions.position(hash, i)) + start * Byte.SIZE;
        words.add(set ? Words.SET : Words.GET);
        words.add(Words.ONE_BIT);
        words.add(Words.of(offset));
        if (set) {
          words.add(Words.ONE);
        }
      }
    }
    return words.toArray(byte[][]::new);
  }

  /** Returns whether a reply says that some generation had all bits of the key. */
  boolean held(List<Long> reply) {
    int count = positions.count();
    for (int from = FIRST_BIT_REPLY; from < reply.size(); from += count) {
      if (!reply.subList(from, from + count).contains(0L)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the command that goes on to the period that it is now.
   *
   * @param epochMillis the time, or null for that of the server
   */
  Command turn(int shard, @Nullable Long epochMillis) {
    byte[] key = shards.key(shard);
    return Command.write(
        "EVAL",
        key,
        TURN,
        Words.ONE,
        key,
        ByteBuffer.allocate(Long.BYTES).putLong(stamp(shard)).array(),
        epochMillis == null ? Words.of("") : Words.of(Math.max(0, epochMillis)),
        Words.of(rotation.spanMillis()),
        Words.of(rotation.generations()),
        Words.of(shards.bytesOf(shard)),
        PERIOD_OFFSET,
        Words.of(Header.WINDOW_BYTES));
  }

  FilterLostException lost(int shard) {
    return new FilterLostException(
        "the key "
            + shards.printedKey(shard)
            + " is no longer of this filter: it was flushed, evicted, deleted or made anew");
  }

  Command readStamp(int shard) {
    byte[] key = shards.key(shard);
    return Command.read("GETRANGE", key, key, Words.ZERO, Words.LAST_OF_STAMP);
  }

  /** Returns the command that counts the ones of a generation in a shard. */
  Command countOnes(int generation, int shard) {
    byte[] key = shards.key(shard);
    long first = startOf(generation, shard);
    byte[] last = Words.of(first + shards.bytesOf(shard) - 1);
    return Command.read("BITCOUNT", key, key, Words.of(first), last);
  }

  /** Returns where in its string a shard's part of a generation begins, in bytes. */
  private long startOf(int generation, int shard) {
    return Header.WINDOW_BYTES + generation * shards.bytesOf(shard);
  }
}
