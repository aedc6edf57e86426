package dev.tamis.redis;

import java.util.Iterator;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One use of a connection, which returns to its pool only if every reply was read: otherwise the
 * next user would take a late reply for its own. Jedis itself discards a connection only after an
 * error of the connection.
 */
final class JedisExchange implements AutoCloseable {

  private final Connection connection;
  private final Runnable whenReturned;
  private int unread;

  /** Takes a borrowed connection, and an action just before it returns to its pool. */
  JedisExchange(Connection connection, Runnable whenReturned) {
    this.connection = connection;
    this.whenReturned = whenReturned;
  }

  void send(ProtocolCommand command) {
    unread++; // before the call, which may fail after a part was sent
    connection.sendCommand(command);
  }

  void send(Command command) {
    unread++;
    connection.sendCommand(new Tokens(command));
  }

  /**
   * Returns the next reply.
   *
   * @throws JedisDataException if it is a refusal, after which the next one may be read
   */
  Object receive() {
    Object reply;
    try {
      reply = connection.getOne();
    } catch (JedisDataException e) {
      unread--;
      throw e;
    }
    unread--;
    return reply;
  }

  @Override
  public void close() {
    if (unread > 0) {
      connection.setBroken();
    } else {
      whenReturned.run();
    }
    connection.close();
  }

  /**
   * The tokens of a command for Jedis, without a copy: its own class copies them into a list that
   * it grows three times for the 36 tokens of a put, a third of the client's time in bulk puts.
   */
  private static final class Tokens extends CommandArguments {

    private final byte[][] arguments;

    Tokens(Command command) {
      super(() -> CommandTokens.of(command.name()));
      this.arguments = command.arguments();
    }

    @Override
    public int size() {
      return 1 + arguments.length;
    }

    @Override
    public Rawable get(int index) {
      return index == 0 ? getCommand() : RawableFactory.from(arguments[index - 1]);
    }

    @Override
    public Iterator<Rawable> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < size();
        }

        @Override
        public Rawable next() {
          return get(next++);
        }
      };
    }
  }
}
