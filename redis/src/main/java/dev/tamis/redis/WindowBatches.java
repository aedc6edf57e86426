package dev.tamis.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts and queries keys of a windowed filter, a batch at a time. */
final class WindowBatches {

  /** No period: a failover may have lost a rotation, which will clear the generation again. */
  private static final long NONE = -1;

  /** Attempts to put a key into a generation that has not ended when the reply arrives. */
  private static final int MAX_ATTEMPTS = 16;

  private final Server server;
  private final Epoch epoch;
  private final RotationClock clock;
  private final LongAdder accepted = new LongAdder();
  private volatile boolean lost;

  WindowBatches(Server server, Epoch epoch, RotationClock clock) {
    this.server = server;
    this.epoch = epoch;
    this.clock = clock;
  }

  /*
   * The command of a put reads every generation and sets the bits in one of them, so the first put
   * of a key reports it as new and the next ones do not, whichever generation each of them took for
   * the current one. If that was an older one, because the filter rotated in between or a rotation
   * was due, the key is put into the current one as well before the put returns: so it stays for
   * the other g - 1 spans, which are the window, from then on.
   */

  /**
   * Puts the hashes from index {@code from} up to {@code to}, exclusive: no more than a batch.
   *
   * @throws UncertainPutException if it is unknown whether one of them was put
   */
  void put(long[] hashes, int from, int to, boolean[] isNew) {
    requireKept();
    rotateBefore(from, shardsOf(hashes, from, to));
    int[] all = new int[to - from];
    Arrays.setAll(all, i -> from + i);
    boolean several = from > 0 || to - from > 1; // others of the call may have been put
    int[] late = putOnce(hashes, all, isNew, several);
    for (int attempt = 1; late.length > 0; attempt++) {
      if (attempt == MAX_ATTEMPTS) {
        throw new UncertainPutException(
            "key "
                + late[0]
                + ": was put but may be forgotten early: a generation ends before a reply arrives;"
                + " use a longer window",
            late[0],
            null);
      }
      late = putOnce(hashes, late, null, true);
    }
  }

  /** Rotates before the keys from this index on are put; those before it have been. */
  private void rotateBefore(int index, int[] shards) {
    try {
      rotateIfDue(shards);
    } catch (RedisUnavailableException | RedisRefusedException e) {
      if (index == 0) {
        throw e;
      }
      throw new UncertainPutException(
          "key " + index + ": not put, like those after it: " + e.getMessage(), index, e);
    }
  }

  /**
   * Puts some of the hashes, and returns the indexes of those not in the current generation.
   *
   * @param isNew receives the results, or null if the keys have them from an earlier attempt
   */
  private int[] putOnce(long[] hashes, int[] indexes, boolean @Nullable [] isNew, boolean several) {
    int[] shards = Arrays.stream(indexes).map(i -> epoch.shardOf(hashes[i])).toArray();
    long[] periods = new long[indexes.length];
    List<Command> commands = new ArrayList<>(indexes.length);
    for (int i = 0; i < indexes.length; i++) {
      periods[i] = clock.period(shards[i]);
      commands.add(epoch.put(hashes[indexes[i]], periods[i], true));
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < indexes.length; i++) {
      List<Long> reply =
          KeyBatches.putReply(epoch, commands.get(i), replies.get(i), indexes[i], several);
      requireStamp(shards[i], epoch.stampIn(reply));
      long current = reply.get(Epoch.PERIOD_REPLY);
      clock.record(shards[i], current);
      periods[i] = current == periods[i] ? current : NONE;
      if (isNew != null) {
        isNew[indexes[i]] = !epoch.held(reply);
        accepted.add(isNew[indexes[i]] ? 1 : 0);
      }
    }
    try {
      rotateIfDue(Arrays.stream(shards).distinct().toArray());
    } catch (RedisUnavailableException | RedisRefusedException e) {
      throw new UncertainPutException(
          "key " + indexes[0] + ": may be forgotten early, like those after it: " + e.getMessage(),
          indexes[0],
          e);
    }
    return IntStream.range(0, indexes.length)
        .filter(i -> periods[i] != clock.period(shards[i]))
        .map(i -> indexes[i])
        .toArray();
  }

  long accepted() {
    return accepted.sum();
  }

  /** Queries the hashes from index {@code from} up to {@code to}, exclusive. */
  void query(long[] hashes, int from, int to, boolean[] answers) {
    requireKept();
    rotateIfDue(shardsOf(hashes, from, to));
    if (!query(hashes, from, to, answers, true)) {
      query(hashes, from, to, answers, false); // a replica may only lag
    }
  }

  private boolean query(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    List<Command> commands = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      Command command = epoch.query(hashes[i], true);
      commands.add(replicasToo ? command.orOfReplica() : command);
    }
    List<Reply> replies = server.send(commands);
    for (int i = from; i < to; i++) {
      List<Long> reply = epoch.integers(commands.get(i - from), replies.get(i - from));
      int shard = epoch.shardOf(hashes[i]);
      if (epoch.stampIn(reply) != epoch.stamp(shard)) {
        if (replicasToo) {
          return false;
        }
        throw lost(shard);
      }
      answers[i] = epoch.held(reply);
    }
    return true;
  }

  void rotateAllIfDue() {
    rotateIfDue(IntStream.range(0, epoch.shards().count()).toArray());
  }

  /** Counts the set bits of each generation, over all shards. */
  long[] countSetBits() {
    requireKept();
    rotateAllIfDue();
    long[] setBits = new long[clock.rotation().generations()];
    Arrays.setAll(setBits, generation -> epoch.countSetBits(server, generation));
    requireWhole(); // if complete now, it was so during the count
    return setBits;
  }

  void requireWhole() {
    requireKept();
    long[] found = epoch.readStamps(server);
    for (int shard = 0; shard < found.length; shard++) {
      requireStamp(shard, found[shard]);
    }
  }

  private int[] shardsOf(long[] hashes, int from, int to) {
    return Arrays.stream(hashes, from, to).mapToInt(epoch::shardOf).distinct().toArray();
  }

  private void rotateIfDue(int[] shards) {
    try {
      clock.rotateIfDue(shards);
    } catch (FilterLostException e) {
      lost = true;
      throw e;
    }
  }

  private void requireKept() {
    if (lost) {
      throw new FilterLostException(
          "filter: was lost, as an earlier call found; open or create the filter again");
    }
  }

  private void requireStamp(int shard, long found) {
    if (found != epoch.stamp(shard)) {
      throw lost(shard);
    }
  }

  private FilterLostException lost(int shard) {
    lost = true;
    return epoch.shards().lost(shard);
  }
}
