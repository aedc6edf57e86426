package dev.tamis.redis;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.LineRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A filter between its creation and its replacement: its header, its shards, and the commands that
 * put and query keys.
 *
 * <p>A plain filter has one array of bits. A window has one for each generation, contiguous in each
 * shard; that of period p is number p mod g.
 */
final class Epoch {

  /** The index of the period in the reply of a window to {@link #put}, after the stamp. */
  static final int PERIOD_REPLY = 1;

  /** For a string of half a gigabyte, which would occupy the server for 80 milliseconds. */
  private static final long COUNTED_BYTES = 16 << 20;

  private final Header header;
  private final Shards shards;
  private final BitPositions positions;
  private final long[] stamps;
  private final int firstBitReply;

  /**
   * Takes the header of one of its shards.
   *
   * @param shards where they are
   */
  Epoch(Header header, Shards shards) {
    this.header = header;
    this.shards = shards;
    this.positions = BitPositions.of(header.sizing().shape());
    this.firstBitReply = header.rotation() == null ? PERIOD_REPLY : PERIOD_REPLY + 1;
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

  /** Returns the first eight bytes of a shard of this epoch. */
  long stamp(int shard) {
    return stamps[shard];
  }

  int shardOf(long hash) {
    return shards.shardOf(positions.position(hash, 0));
  }

  /** Returns whether a key has the same bits in the same shards of the other. */
  boolean placesAs(Epoch other) {
    return header.sizing().shape().equals(other.header.sizing().shape())
        && shards.count() == other.shards.count();
  }

  /** Returns the number of integers in a reply, without that of the end. */
  private int replies() {
    return firstBitReply + header.arrays() * positions.count();
  }

  /**
   * Returns the command that sets the bits of a key in the generation of a period, and replies with
   * the stamp, the current period of a window, and the previous bits of the key in all generations.
   *
   * @param readsEnd whether it also checks that the shard was not cut short, at the cost of a bit
   */
  Command put(long hash, long period, boolean readsEnd) {
    byte[] key = shards.key(shardOf(hash));
    int current = Math.floorMod(period, header.arrays());
    return Command.write("BITFIELD", key, words(hash, key, current, readsEnd));
  }

  /** Returns the command with the same reply that changes nothing. */
  Command query(long hash, boolean readsEnd) {
    byte[] key = shards.key(shardOf(hash));
    return Command.read("BITFIELD_RO", key, words(hash, key, -1, readsEnd));
  }

  private byte[][] words(long hash, byte[] key, int arrayToSet, boolean readsEnd) {
    List<byte[]> words = new ArrayList<>(4 * (2 + replies()));
    words.addAll(List.of(key, CommandTokens.GET, CommandTokens.STAMP, CommandTokens.ZERO));
    if (header.rotation() != null) {
      words.addAll(List.of(CommandTokens.GET, CommandTokens.STAMP, CommandTokens.PERIOD_OFFSET));
    }
    int shard = shardOf(hash);
    for (int array = 0; array < header.arrays(); array++) {
      long shift = (startOf(array, shard) - Header.BYTES) * Byte.SIZE;
      boolean set = array == arrayToSet;
      for (int i = 0; i < positions.count(); i++) {
        words.add(set ? CommandTokens.SET : CommandTokens.GET);
        words.add(CommandTokens.ONE_BIT);
        words.add(CommandTokens.of(shards.offsetOf(positions.position(hash, i)) + shift));
        if (set) {
          words.add(CommandTokens.ONE);
        }
      }
    }
    if (readsEnd) {
      words.addAll(List.of(CommandTokens.GET, CommandTokens.ONE_BIT, endOf(shard)));
    }
    return words.toArray(byte[][]::new);
  }

  /** Returns the integers in the reply to a put or a query. */
  List<Long> integers(Command command, Reply reply) {
    Server.requireSuccess(command, reply);
    if (isReply(reply)) {
      return ((Reply.Numbers) reply).values();
    }
    throw Server.unexpected(command, replies() + " integers", reply);
  }

  /** Returns whether it may be the reply to a put or a query, with the end or without it. */
  boolean isReply(Reply reply) {
    return reply instanceof Reply.Numbers numbers
        && (numbers.values().size() == replies() || numbers.values().size() == replies() + 1);
  }

  /** Returns the stamp in the reply to a put or a query, or 0 if the shard was cut short. */
  long stampIn(List<Long> reply) {
    return reply.size() > replies() && reply.get(replies()) == 0 ? 0 : reply.get(0);
  }

  /** Returns whether some array had all bits of the key, by the reply to a put or a query. */
  boolean held(List<Long> reply) {
    int count = positions.count();
    for (int from = firstBitReply; from < replies(); from += count) {
      if (!reply.subList(from, from + count).contains(0L)) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many commands read the bits of a key in a plain filter. */
  int readsPerKey() {
    return Math.max(1, header.sizing().shape().layout().linesPerKey());
  }

  /**
   * Adds the commands that read the bits of a key in a plain filter: its cache lines if the layout
   * confines it to one or two, at a third of the server's cost of single bits, and otherwise the
   * bits.
   */
  void addReads(long hash, List<Command> commands) {
    byte[] key = shards.key(shardOf(hash));
    if (!header.sizing().shape().layout().isBlocked()) {
      commands.add(query(hash, false));
      return;
    }
    int reads = readsPerKey();
    for (int i = 0; i < reads; i++) {
      long start = shards.lineOf(firstOf(hash, i, reads));
      byte[] end = CommandTokens.of(start + LineRanges.LINE_BYTES - 1);
      commands.add(Command.read("GETRANGE", key, key, CommandTokens.of(start), end));
    }
  }

  private long firstOf(long hash, int line, int lines) {
    return positions.position(hash, line * positions.count() / lines);
  }

  /** Returns whether all bits of a key are set, by the replies from index {@code from} on. */
  boolean holds(long hash, List<Command> commands, List<Reply> replies, int from) {
    if (!header.sizing().shape().layout().isBlocked()) {
      return held(integers(commands.get(from), replies.get(from)));
    }
    int count = positions.count();
    int reads = readsPerKey();
    boolean all = true;
    for (int i = 0; i < reads; i++) {
      byte[] line = Server.bytes(commands.get(from + i), replies.get(from + i));
      if (line.length != LineRanges.LINE_BYTES) {
        throw shards.cut(shardOf(hash));
      }
      for (int probe = i * count / reads; probe < (i + 1) * count / reads; probe++) {
        all &= isSet(line, positions.position(hash, probe));
      }
    }
    return all;
  }

  private static boolean isSet(byte[] line, long bit) {
    int at = (int) (bit >>> 3) & (LineRanges.LINE_BYTES - 1);
    return (line[at] >>> (bit & 7) & 1) != 0;
  }

  /** Returns the command that reads the stamp of a shard, and whether it was cut short. */
  Command readStamp(int shard) {
    byte[] key = shards.key(shard);
    return Command.read(
        "BITFIELD_RO",
        key,
        key,
        CommandTokens.GET,
        CommandTokens.STAMP,
        CommandTokens.ZERO,
        CommandTokens.GET,
        CommandTokens.ONE_BIT,
        endOf(shard));
  }

  /** Returns the stamp in the reply to {@link #readStamp}, or 0 if the shard was cut short. */
  static long stamp(Command command, Reply reply) {
    List<Long> stampAndEnd = Server.numbers(command, reply, 2);
    return stampAndEnd.get(1) == 0 ? 0 : stampAndEnd.get(0);
  }

  private byte[] endOf(int shard) {
    return CommandTokens.of(header.endOf(shards.bytesOf(shard)) * Byte.SIZE);
  }

  /** Counts the set bits of an array on the server. */
  long countSetBits(Server server, int array) {
    List<Command> counts = new ArrayList<>();
    for (int shard = 0; shard < shards.count(); shard++) {
      byte[] key = shards.key(shard);
      long end = startOf(array, shard) + shards.bytesOf(shard);
      for (long first = startOf(array, shard); first < end; first += COUNTED_BYTES) {
        byte[] last = CommandTokens.of(Math.min(end, first + COUNTED_BYTES) - 1);
        counts.add(Command.read("BITCOUNT", key, key, CommandTokens.of(first), last));
      }
    }
    long cost = Math.min(COUNTED_BYTES, shards.bytesOf(0)) / Server.CHEAP;
    List<Reply> replies = server.sendInTurn(counts, cost);
    long setBits = 0;
    for (int i = 0; i < replies.size(); i++) {
      long most = header.sizing().shape().bits() - setBits;
      setBits += Server.count(counts.get(i), replies.get(i), most);
    }
    return setBits;
  }

  /** Returns the stamp that each shard has now. */
  long[] readStamps(Server server) {
    List<Command> commands = IntStream.range(0, stamps.length).mapToObj(this::readStamp).toList();
    List<Reply> replies = server.send(commands);
    return IntStream.range(0, stamps.length)
        .mapToLong(i -> stamp(commands.get(i), replies.get(i)))
        .toArray();
  }

  /** Returns where in its string a shard's part of an array begins, in bytes. */
  private long startOf(int array, int shard) {
    return header.size() + array * shards.bytesOf(shard);
  }
}
