package dev.tamis.redis;

import dev.tamis.filter.BitPositions;
import java.util.ArrayList;
import java.util.List;

/**
 * One filter as it was made, with its parameters, and the commands that put keys and look for them.
 */
final class Generation {

  private final Header header;
  private final Shards shards;
  private final BitPositions positions;
  private final long[] stamps;

  /**
   * Takes the header of one of its shards.
   *
   * @param shards where they are
   */
  Generation(Header header, Shards shards) {
    this.header = header;
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

  Shards shards() {
    return shards;
  }

  /** Returns what a shard of this generation begins with. */
  long stamp(int shard) {
    return stamps[shard];
  }

  int shardOf(long hash) {
    return shards.shardOf(positions.position(hash, 0));
  }

  /** Returns whether a key has the same bits in the same strings of the other. */
  boolean placesAs(Generation other) {
    return header.sizing().shape().equals(other.header.sizing().shape())
        && shards.count() == other.shards.count();
  }

  /** Returns the command that sets the bits of a key and answers the stamp and what they were. */
  Command put(long hash) {
    int count = positions.count();
    byte[][] words = new byte[4 + 4 * count][];
    byte[] key = shards.key(shardOf(hash));
    words[0] = key;
    words[1] = Words.GET;
    words[2] = Words.STAMP;
    words[3] = Words.ZERO;
    for (int i = 0; i < count; i++) {
      words[4 + 4 * i] = Words.SET;
      words[5 + 4 * i] = Words.ONE_BIT;
      words[6 + 4 * i] = Words.of(shards.offsetOf(positions.position(hash, i)));
      words[7 + 4 * i] = Words.ONE;
    }
    return Command.write("BITFIELD", key, words);
  }

  /** Returns the integers that answer {@link #put}. */
  int putReplies() {
    return 1 + positions.count();
  }

  static boolean wasNew(List<Long> putReply) {
    for (int i = 1; i < putReply.size(); i++) {
      if (putReply.get(i) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the command that reads what a shard begins with. */
  Command readStamp(int shard) {
    byte[] key = shards.key(shard);
    return Command.read("GETRANGE", key, key, Words.ZERO, Words.LAST_OF_STAMP);
  }

  /** Returns how many commands read the bits of a key. */
  int readsPerKey() {
    return header.sizing().shape().layout().linesPerKey();
  }

  /**
   * Adds the commands that read the bits of a key: its lines where it has one or two, because that
   * costs the server a third of asking for bits, or else the bits.
   */
  void addReads(long hash, List<Command> commands) {
    byte[] key = shards.key(shardOf(hash));
    if (!header.sizing().shape().layout().isBlocked()) {
      commands.add(readBits(hash, key));
      return;
    }
    int reads = readsPerKey();
    for (int i = 0; i < reads; i++) {
      long start = shards.lineOf(firstOf(hash, i, reads));
      byte[] end = Words.of(start + Shards.LINE_BYTES - 1);
      commands.add(Command.read("GETRANGE", key, key, Words.of(start), end));
    }
  }

  private long firstOf(long hash, int line, int lines) {
    return positions.position(hash, line * positions.count() / lines);
  }

  private Command readBits(long hash, byte[] key) {
    int count = positions.count();
    byte[][] words = new byte[1 + 3 * count][];
    words[0] = key;
    for (int i = 0; i < count; i++) {
      words[1 + 3 * i] = Words.GET;
      words[2 + 3 * i] = Words.ONE_BIT;
      words[3 + 3 * i] = Words.of(shards.offsetOf(positions.position(hash, i)));
    }
    return Command.read("BITFIELD_RO", key, words);
  }

  /** Returns whether all bits of a key are set, by the replies from index {@code from} on. */
  boolean holds(long hash, List<Command> commands, List<Reply> replies, int from) {
    int count = positions.count();
    if (!header.sizing().shape().layout().isBlocked()) {
      return !Server.numbers(commands.get(from), replies.get(from), count).contains(0L);
    }
    int reads = readsPerKey();
    boolean all = true;
    for (int i = 0; i < reads; i++) {
      byte[] line = Server.bytes(commands.get(from + i), replies.get(from + i));
      for (int probe = i * count / reads; probe < (i + 1) * count / reads; probe++) {
        all &= isSet(line, positions.position(hash, probe));
      }
    }
    return all;
  }

  private static boolean isSet(byte[] line, long bit) {
    int at = (int) (bit >>> 3) & (Shards.LINE_BYTES - 1);
    return at < line.length && (line[at] >>> (bit & 7) & 1) != 0;
  }

  /** Returns commands that count the ones of each shard. */
  List<Command> countOnes() {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < shards.count(); i++) {
      byte[] key = shards.key(i);
      byte[] last = Words.of(Header.BYTES + shards.bytesOf(i) - 1);
      commands.add(Command.read("BITCOUNT", key, key, Words.of(Header.BYTES), last));
    }
    return commands;
  }
}
