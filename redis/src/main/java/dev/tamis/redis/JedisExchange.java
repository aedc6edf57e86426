package dev.tamis.redis;

import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One use of a connection of Jedis, which goes back to its pool only if every reply was read.
 *
 * <p>Otherwise the next user would take a late reply for that of its own command: a wrong answer
 * without any error. Jedis discards a connection after an error of the connection only, and not
 * when its user leaves early.
 */
final class JedisExchange implements AutoCloseable {

  private final Connection connection;
  private final Runnable whenReturned;
  private int unread;

  /**
   * Takes a borrowed connection.
   *
   * @param whenReturned called if the connection goes back to its pool, before it does
   */
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
    connection.sendCommand(new JedisWords(command));
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
    } catch (JedisException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      // Jedis allocates whatever length a reply claims to have
      throw new JedisConnectionException("the reply is not one of a Redis server: " + e, e);
    }
    unread--;
    return reply;
  }

  /** Returns the connection to its pool, or closes it. */
  @Override
  public void close() {
    if (unread > 0) {
      connection.setBroken();
    } else {
      whenReturned.run();
    }
    connection.close();
  }
}
