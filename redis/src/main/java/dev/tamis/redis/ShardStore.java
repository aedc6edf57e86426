package dev.tamis.redis;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes, opens and deletes the strings of a filter.
 *
 * <p>Shard 0 is the authority. A filter is made beside its name, under names that its epoch is part
 * of, and becomes the one of that name when its shard 0 is renamed, in one step. The others follow:
 * whoever finds one that does not fit shard 0 renames it too. So a process that dies half way
 * leaves either the old filter or the new one.
 */
final class ShardStore {

  /** Renames unless there is a header other than the one expected. */
  private static final byte[] COMMIT =
      Words.of(
          "local h = redis.call('GETRANGE', KEYS[1], 0, 7) "
              + "if h == '' or h == '\\0\\0\\0\\0\\0\\0\\0\\0' or h == ARGV[1] then "
              + "redis.call('RENAME', KEYS[2], KEYS[1]) return 1 end return 0");

  /** Removes what begins as expected. */
  private static final byte[] REMOVE =
      Words.of(
          "if redis.call('GETRANGE', KEYS[1], 0, 7) == ARGV[1] then "
              + "return redis.call('UNLINK', KEYS[1]) end return 0");

  /** What the name of a window is followed by in the names of its strings. */
  static final String WINDOW = "@window";

  private static final byte[] NOTHING = new byte[0];
  private static final SecureRandom RANDOM = new SecureRandom();

  /** How often the state is looked at again when it changes under our hands. */
  private static final int MOST_CHANGES = 16;

  private final Server server;
  private final String name;

  ShardStore(Server server, String name) {
    this.server = server;
    this.name = Shards.requireName(name);
  }

  /**
   * Returns the store of a window, whose strings have other names than those of a plain filter: a
   * late put into one that was deleted would meet the header of a window where it expects bits.
   */
  static ShardStore ofWindow(Server server, String name) {
    return new ShardStore(server, Shards.requireName(name) + WINDOW);
  }

  static long newEpoch() {
    return RANDOM.nextLong();
  }

  /** Returns an epoch of the same family. */
  static long nextEpoch(long epoch) {
    long low = RANDOM.nextInt() & 0xFFFF_FFFFL;
    long next = epoch >>> Integer.SIZE << Integer.SIZE | low;
    return next == epoch ? next ^ 1 : next;
  }

  /** Returns what shard 0 begins with: nothing, or up to the bytes of the longest header. */
  byte[] firstHeader() {
    byte[] key = Words.of(Shards.keyOf(name, 0));
    return server.bytes(readHeader(key));
  }

  /**
   * Opens a plain filter, and puts in place what somebody has left to be renamed.
   *
   * @throws FilterLostException if a part of it is not there
   */
  Generation open() {
    Header header = openHeader();
    if (header.rotation() != null) {
      throw new FilterMismatchException(
          "the filter " + name + " is a window of time: open it as a RedisWindowedBloomFilter");
    }
    return new Generation(header, live(header));
  }

  /** Does the same for a window. */
  Ring openRing() {
    Header header = openHeader();
    if (header.rotation() == null) {
      throw new FilterMismatchException(
          "the filter " + name + " is no window of time: open it as a RedisBloomFilter");
    }
    return new Ring(header, live(header));
  }

  private Header openHeader() {
    Header header = Header.parse(firstHeader(), Shards.keyOf(name, 0));
    for (int i = 0; i < MOST_CHANGES; i++) {
      Optional<FilterLostException> loss = complete(header);
      if (loss.isEmpty() && dropLeftovers(header)) {
        return header;
      }
      Header now = Header.parse(firstHeader(), Shards.keyOf(name, 0));
      if (now.epoch() == header.epoch() && loss.isPresent()) {
        throw loss.get();
      }
      header = now; // replaced meanwhile
    }
    throw new FilterLostException("the filter " + name + " is replaced faster than it is opened");
  }

  /** Makes all shards fit shard 0, and returns what keeps them from it. */
  private Optional<FilterLostException> complete(Header header) {
    Shards live = live(header);
    Shards aside = aside(header);
    List<Command> reads = new ArrayList<>();
    for (int i = 1; i < live.count(); i++) {
      reads.add(readHeader(live.key(i)));
    }
    List<Reply> replies = server.send(reads);
    List<Integer> others = new ArrayList<>();
    for (int i = 1; i < live.count(); i++) {
      byte[] found = Server.bytes(reads.get(i - 1), replies.get(i - 1));
      if (Header.readStamp(found) != header.withShard(i).stamp()) {
        others.add(i);
      }
    }
    for (int shard : others) {
      rename(aside.key(shard), live.key(shard));
      byte[] found = server.bytes(readHeader(live.key(shard)));
      if (Header.readStamp(found) != header.withShard(shard).stamp()) {
        return Optional.of(
            new FilterLostException(
                "the key "
                    + live.printedKey(shard)
                    + " was flushed, evicted, deleted or changed,"
                    + " and the other "
                    + (live.count() - 1)
                    + " shards do not make a filter"));
      }
    }
    return Optional.empty();
  }

  /**
   * Removes the shards that a larger filter had more than the one that has replaced it, so that
   * nobody goes on with them.
   *
   * <p>What lies there was in place before shard 0 is read again. So if that is the one we know, it
   * is the newer of the two. The last goes first, so that the first of them shows whether any is
   * left.
   *
   * @return whether shard 0 is still as it was, if that had to be looked at
   */
  private boolean dropLeftovers(Header header) {
    String key = Shards.keyOf(name, header.shards());
    byte[] found = server.bytes(readHeader(Words.of(key)));
    if (!Header.isIntact(found)) {
      return true; // nothing, or nothing of ours
    }
    if (Header.readStamp(firstHeader()) != header.stamp()) {
      return false;
    }
    Header left = Header.parse(found, key);
    List<Command> commands = new ArrayList<>();
    for (int i = left.shards() - 1; i >= header.shards(); i--) {
      byte[] leftKey = Words.of(Shards.keyOf(name, i));
      byte[] stamp = stampBytes(left.withShard(i).stamp());
      commands.add(Command.write("EVAL", leftKey, REMOVE, Words.ONE, leftKey, stamp));
    }
    server.run(commands);
    return true;
  }

  private static byte[] stampBytes(long stamp) {
    return ByteBuffer.allocate(Long.BYTES).putLong(stamp).array();
  }

  /** Renames, unless another process has done so already. */
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
   * Makes an empty filter beside the name.
   *
   * @param timeToLive after which the server forgets it, or null
   */
  Shards prepare(Header header, @Nullable Duration timeToLive) {
    Shards aside = aside(header);
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < aside.count(); i++) {
      byte[] key = aside.key(i);
      byte[] last = Words.of(header.size() + header.arrays() * aside.bytesOf(i) - 1);
      commands.add(Command.write("SETRANGE", key, key, Words.ZERO, header.withShard(i).bytes()));
      commands.add(Command.write("SETRANGE", key, key, last, new byte[1]));
    }
    if (timeToLive != null) {
      commands.addAll(expire(aside, timeToLive));
    }
    try {
      server.run(commands);
    } catch (RedisFilterException e) {
      discard(aside, e);
      throw e;
    }
    return aside;
  }

  /** Removes strings after a failure, and adds to it that they could not be. */
  private void discard(Shards shards, RedisFilterException failure) {
    try {
      unlink(shards);
    } catch (RedisFilterException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Makes a filter beside, and puts it under the name unless there is another one than the one
   * expected. Whatever fails on the way leaves nothing behind, if the server can be reached.
   *
   * @param expectedStamp what shard 0 of the one to be replaced begins with, or null
   * @param fill puts in what is to be in the filter when it takes its place
   * @return whether it is in its place
   */
  boolean make(
      Header header,
      @Nullable Duration timeToLive,
      @Nullable Long expectedStamp,
      Consumer<Shards> fill) {
    Shards beside = prepare(header, timeToLive);
    try {
      fill.accept(beside);
      if (commit(header, expectedStamp)) {
        return true;
      }
    } catch (RuntimeException e) {
      if (isMade(header, e)) {
        return true;
      }
      throw e;
    }
    unlink(beside);
    return false;
  }

  /** Returns whether a filter was made all the same, and removes it if not. */
  private boolean isMade(Header header, RuntimeException failure) {
    try {
      return abandon(header);
    } catch (RedisFilterException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * Puts a prepared filter under the name if there is none, or the one that is expected.
   *
   * @param expectedStamp what shard 0 of the one to be replaced begins with, or null
   * @return whether it was; if not, what was prepared is still there
   */
  boolean commit(Header header, @Nullable Long expectedStamp) {
    Shards aside = aside(header);
    byte[] key = Words.of(Shards.keyOf(name, 0));
    byte[] expected = expectedStamp == null ? NOTHING : stampBytes(expectedStamp);
    Command commit = Command.write("EVAL", key, COMMIT, Words.TWO, key, aside.key(0), expected);
    return server.number(commit) == 1;
  }

  /**
   * Removes what was prepared, unless it has come to its place. Shard 0 decides: once it is removed
   * it cannot be renamed any more, however late a commit arrives whose reply was lost; and only if
   * it was not there to be removed, it may have been renamed.
   *
   * @return whether it is in its place
   */
  boolean abandon(Header header) {
    Shards aside = aside(header);
    byte[] first = aside.key(0);
    if (server.number(Command.write("UNLINK", first, first)) == 0
        && Header.readStamp(firstHeader()) == header.withShard(0).stamp()) {
      return true;
    }
    unlink(aside);
    return false;
  }

  void unlink(Shards shards) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < shards.count(); i++) {
      commands.add(Command.write("UNLINK", shards.key(i), shards.key(i)));
    }
    server.run(commands);
  }

  /** Returns the commands that give every shard so long to live. */
  static List<Command> expire(Shards shards, Duration timeToLive) {
    byte[] millis = Words.of(timeToLive.toMillis());
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < shards.count(); i++) {
      commands.add(Command.write("PEXPIRE", shards.key(i), shards.key(i), millis));
    }
    return commands;
  }

  /** Removes the filter, or what is left of it. Returns whether there was anything. */
  boolean delete() {
    boolean any = false;
    boolean found = true;
    for (int from = 0; found && from < Shards.MAX_SHARDS; from += Server.BATCH) {
      List<Command> commands = new ArrayList<>();
      for (int i = from; i < from + Server.BATCH; i++) {
        byte[] key = Words.of(Shards.keyOf(name, i));
        commands.add(Command.write("UNLINK", key, key));
      }
      List<Reply> replies = server.send(commands);
      found = false;
      for (int i = 0; i < replies.size(); i++) {
        found |= Server.number(commands.get(i), replies.get(i)) > 0;
      }
      any |= found;
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
    return Command.read("GETRANGE", key, key, Words.ZERO, Words.LAST_OF_HEADER);
  }
}
