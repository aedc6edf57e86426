package dev.tamis.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Puts and queries keys, a batch at a time, and interprets the replies. */
final class KeyBatches {

  /*
   * A lookup costs the server a quarter of a put, whose every bit is a few words of a command. So
   * where at least a quarter of the keys of a batch were known, the next batch is looked up first,
   * and only keys that lack a bit are put. Bits are never cleared, so a key that is found is known.
   */

  /** Batch size from which a second round trip costs less than the puts it saves. */
  private static final int WORTH_LOOKING_UP = 32;

  private static final int KNOWN_ONE_IN = 4;

  private final Server server;
  private final CurrentEpoch current;

  /** Whether enough keys of the last batch were known; a hint. */
  private volatile boolean areOftenKnown;

  KeyBatches(Server server, CurrentEpoch current) {
    this.server = server;
    this.current = current;
  }

  /**
   * Puts the hashes from index {@code from} up to {@code to}, exclusive: no more than a batch.
   *
   * @throws UncertainPutException if it is unknown whether one of them was put
   */
  void put(long[] hashes, int from, int to, boolean[] isNew) {
    boolean isLarge = to - from >= WORTH_LOOKING_UP;
    int[] absent =
        isLarge && areOftenKnown
            ? absent(hashes, from, to, isNew)
            : IntStream.range(from, to).toArray();
    int taken = 0;
    if (absent.length > 0) {
      Puts puts = new Puts(hashes, absent);
      taken = puts.finish(server.send(puts.commands()), isNew);
    }
    if (isLarge) {
      areOftenKnown = (to - from - taken) * KNOWN_ONE_IN >= to - from;
    }
  }

  /** Returns the indexes of the keys that lack a bit; the others are marked as not new. */
  private int[] absent(long[] hashes, int from, int to, boolean[] isNew) {
    try {
      queryAll(
          hashes, from, to, isNew, false); // a replica may still have the filter that was replaced
    } catch (RedisUnavailableException | RedisRefusedException e) {
      if (from == 0) {
        throw e;
      }
      throw new UncertainPutException(
          "key " + from + ": was not put, like those after it: " + e.getMessage(), from, e);
    }
    int[] absent = IntStream.range(from, to).filter(i -> !isNew[i]).toArray(); // so far: is known
    Arrays.fill(isNew, from, to, false);
    return absent;
  }

  /** A batch of puts, between its commands and their replies. */
  final class Puts {

    private final Epoch now = current.get();
    private final long[] hashes;
    private final int[] indexes;
    private final List<Command> commands;

    /** Takes the hashes from index {@code from} up to {@code to}, exclusive. */
    Puts(long[] hashes, int from, int to) {
      this(hashes, IntStream.range(from, to).toArray());
    }

    /** Takes the hashes at these indexes, which rise; one at least. */
    private Puts(long[] hashes, int[] indexes) {
      this.hashes = hashes;
      this.indexes = indexes;
      this.commands = new ArrayList<>(indexes.length);
      Set<Integer> shards = new HashSet<>();
      for (int i : indexes) {
        commands.add(now.put(hashes[i], 0, shards.add(now.shardOf(hashes[i]))));
      }
    }

    List<Command> commands() {
      return commands;
    }

    /** Returns whether {@link #finish} will neither fail nor send anything. */
    boolean areOrdinary(List<Reply> replies) {
      for (int i = 0; i < indexes.length; i++) {
        long stamp = now.stamp(now.shardOf(hashes[indexes[i]]));
        if (!now.isReply(replies.get(i))
            || now.stampIn(((Reply.Numbers) replies.get(i)).values()) != stamp) {
          return false;
        }
      }
      return true;
    }

    /**
     * Interprets the replies, and returns how many of the keys were new.
     *
     * @throws UncertainPutException if it is unknown whether one of the keys was put
     */
    int finish(List<Reply> replies, boolean[] isNew) {
      boolean several = indexes[0] > 0 || indexes.length > 1; // others may have been put
      int taken = 0;
      try {
        for (int i = 0; i < indexes.length; i++) {
          int key = indexes[i];
          isNew[key] = wasNew(now, hashes[key], commands.get(i), replies.get(i), key, several);
          taken += isNew[key] ? 1 : 0;
        }
      } finally {
        current.accept(taken);
      }
      return taken;
    }
  }

  private boolean wasNew(
      Epoch now, long hash, Command command, Reply reply, int index, boolean several) {
    List<Long> values = putReply(now, command, reply, index, several);
    int shard = now.shardOf(hash);
    if (now.stampIn(values) == now.stamp(shard)) {
      return !now.held(values);
    }
    try {
      return wasNewElsewhere(now, hash, shard, values);
    } catch (RedisUnavailableException | RedisRefusedException | UncertainPutException e) {
      throw new UncertainPutException(
          "key " + index + ": met another filter, and may have been put: " + e.getMessage(),
          index,
          e);
    }
  }

  /**
   * Returns the integers in the reply to a put.
   *
   * @param several whether other keys of the call may have been put
   * @throws UncertainPutException if it is unknown whether the key was put, or others were
   */
  static List<Long> putReply(Epoch now, Command command, Reply reply, int index, boolean several) {
    try {
      return now.integers(command, reply);
    } catch (RedisRefusedException | RedisUnavailableException e) {
      if (!several && !mayHaveRun(reply)) {
        throw e;
      }
      throw new UncertainPutException(
          "key " + index + ": may have been put, like those after it: " + e.getMessage(), index, e);
    }
  }

  /** Returns whether a put may have run, as it has after an unexpected reply. */
  private static boolean mayHaveRun(Reply reply) {
    return reply instanceof Reply.Missing missing
        ? missing.mayHaveRun()
        : !(reply instanceof Reply.Refusal);
  }

  /** Finds which epoch a put has met, and puts the key again if its positions were wrong. */
  private boolean wasNewElsewhere(Epoch now, long hash, int shard, List<Long> values) {
    long found = now.stampIn(values);
    Epoch next = current.follow(now, shard, found);
    if (next.placesAs(now) && found == next.stamp(shard)) {
      return !now.held(values); // it was put into the new epoch, at the right positions
    }
    boolean[] answer = new boolean[1];
    put(new long[] {hash}, 0, 1, answer);
    return answer[0];
  }

  /** Queries the hashes from index {@code from} up to {@code to}, exclusive: any number of them. */
  void query(long[] hashes, int from, int to, boolean[] answers) {
    queryAll(hashes, from, to, answers, true);
  }

  private void queryAll(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    int batch = Server.BATCH / 2; // leaves room for the stamps of their shards
    for (int next = from; next < to; next += batch) {
      query(hashes, next, Math.min(to, next + batch), answers, replicasToo);
    }
  }

  private void query(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    Queries queries = new Queries(hashes, from, to, replicasToo);
    queries.finish(server.send(queries.commands()), answers);
  }

  /** A batch of lookups, between its commands and their replies. */
  final class Queries {

    /*
     * The stamps are read after the bits, on the same connection. If a shard is the right one then,
     * it was so before, because a lost or replaced filter never returns under its own epoch.
     */
    private final Epoch now = current.get();
    private final long[] hashes;
    private final int from;
    private final int to;
    private final boolean replicasToo;
    private final List<Command> commands = new ArrayList<>();
    private final int reads;
    private final int[] touched;

    /**
     * Takes the hashes from index {@code from} up to {@code to}, exclusive.
     *
     * @param replicasToo whether replicas may reply, if the link has any
     */
    Queries(long[] hashes, int from, int to, boolean replicasToo) {
      this.hashes = hashes;
      this.from = from;
      this.to = to;
      this.replicasToo = replicasToo;
      int[] shards = new int[to - from];
      for (int i = from; i < to; i++) {
        now.addReads(hashes[i], commands);
        shards[i - from] = now.shardOf(hashes[i]);
      }
      reads = commands.size();
      touched = Arrays.stream(shards).distinct().toArray();
      for (int shard : touched) {
        commands.add(now.readStamp(shard));
      }
      if (replicasToo) {
        commands.replaceAll(Command::orOfReplica);
      }
    }

    List<Command> commands() {
      return commands;
    }

    /** Returns whether {@link #finish} will send nothing. */
    boolean areOrdinary(List<Reply> replies) {
      for (int i = 0; i < touched.length; i++) {
        List<Long> whole = List.of(now.stamp(touched[i]), 1L);
        if (!replies.get(reads + i).equals(new Reply.Numbers(whole))) {
          return false;
        }
      }
      return true;
    }

    void finish(List<Reply> replies, boolean[] answers) {
      for (int i = 0; i < touched.length; i++) {
        long found = Epoch.stamp(commands.get(reads + i), replies.get(reads + i));
        if (found != now.stamp(touched[i])) {
          if (!replicasToo) {
            current.follow(now, touched[i], found);
          }
          query(hashes, from, to, answers, false); // a replica may only lag
          return;
        }
      }
      for (int i = from; i < to; i++) {
        answers[i] = now.holds(hashes[i], commands, replies, (i - from) * now.readsPerKey());
      }
    }
  }
}
