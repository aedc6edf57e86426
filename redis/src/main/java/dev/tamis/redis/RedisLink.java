package dev.tamis.redis;

import java.util.List;

/**
 * A connection to a server or a cluster: all that a filter needs from a client library.
 *
 * <p>Implementations are safe for any number of threads. They reconnect after a failure, follow a
 * cluster's redirections, and never resend a command that may have run: only the filter knows
 * whether it is idempotent.
 */
public interface RedisLink extends AutoCloseable {

  /**
   * Sends all commands before it waits for the first reply, as far as they go to one server.
   * Commands with the same key run in the order given.
   *
   * @param commands a few hundred at most
   * @return a reply for each, in the same order; failures are {@link Reply.Refusal} and {@link
   *     Reply.Missing}
   */
  List<Reply> send(List<Command> commands);

  /** Resends read-only commands after a reply was missing. */
  default List<Reply> sendAgain(List<Command> commands) {
    return send(commands);
  }

  /** Closes the connections, if this link opened them. */
  @Override
  void close();
}
