package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link that sends lookups to replicas, round-robin, and everything else to their master.
 *
 * <p>Replicas lag behind their master. A lookup may miss a key that was just put, which a filter
 * never does otherwise: use this only where that is harmless. The results of puts stay exact. If a
 * replica does not reply, or has another filter, the master is queried.
 */
public final class ReplicaReads implements RedisLink {

  private final RedisLink master;
  private final List<RedisLink> replicas;
  private final AtomicInteger turn = new AtomicInteger();

  /** Wraps links, which are closed with this one. */
  public ReplicaReads(RedisLink master, List<? extends RedisLink> replicas) {
    this.master = requireNonNull(master, "master");
    this.replicas = List.copyOf(replicas);
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("replicas: must not be empty; use the link to the master");
    }
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    if (!commands.stream().allMatch(Command::mayBeOld)) {
      return master.send(commands);
    }
    int next = Math.floorMod(turn.getAndIncrement(), replicas.size());
    List<Reply> replies = replicas.get(next).send(commands);
    boolean failed =
        replies.stream()
            .anyMatch(reply -> reply instanceof Reply.Missing || reply instanceof Reply.Refusal);
    return failed ? master.send(commands) : replies;
  }

  @Override
  public void close() {
    master.close();
    replicas.forEach(RedisLink::close);
  }
}
