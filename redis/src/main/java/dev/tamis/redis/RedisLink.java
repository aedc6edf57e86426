package dev.tamis.redis;

import java.util.List;

/**
 * The way to a server or a cluster: all that a filter needs of a client library.
 *
 * <p>Implementations are safe for any number of threads. They connect again by themselves after a
 * failure, follow a cluster's redirections, and never send a command twice that may have run: that
 * is for the filter to decide, which knows what a second time means.
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

  /** Closes the connections, if this link opened them. */
  @Override
  void close();
}
