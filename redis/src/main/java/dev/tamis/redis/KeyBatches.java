package dev.tamis.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Puts keys and looks for them, a batch at a time, and makes sense of the replies. */
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
   * @throws UncertainPutException if it is not known of one of them whether it is in
   */
  void put(long[] hashes, int from, int to, boolean[] isNew) {
    Generation now = current.get();
    List<Command> commands = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      commands.add(now.put(hashes[i]));
    }
    List<Reply> replies = server.send(commands);
    boolean several = from > 0 || to - from > 1; // others of the call may be in
    int taken = 0;
    try {
      for (int i = from; i < to; i++) {
        Command command = commands.get(i - from);
        isNew[i] = wasNew(now, hashes[i], command, replies.get(i - from), i, several);
        taken += isNew[i] ? 1 : 0;
      }
    } finally {
      current.tally().add(taken);
    }
  }

  private boolean wasNew(
      Generation now, long hash, Command command, Reply reply, int index, boolean several) {
    List<Long> values = putReply(command, reply, now.putReplies(), index, several);
    int shard = now.shardOf(hash);
    long found = values.get(0);
    if (found == now.stamp(shard)) {
      return Generation.wasNew(values);
    }
    try {
      return wasNewElsewhere(now, hash, shard, values);
    } catch (RedisUnavailableException | RedisRefusedException | UncertainPutException e) {
      throw new UncertainPutException(
          "key " + index + " met another filter, and may be in it or not: " + e.getMessage(),
          index,
          e);
    }
  }

  /**
   * Returns the integers that answer a put.
   *
   * @param several whether other keys of the call may be in
   * @throws UncertainPutException if it is not known whether the key is in, or others are
   */
  static List<Long> putReply(Command command, Reply reply, int count, int index, boolean several) {
    boolean uncertain = reply instanceof Reply.Missing missing && missing.mayHaveRun();
    if (uncertain || (several && !(reply instanceof Reply.Numbers))) {
      throw uncertain(command, reply, index);
    }
    return Server.numbers(command, reply, count);
  }

  /** Finds out which filter a put has met, and puts the key again where it was at wrong places. */
  private boolean wasNewElsewhere(Generation now, long hash, int shard, List<Long> values) {
    long found = values.get(0);
    Generation next = current.follow(now, shard, found);
    if (next.placesAs(now) && found == next.stamp(shard)) {
      return Generation.wasNew(values); // it was put into the new one, at the right places
    }
    boolean[] answer = new boolean[1];
    put(new long[] {hash}, 0, 1, answer);
    return answer[0];
  }

  private static UncertainPutException uncertain(Command command, Reply reply, int index) {
    try {
      Server.requireSuccess(command, reply);
    } catch (RedisFilterException e) {
      return new UncertainPutException(
          "key " + index + " and those after it may be in or not: " + e.getMessage(), index, e);
    }
    throw new AssertionError("a put was answered by " + reply);
  }

  /** Looks for the hashes from index {@code from} up to {@code to}, exclusive. */
  void ask(long[] hashes, int from, int to, boolean[] answers) {
    ask(hashes, from, to, answers, true);
  }

  /*
   * The stamps are read after the bits, by the same connection. If a shard is the right one then, it
   * was so before, because what was lost or replaced does not come back under its own epoch.
   */
  private void ask(long[] hashes, int from, int to, boolean[] answers, boolean replicasToo) {
    Generation now = current.get();
    List<Command> commands = new ArrayList<>();
    int[] shards = new int[to - from];
    for (int i = from; i < to; i++) {
      now.addReads(hashes[i], commands);
      shards[i - from] = now.shardOf(hashes[i]);
    }
    int reads = commands.size();
    int[] touched = Arrays.stream(shards).distinct().toArray();
    for (int shard : touched) {
      commands.add(now.readStamp(shard));
    }
    if (replicasToo) {
      commands.replaceAll(Command::orOfReplica);
    }
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < touched.length; i++) {
      byte[] start = Server.bytes(commands.get(reads + i), replies.get(reads + i));
      long found = Header.readStamp(start);
      if (found != now.stamp(touched[i])) {
        if (!replicasToo) {
          current.follow(now, touched[i], found);
        }
        ask(hashes, from, to, answers, false); // a replica may only be behind
        return;
      }
    }
    for (int i = from; i < to; i++) {
      answers[i] = now.holds(hashes[i], commands, replies, (i - from) * now.readsPerKey());
    }
  }
}
