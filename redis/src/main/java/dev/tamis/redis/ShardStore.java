package dev.tamis.redis;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates, opens and deletes the shards of a filter.
 *
 * <p>Shard 0 is authoritative. A filter is built under temporary keys, which its epoch is part of,
 * and becomes the one of its name when its shard 0 is renamed, atomically. The others follow: a
 * process that finds one that does not match shard 0 renames it too. So a process that dies in
 * between leaves either the old filter or the new one.
 */
final class ShardStore {

  /** Renames unless there is a header other than the one expected. */
  private static final byte[] COMMIT =
      CommandTokens.of(
          "local h = redis.call('GETRANGE', KEYS[1], 0, 7) "
              + "if h == '' or h == '\\0\\0\\0\\0\\0\\0\\0\\0' or h == ARGV[1] then "
              + "redis.call('RENAME', KEYS[2], KEYS[1]) return 1 end return 0");

  private static final byte[] REMOVE =
      CommandTokens.of(
          "if redis.call('GETRANGE', KEYS[1], 0, 7) == ARGV[1] then "
              + "return redis.call('UNLINK', KEYS[1]) end return 0");

  /** The suffix of the name of a window in its keys. */
  static final String WINDOW = "@window";

  private static final byte[] END = {Header.END};
  private static final byte[] NOTHING = new byte[0];
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Retries when the state changes concurrently. */
  private static final int MAX_CHANGES = 16;

  /** Shards whose size is unknown, of 1 MiB by default; the server frees a gigabyte in 80 ms. */
  private static final int DELETED_TOGETHER = 64;

  /** Missing shards in a row that end a deletion. */
  private static final int MAX_GAP = 256;

  private final Server server;
  private final String name;
  private final boolean isOfWindow;

  private ShardStore(Server server, String name, boolean isOfWindow) {
    this.server = server;
    this.name = name;
    this.isOfWindow = isOfWindow;
  }

  ShardStore(Server server, String name) {
    this(server, Shards.requireName(name), false);
  }

  /**
   * Returns the store of a window, whose keys differ from those of a plain filter: a late put into
   * a deleted plain filter would otherwise overwrite the header of a window.
   */
  static ShardStore ofWindow(Server server, String name) {
    return new ShardStore(server, Shards.requireName(name) + WINDOW, true);
  }

  static long newEpoch() {
    return RANDOM.nextLong();
  }

  static long nextEpoch(long epoch) {
    long low = RANDOM.nextInt() & 0xFFFF_FFFFL;
    long next = epoch >>> Integer.SIZE << Integer.SIZE | low;
    return next == epoch ? next ^ 1 : next;
  }

  /** Returns the first bytes of shard 0: up to those of the longest header, empty if none. */
  byte[] firstHeader() {
    byte[] key = CommandTokens.of(Shards.keyOf(name, 0));
    return server.bytes(readHeader(key));
  }

  /**
   * Opens the filter, and finishes a swap that another process has left.
   *
   * @throws FilterLostException if a part of it is missing
   * @throws FilterMismatchException if it is a window and should not be, or the reverse
   */
  Epoch open() {
    Header header = openHeader();
    if (isOfWindow != (header.rotation() != null)) {
      throw new FilterMismatchException(
          "filter "
              + name
              + (isOfWindow
                  ? ": is not a window; open it as a RedisBloomFilter"
                  : ": is a window; open it as a RedisWindowedBloomFilter"));
    }
    return new Epoch(header, live(header));
  }

  private Header openHeader() {
    Header header = Header.parse(firstHeader(), Shards.keyOf(name, 0));
    for (int i = 0; i < MAX_CHANGES; i++) {
      Optional<FilterLostException> loss = complete(header);
      if (loss.isEmpty() && dropLeftovers(header)) {
        return header;
      }
      Header now = Header.parse(firstHeader(), Shards.keyOf(name, 0));
      if (now.epoch() == header.epoch() && loss.isPresent()) {
        throw loss.get();
      }
      header = now; // replaced concurrently
    }
    throw new FilterLostException(
        "filter " + name + ": is replaced faster than it can be opened; try again");
  }

  /** Makes all shards match shard 0, and returns why they do not; empty if they do. */
  private Optional<FilterLostException> complete(Header header) {
    Shards live = live(header);
    Shards aside = aside(header);
    List<Command> reads = new ArrayList<>();
    for (int i = 0; i < live.count(); i++) {
      byte[] last = CommandTokens.of(header.endOf(live.bytesOf(i)));
      reads.add(Command.read("GETRANGE", live.key(i), live.key(i), last, last));
      reads.add(readHeader(live.key(i)));
    }
    List<Reply> replies = server.send(reads);
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < live.count(); i++) {
      byte[] last = Server.bytes(reads.get(2 * i), replies.get(2 * i));
      byte[] found = Server.bytes(reads.get(2 * i + 1), replies.get(2 * i + 1));
      boolean matches = Header.readStamp(found) == header.withShard(i).stamp();
      if (matches && !Arrays.equals(last, END)) {
        return Optional.of(live.cut(i));
      }
      if (!matches && i == 0) {
        return Optional.of(live.lost(0)); // or replaced since the header was read
      }
      if (!matches) {
        others.add(i);
      }
    }
    for (int shard : others) {
      rename(aside.key(shard), live.key(shard));
      byte[] found = server.bytes(readHeader(live.key(shard)));
      if (Header.readStamp(found) != header.withShard(shard).stamp()) {
        return Optional.of(
            new FilterLostException(
                "key "
                    + live.printedKey(shard)
                    + ": was flushed, evicted, deleted or changed, and the other "
                    + (live.count() - 1)
                    + " shards are not the complete filter; recreate it"));
      }
    }
    return Optional.empty();
  }

  /**
   * Deletes the shards that a larger filter had in addition to those of its replacement, so that no
   * client continues with them.
   *
   * <p>They were there before shard 0 is read again. So if shard 0 is still the known one, it is
   * the newer of the two. The last shard is deleted first, so that the first one shows whether any
   * is left.
   *
   * @return whether shard 0 is unchanged, if that had to be checked
   */
  private boolean dropLeftovers(Header header) {
    String key = Shards.keyOf(name, header.shards());
    byte[] found = server.bytes(readHeader(CommandTokens.of(key)));
    if (!Header.isIntact(found)) {
      return true; // nothing, or not a filter
    }
    if (Header.readStamp(firstHeader()) != header.stamp()) {
      return false;
    }
    Header left = Header.parse(found, key);
    List<Command> commands = new ArrayList<>();
    for (int i = left.shards() - 1; i >= header.shards(); i--) {
      byte[] leftKey = CommandTokens.of(Shards.keyOf(name, i));
      byte[] stamp = stampBytes(left.withShard(i).stamp());
      commands.add(Command.write("EVAL", leftKey, REMOVE, CommandTokens.ONE, leftKey, stamp));
    }
    server.runInTurn(commands, left.stringBytes() / Server.CHEAP);
    return true;
  }

  private static byte[] stampBytes(long stamp) {
    return ByteBuffer.allocate(Long.BYTES).putLong(stamp).array();
  }

  /** Renames a key, unless another process has done so already. */
  private void rename(byte[] from, byte[] to) {
    Command command = Command.write("RENAME", to, from, to);
    Reply reply = server.send(List.of(command)).get(0);
    boolean gone =
        reply instanceof Reply.Refusal refusal && refusal.message().contains("no such key");
    if (!gone) {
      Server.requireSuccess(command, reply);
    }
  }

  /**
   * Creates an empty filter under temporary keys.
   *
   * @param timeToLive after which it expires, or null
   */
  Shards prepare(Header header, @Nullable Duration timeToLive) {
    Shards aside = aside(header);
    List<Command> headers = new ArrayList<>();
    for (int i = 0; i < aside.count(); i++) {
      byte[] key = aside.key(i);
      headers.add(
          Command.write("SETRANGE", key, key, CommandTokens.ZERO, header.withShard(i).bytes()));
    }
    if (timeToLive != null) {
      headers.addAll(expire(aside, timeToLive));
    }
    try {
      allocate(server, aside, header, END);
      server.run(headers);
    } catch (RedisFilterException e) {
      discard(server, aside, e);
      throw e;
    }
    return aside;
  }

  /**
   * Creates the strings of shards, all zeros. The last byte is written first: a server allocates a
   * string that is created in its length, and one that grows in up to twice that.
   *
   * @param end the last byte
   */
  static void allocate(Server server, Shards shards, Header header, byte[] end) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < shards.count(); i++) {
      byte[] key = shards.key(i);
      byte[] last = CommandTokens.of(header.endOf(shards.bytesOf(i)));
      commands.add(Command.write("SETRANGE", key, key, last, end));
    }
    server.runInTurn(commands, header.stringBytes());
  }

  static void discard(Server server, Shards shards, RedisFilterException failure) {
    try {
      unlink(server, shards);
    } catch (RedisFilterException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Builds a filter under temporary keys, and publishes it under the name unless there is another
   * filter than the expected one. A failure leaves nothing behind, if the server can be reached.
   *
   * @param expectedStamp the stamp of the filter to be replaced, or null
   * @param fill puts the contents before the filter is published
   * @return whether it was published
   */
  boolean create(
      Header header,
      @Nullable Duration timeToLive,
      @Nullable Long expectedStamp,
      Consumer<Shards> fill) {
    Shards building = prepare(header, timeToLive);
    try {
      fill.accept(building);
      if (commit(header, expectedStamp)) {
        return true;
      }
    } catch (RuntimeException e) {
      if (isPublished(header, e)) {
        return true;
      }
      throw e;
    }
    unlink(server, building);
    return false;
  }

  /** Returns whether a filter was published nevertheless, and deletes it if not. */
  private boolean isPublished(Header header, RuntimeException failure) {
    try {
      return abandon(header);
    } catch (RedisFilterException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * Publishes a prepared filter under the name, in place of nothing or of the expected one.
   *
   * @param expectedStamp the stamp of the filter to be replaced, or null
   * @return whether it was published; if not, the prepared filter is still there
   */
  boolean commit(Header header, @Nullable Long expectedStamp) {
    Shards aside = aside(header);
    byte[] key = CommandTokens.of(Shards.keyOf(name, 0));
    byte[] expected = expectedStamp == null ? NOTHING : stampBytes(expectedStamp);
    Command commit =
        Command.write("EVAL", key, COMMIT, CommandTokens.TWO, key, aside.key(0), expected);
    return server.number(commit) == 1;
  }

  /**
   * Deletes a prepared filter, unless it was published. Shard 0 decides: once deleted it cannot be
   * renamed, however late a commit arrives whose reply was lost; and only if it was not there to be
   * deleted, it may have been renamed.
   *
   * @return whether it was published
   */
  boolean abandon(Header header) {
    Shards aside = aside(header);
    byte[] first = aside.key(0);
    if (server.number(Command.write("UNLINK", first, first)) == 0
        && Header.readStamp(firstHeader()) == header.withShard(0).stamp()) {
      return true;
    }
    unlink(server, aside);
    return false;
  }

  /** Deletes shards; a server frees a string at once, also by {@code UNLINK}. */
  static void unlink(Server server, Shards shards) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < shards.count(); i++) {
      commands.add(Command.write("UNLINK", shards.key(i), shards.key(i)));
    }
    server.runInTurn(commands, shards.bytesOf(0) / Server.CHEAP);
  }

  static List<Command> expire(Shards shards, Duration timeToLive) {
    byte[] millis = CommandTokens.of(timeToLive.toMillis());
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < shards.count(); i++) {
      commands.add(Command.write("PEXPIRE", shards.key(i), shards.key(i), millis));
    }
    return commands;
  }

  /** Deletes the filter, or its remains; returns whether there were any. */
  boolean delete() {
    boolean any = false;
    int end = MAX_GAP;
    for (int from = 0; from < Math.min(end, Shards.MAX_SHARDS); from += DELETED_TOGETHER) {
      List<Command> commands = new ArrayList<>();
      for (int i = from; i < from + DELETED_TOGETHER; i++) {
        byte[] key = CommandTokens.of(Shards.keyOf(name, i));
        commands.add(Command.write("UNLINK", key, key));
      }
      List<Reply> replies = server.send(commands);
      for (int i = 0; i < replies.size(); i++) {
        if (Server.number(commands.get(i), replies.get(i)) > 0) {
          any = true;
          end = from + i + 1 + MAX_GAP;
        }
      }
    }
    return any;
  }

  Shards live(Header header) {
    return Shards.live(header.sizing().shape(), name, header.shards());
  }

  Shards aside(Header header) {
    return Shards.aside(header.sizing().shape(), name, header.shards(), header.epoch());
  }

  private static Command readHeader(byte[] key) {
    return Command.read("GETRANGE", key, key, CommandTokens.ZERO, CommandTokens.LAST_OF_HEADER);
  }
}
