package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A link that answers for a put, or a batch of them, only when replicas have it too.
 *
 * <p>It sends {@code WAIT} behind what changes something, by the same connection. If too few
 * replicas have it in time, a put throws {@link UncertainPutException}, as if its reply had not
 * come: the master has the key, and whoever takes over may not. A put of a key that was there
 * changes nothing and waits for nothing.
 *
 * <p>This bounds what a failover loses, and does not exclude it: with more replicas than are waited
 * for, one that lags may take over. A put takes a round trip between master and replica longer.
 * {@link LettuceLink} has one connection for all threads, which wait for each other then.
 */
public final class ReplicatedPuts implements RedisLink {

  private static final byte[] ANY = Words.of("wait");

  private final RedisLink master;
  private final int replicas;
  private final Command wait;

  /**
   * Takes the link to a master, and closes it when it is closed. Asks the server what it is.
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
      throw new IllegalArgumentException("replicas must be at least 1, got " + replicas);
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout must be at least a millisecond, got " + timeout);
    }
    Command info = Command.read("INFO", ANY, Words.of("cluster"));
    String found = new String(new Server(master).bytes(info), UTF_8);
    if (found.contains("cluster_enabled:1")) {
      throw new IllegalArgumentException("master must not be a server of a cluster");
    }
    this.wait = Command.write("WAIT", ANY, Words.of(replicas), Words.of(timeout.toMillis()));
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
        : "the master has it, and WAIT was answered by " + waited;
  }

  @Override
  public void close() {
    master.close();
  }
}
