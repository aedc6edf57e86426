package dev.tamis.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A link over the client library Lettuce, to one server or to a cluster.
 *
 * <p>All threads share one connection to each server. It is configured here and not supplied by the
 * caller, because Lettuce by default resends commands after it has reconnected, and a put must not
 * be sent twice.
 */
public final class LettuceLink implements RedisLink {

  /**
   * Refreshes the topology when a server does not return. By default Lettuce does so every five
   * seconds only, and so misses a replica that was promoted within two.
   */
  private static final ClusterTopologyRefreshOptions REFRESH =
      ClusterTopologyRefreshOptions.builder()
          .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
          .refreshTriggersReconnectAttempts(1)
          .build();

  private final AbstractRedisClient client;
  private final StatefulConnection<byte[], byte[]> connection;
  private final Duration timeout;

  private LettuceLink(
      AbstractRedisClient client, StatefulConnection<byte[], byte[]> connection, Duration timeout) {
    this.client = client;
    this.connection = connection;
    this.timeout = timeout;
  }

  /**
   * Connects to one server.
   *
   * @param server such as {@code redis://user:password@localhost:6379/0}; {@code rediss} for TLS
   * @param timeout to wait for the connection, and for the replies of each call
   * @throws RedisUnavailableException if it cannot be reached
   */
  public static LettuceLink to(URI server, Duration timeout) {
    RedisClient client = RedisClient.create(uri(server, timeout));
    client.setOptions(options(ClientOptions.builder(), timeout).build());
    try {
      return new LettuceLink(client, client.connect(ByteArrayCodec.INSTANCE), timeout);
    } catch (RedisException e) {
      client.shutdown(Duration.ZERO, timeout);
      throw new RedisUnavailableException("server: no reply: " + reason(e), e);
    }
  }

  /**
   * Connects to a cluster, some of whose servers are known.
   *
   * @param servers such as {@code redis://user:password@localhost:6379}
   * @param timeout to wait for connections, and for the replies of each call
   * @throws RedisUnavailableException if none of them can be reached
   */
  public static LettuceLink toCluster(Set<URI> servers, Duration timeout) {
    RedisClusterClient client =
        RedisClusterClient.create(servers.stream().map(uri -> uri(uri, timeout)).toList());
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    options(options, timeout);
    client.setOptions(options.topologyRefreshOptions(REFRESH).build());
    try {
      return new LettuceLink(client, client.connect(ByteArrayCodec.INSTANCE), timeout);
    } catch (RedisException e) {
      client.shutdown(Duration.ZERO, timeout);
      throw new RedisUnavailableException("cluster: no server replies: " + reason(e), e);
    }
  }

  /** Returns the message of the client and that of the root cause, which says what to do. */
  private static String reason(RedisException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == e ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + root.getMessage();
  }

  private static RedisURI uri(URI server, Duration timeout) {
    RedisURI uri = RedisURI.create(server);
    uri.setTimeout(timeout);
    return uri;
  }

  /** Reconnects when the connection is lost, but neither resends nor queues commands. */
  private static ClientOptions.Builder options(ClientOptions.Builder options, Duration timeout) {
    return options
        .autoReconnect(true)
        .replayFilter(command -> true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .socketOptions(SocketOptions.builder().connectTimeout(timeout).build());
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    List<Reply> replies = new ArrayList<>(commands.size());
    if (client instanceof RedisClient && !connection.isOpen()) { // a cluster has several
      RedisException closed = new RedisException("not connected");
      commands.forEach(command -> replies.add(new Reply.Missing(false, closed)));
      return replies;
    }
    List<AsyncCommand<byte[], byte[], Reply>> sent = new ArrayList<>(commands.size());
    for (Command command : commands) {
      sent.add(new AsyncCommand<>(encode(command)));
    }
    connection.dispatch(sent);
    long deadline = System.nanoTime() + timeout.toNanos();
    for (AsyncCommand<byte[], byte[], Reply> command : sent) {
      replies.add(await(command, deadline));
    }
    return replies;
  }

  private static io.lettuce.core.protocol.Command<byte[], byte[], Reply> encode(Command command) {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    for (byte[] argument : command.arguments()) {
      if (argument == command.key()) {
        arguments.addKey(argument);
      } else {
        arguments.add(argument);
      }
    }
    return new io.lettuce.core.protocol.Command<>(
        new Keyword(command.name()), new ReplyOutput(), arguments);
  }

  private static Reply await(AsyncCommand<byte[], byte[], Reply> command, long deadline) {
    try {
      Reply reply = command.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return reply == null ? new Reply.Bytes(null) : reply;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return cause instanceof RedisCommandExecutionException
          ? new Reply.Refusal(String.valueOf(cause.getMessage()))
          : new Reply.Missing(true, e);
    } catch (TimeoutException | CancellationException e) {
      command.cancel();
      return new Reply.Missing(true, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      command.cancel();
      return new Reply.Missing(true, e);
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, timeout);
  }

  /** The name of a command. */
  private record Keyword(String word) implements ProtocolKeyword {

    @Override
    public byte[] getBytes() {
      return Words.of(word);
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /** Collects a reply. */
  private static final class ReplyOutput extends CommandOutput<byte[], byte[], Reply> {

    private @Nullable List<Long> numbers;

    @SuppressWarnings("NullAway") // there is none until the reply comes
    ReplyOutput() {
      super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void multi(int count) {
      if (numbers == null) {
        numbers = new ArrayList<>(Math.max(0, count));
        output = new Reply.Numbers(numbers);
      }
    }

    @Override
    public void set(long integer) {
      if (numbers == null) {
        output = new Reply.Whole(integer);
      } else {
        numbers.add(integer);
      }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
      if (numbers != null) {
        setError("a list of something other than integers");
        return;
      }
      output = new Reply.Bytes(bytes == null ? null : copy(bytes));
    }

    private static byte[] copy(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    }
  }
}
