package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A link that acknowledges a put, or a batch of them, only when replicas have it too.
 *
 * <p>It sends {@code WAIT} after writes, on the same connection. If too few replicas have them in
 * time, a put throws {@link UncertainPutException}, as if its reply had been lost: the master has
 * the key, and a promoted replica may not. A put of a known key changes nothing and does not wait.
 *
 * <p>This bounds the loss in a failover, and does not exclude it: with more replicas than are
 * waited for, one that lags may be promoted. A put takes a round trip between master and replica
 * longer. {@link LettuceLink} has one connection for all threads, which then wait for each other.
 */
public final class ReplicatedPuts implements RedisLink {

  private static final byte[] ANY = CommandTokens.of("wait");

  private final RedisLink master;
  private final int replicas;
  private final Command wait;

  /**
   * Wraps the link to a master, which is closed with this one. Queries the server for its role.
   *
   * @param replicas how many must have a put, at least 1
   * @param timeout how long to wait for them, from a millisecond on; shorter than that of the link
   * @throws IllegalArgumentException if the server is of a cluster, where a {@code WAIT} does not
   *     follow redirections
   */
  public ReplicatedPuts(RedisLink master, int replicas, Duration timeout) {
    this.master = requireNonNull(master, "master");
    this.replicas = replicas;
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas: must be at least 1, got " + replicas);
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout: must be at least 1 ms, got " + timeout);
    }
    Command info = Command.read("INFO", ANY, CommandTokens.of("cluster"));
    String found = new String(new Server(master).bytes(info), UTF_8);
    if (found.contains("cluster_enabled:1")) {
      throw new IllegalArgumentException(
          "master: must not be in a cluster, got one that is; WAIT does not follow redirections");
    }
    this.wait =
        Command.write(
            "WAIT", ANY, CommandTokens.of(replicas), CommandTokens.of(timeout.toMillis()));
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    if (commands.stream().allMatch(Command::isReadOnly)) {
      return master.send(commands);
    }
    List<Command> all = new ArrayList<>(commands);
    all.add(wait);
    List<Reply> replies = new ArrayList<>(master.send(all));
    Reply waited = replies.remove(commands.size());
    if (waited instanceof Reply.Whole number && number.value() >= replicas) {
      return replies;
    }
    Exception late = new TimeoutException(shortfall(waited));
    for (int i = 0; i < replies.size(); i++) {
      Reply reply = replies.get(i);
      boolean done = !(reply instanceof Reply.Refusal || reply instanceof Reply.Missing);
      if (done && !commands.get(i).isReadOnly()) {
        replies.set(i, new Reply.Missing(true, late));
      }
    }
    return replies;
  }

  private String shortfall(Reply waited) {
    return waited instanceof Reply.Whole number
        ? "the master has it, but only " + number.value() + " of " + replicas + " replicas in time"
        : "the master has it, but the reply to WAIT was " + waited;
  }

  @Override
  public void close() {
    master.close();
  }
}
