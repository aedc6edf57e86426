package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link whose look-ups go to replicas, in turn, and all else to their master.
 *
 * <p>Replicas are behind their master. For a key that was put a moment ago a look-up may say that
 * it is absent, which a filter never does otherwise: take this only where that is harmless. What
 * puts answer stays exact. A replica that does not answer, or has another filter, is passed over.
 */
public final class ReplicaReads implements RedisLink {

  private final RedisLink master;
  private final List<RedisLink> replicas;
  private final AtomicInteger turn = new AtomicInteger();

  /** Takes the links, and closes them when it is closed. */
  public ReplicaReads(RedisLink master, List<? extends RedisLink> replicas) {
    this.master = requireNonNull(master, "master");
    this.replicas = List.copyOf(replicas);
    if (replicas.isEmpty()) {
      throw new IllegalArgumentException("replicas must not be empty");
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
