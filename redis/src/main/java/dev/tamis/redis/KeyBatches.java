package dev.tamis.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Puts and queries keys, a batch at a time, and interprets the replies. */
final class KeyBatches {

  private final Server server;
  private final Current current;

  KeyBatches(Server server, Current current) {
    this.server = server;
    this.current = current;
  }

  /**
   * Puts the hashes from index {@code from} up to {@code to}, exclusive: no more than a batch.
   *
   * @throws UncertainPutException if it is unknown whether one of them was put
   */
  void put(long[] hashes, int from, int to, boolean[] isNew) {
    Puts puts = new Puts(hashes, from, to);
    puts.finish(server.send(puts.commands()), isNew);
  }

  /** A batch of puts, between its commands and their replies. */
  final class Puts {

    private final Epoch now = current.get();
    private final long[] hashes;
    private final int from;
    private final int to;
    private final List<Command> commands;

    /** Takes the hashes from index {@code from} up to {@code to}, exclusive. */
    Puts(long[] hashes, int from, int to) {
      this.hashes = hashes;
      this.from = from;
      this.to = to;
      this.commands = new ArrayList<>(to - from);
      for (int i = from; i < to; i++) {
        commands.add(now.put(hashes[i]));
      }
    }

    List<Command> commands() {
      return commands;
    }

    /** Returns whether {@link #finish} will neither fail nor send anything. */
    boolean areOrdinary(List<Reply> replies) {
      for (int i = from; i < to; i++) {
        if (!(replies.get(i - from) instanceof Reply.Numbers numbers)
            || numbers.values().size() != now.replies()
            || numbers.values().get(Epoch.STAMP_REPLY) != now.stamp(now.shardOf(hashes[i]))) {
          return false;
        }
      }
      return true;
    }

    /**
     * Interprets the replies.
     *
     * @throws UncertainPutException if it is unknown whether one of the keys was put
     */
    void finish(List<Reply> replies, boolean[] isNew) {
      boolean several = from > 0 || to - from > 1; // others of the call may have been put
      int taken = 0;
      try {
        for (int i = from; i < to; i++) {
          Command command = commands.get(i - from);
          isNew[i] = wasNew(now, hashes[i], command, replies.get(i - from), i, several);
          taken += isNew[i] ? 1 : 0;
        }
      } finally {
        current.accept(taken);
      }
    }
  }

  private boolean wasNew(
      Epoch now, long hash, Command command, Reply reply, int index, boolean several) {
    List<Long> values = putReply(command, reply, now.replies(), index, several);
    int shard = now.shardOf(hash);
    long found = values.get(0);
    if (found == now.stamp(shard)) {
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
  static List<Long> putReply(Command command, Reply reply, int count, int index, boolean several) {
    try {
      return Server.numbers(command, reply, count);
    } catch (RedisRefusedException | RedisUnavailableException e) {
      if (!several && !mayHaveRun(reply)) {
        throw e;
      }
      throw new UncertainPutException(
          "key " + index + ": may have been put, like those after it: " + e.getMessage(), index, e);
    }
  }

  /** Returns whether a put may have changed something: what replies oddly has run. */
  private static boolean mayHaveRun(Reply reply) {
    return reply instanceof Reply.Missing missing
        ? missing.mayHaveRun()
        : !(reply instanceof Reply.Refusal);
  }

  /** Finds which epoch a put has met, and puts the key again if its positions were wrong. */
  private boolean wasNewElsewhere(Epoch now, long hash, int shard, List<Long> values) {
    long found = values.get(0);
    Epoch next = current.follow(now, shard, found);
    if (next.placesAs(now) && found == next.stamp(shard)) {
      return !now.held(values); // it was put into the new epoch, at the right positions
    }
    boolean[] answer = new boolean[1];
    put(new long[] {hash}, 0, 1, answer);
    return answer[0];
  }

  /** Queries the hashes from index {@code from} up to {@code to}, exclusive. */
  void query(long[] hashes, int from, int to, boolean[] answers) {
    query(hashes, from, to, answers, true);
  }

  private void query(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    Queries queries = new Queries(hashes, from, to, replicasToo);
    queries.finish(server.send(queries.commands()), answers);
  }

  /** A batch of lookups, between its commands and their replies. */
  final class Queries {

    /*
     * The stamps are read after the bits, on the same connection. If a shard is the right one then,
     * it was so before, because what was lost or replaced never returns under its own epoch.
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
        if (!(replies.get(reads + i) instanceof Reply.Bytes bytes)
            || bytes.value() == null
            || Header.readStamp(bytes.value()) != now.stamp(touched[i])) {
          return false;
        }
      }
      return true;
    }

    /** Interprets the replies. */
    void finish(List<Reply> replies, boolean[] answers) {
      for (int i = 0; i < touched.length; i++) {
        byte[] start = Server.bytes(commands.get(reads + i), replies.get(reads + i));
        long found = Header.readStamp(start);
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
