package dev.tamis.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts keys into a windowed filter and looks for them, a batch at a time. */
final class WindowBatches {

  /** No period: a failover may have lost a turn, so that what was right will yet be cleared. */
  private static final long NONE = -1;

  /** How often a key is put into a generation that is over when the reply comes. */
  private static final int MOST_ATTEMPTS = 16;

  private final Server server;
  private final Ring ring;
  private final Turner turner;
  private final LongAdder accepted = new LongAdder();
  private volatile boolean lost;

  WindowBatches(Server server, Ring ring, Turner turner) {
    this.server = server;
    this.ring = ring;
    this.turner = turner;
  }

  /*
   * The command of a put reads every generation and sets the bits in one of them, so the first one
   * of a key answers that it is new and the next ones that it is not, whichever generation each of
   * them took for the present one. If that was an older one, because the ring was turned on the
   * way or it was time to, the key is put into the present one as well, and only then does the put
   * return: so it is there for the other g - 1 spans, which are the window, from then on.
   */

  /**
   * Puts the hashes from index {@code from} up to {@code to}, exclusive: no more than a batch.
   *
   * @throws UncertainPutException if it is not known of one of them whether it is in
   */
  void put(long[] hashes, int from, int to, boolean[] isNew) {
    requireKept();
    turnBefore(from, shardsOf(hashes, from, to));
    int[] all = new int[to - from];
    Arrays.setAll(all, i -> from + i);
    boolean several = from > 0 || to - from > 1; // others of the call may be in
    int[] late = putOnce(hashes, all, isNew, several);
    for (int attempt = 1; late.length > 0; attempt++) {
      if (attempt == MOST_ATTEMPTS) {
        throw new UncertainPutException(
            "key "
                + late[0]
                + " is in, but may be forgotten early: a generation is over before a reply comes",
            late[0],
            null);
      }
      late = putOnce(hashes, late, null, true);
    }
  }

  /** Turns before the keys from this index on are put, of which those before it are in. */
  private void turnBefore(int index, int[] shards) {
    try {
      turnIfDue(shards);
    } catch (RedisUnavailableException | RedisRefusedException e) {
      if (index == 0) {
        throw e;
      }
      throw new UncertainPutException(
          "key " + index + " and those after it are not in: " + e.getMessage(), index, e);
    }
  }

  /**
   * Puts some of the hashes, and returns the indexes of those that are not in the present one.
   *
   * @param isNew where the answers go, or null if the keys have them from an earlier attempt
   */
  private int[] putOnce(long[] hashes, int[] indexes, boolean @Nullable [] isNew, boolean several) {
    int[] shards = Arrays.stream(indexes).map(i -> ring.shardOf(hashes[i])).toArray();
    long[] periods = new long[indexes.length];
    List<Command> commands = new ArrayList<>(indexes.length);
    for (int i = 0; i < indexes.length; i++) {
      periods[i] = turner.period(shards[i]);
      commands.add(ring.put(hashes[indexes[i]], periods[i]));
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < indexes.length; i++) {
      List<Long> reply =
          KeyBatches.putReply(commands.get(i), replies.get(i), ring.replies(), indexes[i], several);
      requireStamp(shards[i], reply.get(Ring.STAMP_REPLY));
      long present = reply.get(Ring.PERIOD_REPLY);
      turner.saw(shards[i], present);
      periods[i] = present == periods[i] ? present : NONE;
      if (isNew != null) {
        isNew[indexes[i]] = !ring.held(reply);
        accepted.add(isNew[indexes[i]] ? 1 : 0);
      }
    }
    try {
      turnIfDue(Arrays.stream(shards).distinct().toArray());
    } catch (RedisUnavailableException | RedisRefusedException e) {
      throw new UncertainPutException(
          "key " + indexes[0] + " and those after it may be forgotten early: " + e.getMessage(),
          indexes[0],
          e);
    }
    return IntStream.range(0, indexes.length)
        .filter(i -> periods[i] != turner.period(shards[i]))
        .map(i -> indexes[i])
        .toArray();
  }

  /** Returns how many keys were new. */
  long accepted() {
    return accepted.sum();
  }

  /** Looks for the hashes from index {@code from} up to {@code to}, exclusive. */
  void ask(long[] hashes, int from, int to, boolean[] answers) {
    requireKept();
    turnIfDue(shardsOf(hashes, from, to));
    if (!ask(hashes, from, to, answers, true)) {
      ask(hashes, from, to, answers, false); // a replica may only be behind
    }
  }

  private boolean ask(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    List<Command> commands = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      Command command = ring.ask(hashes[i]);
      commands.add(replicasToo ? command.orOfReplica() : command);
    }
    List<Reply> replies = server.send(commands);
    for (int i = from; i < to; i++) {
      List<Long> reply =
          Server.numbers(commands.get(i - from), replies.get(i - from), ring.replies());
      int shard = ring.shardOf(hashes[i]);
      if (reply.get(Ring.STAMP_REPLY) != ring.stamp(shard)) {
        if (replicasToo) {
          return false;
        }
        throw lost(shard);
      }
      answers[i] = ring.held(reply);
    }
    return true;
  }

  /** Goes on to the next period in all shards where it may be time. */
  void turnAllIfDue() {
    turnIfDue(allShards());
  }

  private int[] allShards() {
    return IntStream.range(0, ring.shards().count()).toArray();
  }

  /** Counts the ones of each generation, over all shards. */
  long[] countOnes() {
    requireKept();
    int[] shards = allShards();
    turnIfDue(shards);
    int generations = ring.rotation().generations();
    List<Command> commands = new ArrayList<>();
    for (int shard : shards) {
      for (int generation = 0; generation < generations; generation++) {
        commands.add(ring.countOnes(generation, shard));
      }
      commands.add(ring.readStamp(shard)); // what is whole now was so while it was counted
    }
    List<Reply> replies = server.send(commands);
    long[] ones = new long[generations];
    for (int i = 0; i < commands.size(); i++) {
      int shard = i / (generations + 1);
      int generation = i % (generations + 1);
      if (generation < generations) {
        ones[generation] += Server.number(commands.get(i), replies.get(i));
      } else {
        byte[] start = Server.bytes(commands.get(i), replies.get(i));
        requireStamp(shard, Header.readStamp(start));
      }
    }
    return ones;
  }

  private int[] shardsOf(long[] hashes, int from, int to) {
    return Arrays.stream(hashes, from, to).mapToInt(ring::shardOf).distinct().toArray();
  }

  private void turnIfDue(int[] shards) {
    try {
      turner.turnIfDue(shards);
    } catch (FilterLostException e) {
      lost = true;
      throw e;
    }
  }

  private void requireKept() {
    if (lost) {
      throw new FilterLostException(
          "the filter was lost, as an earlier call has found: open or create another");
    }
  }

  private void requireStamp(int shard, long found) {
    if (found != ring.stamp(shard)) {
      throw lost(shard);
    }
  }

  private FilterLostException lost(int shard) {
    lost = true;
    return ring.lost(shard);
  }
}
