package dev.tamis.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A link over the client library Lettuce, to one server or to a cluster.
 *
 * <p>All threads share one connection to each server. It is configured here and not supplied by the
 * caller, because Lettuce by default resends commands after it has reconnected, and a put must not
 * be sent twice. After a timeout the next call opens another connection, because a peer that is
 * silently gone never closes the old one.
 */
public final class LettuceLink implements AsyncRedisLink {

  /**
   * Refreshes the topology when a server does not return. By default Lettuce does so every five
   * seconds only, and so misses a replica that was promoted within two.
   */
  private static final ClusterTopologyRefreshOptions REFRESH =
      ClusterTopologyRefreshOptions.builder()
          .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
          .refreshTriggersReconnectAttempts(1)
          .build();

  /** Delay between reconnects to a cluster's server; Lettuce's own grows to half a minute. */
  private static final Delay RECONNECT_DELAY = Delay.constant(Duration.ofMillis(100));

  /** Delay before commands are resent that a closed connection has not accepted. */
  private static final long RETRY_MILLIS = 5;

  /** Quiet period before the threads end; a failed connection leaves tasks behind. */
  private static final long QUIET_MILLIS = 1;

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final AbstractRedisClient client;
  private final Resources resources;
  private final LettuceConnection connection;
  private final Duration timeout;
  private volatile boolean closed;

  private LettuceLink(
      AbstractRedisClient client,
      Resources resources,
      LettuceConnection connection,
      Duration timeout) {
    this.client = client;
    this.resources = resources;
    this.connection = connection;
    this.timeout = timeout;
  }

  /**
   * The threads of the client.
   *
   * @param isOwned whether they end with the link
   */
  private record Resources(ClientResources threads, LettuceRefusal refusal, boolean isOwned) {

    /** Returns threads of the link's own, and Lettuce's delay between reconnects. */
    static Resources create(Delay reconnectDelay) {
      LettuceRefusal refusal = new LettuceRefusal(new NettyCustomizer() {});
      return new Resources(
          ClientResources.builder().reconnectDelay(reconnectDelay).nettyCustomizer(refusal).build(),
          refusal,
          true);
    }

    /** Returns the threads of another client, which shuts them down. */
    static Resources shared(ClientResources threads) {
      return new Resources(threads, new LettuceRefusal(new NettyCustomizer() {}), false);
    }
  }

  /**
   * Connects to one server.
   *
   * @param server such as {@code redis://user:password@localhost:6379/0}; {@code rediss} for TLS
   * @param timeout to wait for the connection, and for the replies of each call
   * @throws RedisUnavailableException if it cannot be reached
   * @throws RedisRefusedException if it refuses the connection, for example the password
   * @throws IllegalArgumentException if {@code server} is not such a URL
   */
  public static LettuceLink to(URI server, Duration timeout) {
    RedisURI uri = uri(ServerAddress.of(server), timeout);
    ClientOptions.Builder options = ClientOptions.builder().socketOptions(socket(timeout));
    return to(uri, timeout, Resources.create(RECONNECT_DELAY), options);
  }

  /**
   * Connects to one server, or to the master that sentinels name, with the threads and options of
   * the application's client: TLS, socket, protocol. The connection is one of its own, because that
   * of the application may send a command twice. The sizes of replies are as the client limits
   * them.
   *
   * @param application is not closed with the link
   * @param server may be {@code RedisURI.create("redis-sentinel://host1,host2/0#master")}; after a
   *     failover the link queries the sentinels again
   * @param timeout to wait for the connection, and for the replies of each call
   * @throws RedisUnavailableException if it cannot be reached
   * @throws RedisRefusedException if it refuses the connection, for example the password
   */
  public static LettuceLink over(RedisClient application, RedisURI server, Duration timeout) {
    return to(
        server,
        timeout,
        Resources.shared(application.getResources()),
        application.getOptions().mutate());
  }

  private static LettuceLink to(
      RedisURI server, Duration timeout, Resources resources, ClientOptions.Builder options) {
    RedisClient client = RedisClient.create(resources.threads, server);
    // its connection is opened again here, so that nothing waits for a delay
    client.setOptions(neverTwice(options).autoReconnect(false).build());
    LettuceConnection connection =
        new LettuceConnection(
            () -> {
              resources.refusal.clear();
              return client.connectAsync(ByteArrayCodec.INSTANCE, server);
            });
    return new LettuceLink(client, resources, connection, timeout).connected("server");
  }

  /**
   * Connects to a cluster, some of whose servers are known.
   *
   * @param servers such as {@code redis://user:password@localhost:6379}
   * @param timeout to wait for connections, and for the replies of each call
   * @throws RedisUnavailableException if none of them can be reached
   * @throws RedisRefusedException if they refuse the connection, for example the password
   */
  public static LettuceLink toCluster(Set<URI> servers, Duration timeout) {
    List<RedisURI> uris = servers.stream().map(uri -> uri(ServerAddress.of(uri), timeout)).toList();
    Resources resources = Resources.create(RECONNECT_DELAY);
    RedisClusterClient client = RedisClusterClient.create(resources.threads, uris);
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(REFRESH)
            .socketOptions(socket(timeout));
    neverTwice(options);
    client.setOptions(options.build());
    LettuceConnection connection =
        new LettuceConnection(
            () -> {
              resources.refusal.clear();
              return client
                  .refreshPartitionsAsync()
                  .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE));
            });
    return new LettuceLink(client, resources, connection, timeout).connected("cluster");
  }

  private LettuceLink connected(String what) {
    try {
      Reply failure = connect(deadline()).join().failure;
      if (failure instanceof Reply.Refusal refusal) {
        throw new RedisRefusedException(what + ": refused: " + refusal.message());
      }
      if (failure instanceof Reply.Missing missing) {
        throw new RedisUnavailableException(
            what + ": no reply: " + Server.reason(missing.cause()), missing.cause());
      }
      return this;
    } catch (RedisFilterException e) {
      close();
      throw e;
    }
  }

  private static RedisURI uri(ServerAddress server, Duration timeout) {
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(server.host())
            .withPort(server.port())
            .withDatabase(server.database())
            .withSsl(server.isTls())
            .withTimeout(timeout);
    String password = server.password();
    if (password != null) {
      String user = server.user();
      if (user == null) {
        uri.withPassword(password.toCharArray());
      } else {
        uri.withAuthentication(user, password.toCharArray());
      }
    }
    return uri.build();
  }

  /** Makes the client neither resend nor queue commands. */
  private static ClientOptions.Builder neverTwice(ClientOptions.Builder options) {
    return options
        .replayFilter(command -> true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
  }

  private static SocketOptions socket(Duration timeout) {
    return SocketOptions.builder().connectTimeout(timeout).keepAlive(true).build();
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    try {
      return sendAsync(commands).toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Collections.nCopies(commands.size(), new Reply.Missing(true, e));
    } catch (ExecutionException e) {
      throw new IllegalStateException("link: failed unexpectedly: " + e.getCause(), e);
    }
  }

  @Override
  public CompletionStage<List<Reply>> sendAsync(List<Command> commands) {
    requireOpen();
    @Nullable Reply[] replies = new Reply[commands.size()];
    int[] all = IntStream.range(0, commands.size()).toArray();
    return sendAsync(commands, replies, all, deadline()).thenApply(done -> Arrays.asList(replies));
  }

  /** Sends some of the commands, and resends those that a closed connection has not accepted. */
  private CompletableFuture<Void> sendAsync(
      List<Command> commands, @Nullable Reply[] replies, int[] unsent, long deadline) {
    return connect(deadline)
        .thenCompose(connected -> sendAsync(connected, commands, replies, unsent, deadline));
  }

  private CompletableFuture<Void> sendAsync(
      Connected connected,
      List<Command> commands,
      @Nullable Reply[] replies,
      int[] unsent,
      long deadline) {
    StatefulConnection<byte[], byte[]> open = connected.connection;
    if (open == null) {
      fill(replies, unsent, requireNonNull(connected.failure));
      return DONE;
    }
    List<LettuceCommand> sent = dispatch(open, commands, unsent);
    return CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0]))
        .orTimeout(left(deadline), TimeUnit.NANOSECONDS)
        .handle(
            (all, none) -> {
              collect(open, sent, noReply(none), replies, unsent);
              return unsent(commands, replies);
            })
        .thenCompose(again -> sendAgain(commands, replies, again, deadline));
  }

  private CompletableFuture<Void> sendAgain(
      List<Command> commands, @Nullable Reply[] replies, int[] unsent, long deadline) {
    if (unsent.length == 0 || left(deadline) == 0 || closed) {
      return DONE;
    }
    return CompletableFuture.runAsync(() -> {}, later(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS)))
        .thenCompose(waited -> sendAsync(commands, replies, unsent, deadline));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("link: is closed; open another one");
    }
  }

  private long deadline() {
    return System.nanoTime() + timeout.toNanos();
  }

  private static long left(long deadline) {
    return Math.max(0, deadline - System.nanoTime());
  }

  private Executor later(long nanos) {
    return CompletableFuture.delayedExecutor(
        nanos, TimeUnit.NANOSECONDS, resources.threads.eventExecutorGroup());
  }

  private static void fill(@Nullable Reply[] replies, int[] indexes, Reply reply) {
    for (int i : indexes) {
      replies[i] = reply;
    }
  }

  /**
   * Returns which commands have certainly not been sent, and no other of the same key has: those
   * must run in the order given.
   */
  private static int[] unsent(List<Command> commands, @Nullable Reply[] replies) {
    Set<ByteBuffer> sent = new HashSet<>();
    for (int i = 0; i < replies.length; i++) {
      if (!isUnsent(replies[i])) {
        sent.add(ByteBuffer.wrap(commands.get(i).key()));
      }
    }
    return IntStream.range(0, replies.length)
        .filter(i -> isUnsent(replies[i]))
        .filter(i -> !sent.contains(ByteBuffer.wrap(commands.get(i).key())))
        .toArray();
  }

  private static boolean isUnsent(@Nullable Reply reply) {
    return reply instanceof Reply.Missing missing && !missing.mayHaveRun();
  }

  private record Connected(
      @Nullable StatefulConnection<byte[], byte[]> connection, @Nullable Reply failure) {}

  private CompletableFuture<Connected> connect(long deadline) {
    return connection
        .get()
        .thenApply(shared -> shared) // others wait for it longer
        .orTimeout(left(deadline), TimeUnit.NANOSECONDS)
        .handle(
            (open, failure) ->
                failure == null
                    ? new Connected(open, null)
                    : new Connected(null, unconnected(failure)));
  }

  /** Returns the reply to commands that were not sent for lack of a connection. */
  private Reply unconnected(Throwable thrown) {
    if (thrown instanceof TimeoutException) {
      return new Reply.Missing(false, late());
    }
    String refusal = resources.refusal.message();
    return refusal == null
        ? LettuceCommand.failure(thrown.getCause(), false)
        : new Reply.Refusal(refusal);
  }

  private TimeoutException late() {
    return new TimeoutException("within " + timeout.toMillis() + " ms");
  }

  private static List<LettuceCommand> dispatch(
      StatefulConnection<byte[], byte[]> open, List<Command> commands, int[] indexes) {
    List<LettuceCommand> sent =
        Arrays.stream(indexes).mapToObj(i -> new LettuceCommand(commands.get(i))).toList();
    if (open instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster) {
      List<LettuceCommand> routed = new ArrayList<>();
      for (int i = 0; i < indexes.length; i++) {
        Command command = commands.get(indexes[i]);
        if (command.namesItsKey()) {
          routed.add(sent.get(i));
        } else {
          dispatch(cluster, command, sent.get(i));
        }
      }
      cluster.dispatch(routed);
    } else {
      open.dispatch(sent);
    }
    return sent;
  }

  /** Hands over a command that Lettuce would send to any server, because it names no key. */
  private static void dispatch(
      StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Command command,
      LettuceCommand sent) {
    int slot = SlotHash.getSlot(command.key());
    RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(slot);
    if (node == null) {
      sent.completeExceptionally(new RedisException("no server has slot " + slot));
      return;
    }
    try {
      var unused = cluster.getConnection(node.getNodeId()).dispatch(sent);
    } catch (RedisException e) {
      sent.completeExceptionally(e);
    }
  }

  /**
   * Collects the replies, and replaces the connection if it turns out to be of no use.
   *
   * @param noReply why some may be missing
   */
  private void collect(
      StatefulConnection<byte[], byte[]> open,
      List<LettuceCommand> sent,
      Exception noReply,
      @Nullable Reply[] replies,
      int[] indexes) {
    boolean isUnsent = false;
    for (int i = 0; i < indexes.length; i++) {
      Reply reply = sent.get(i).reply(noReply);
      replies[indexes[i]] = reply;
      isUnsent |= isUnsent(reply);
    }
    if (noReply instanceof TimeoutException) {
      connection.drop(open, later(timeout.toNanos())); // others may still get their replies
    } else if (client instanceof RedisClient && isUnsent) {
      connection.drop(open, Runnable::run); // it is closed, and that is not yet known everywhere
    }
  }

  private Exception noReply(@Nullable Throwable thrown) {
    if (thrown instanceof TimeoutException) {
      return late();
    }
    return thrown instanceof Exception e // each command has its own
        ? e
        : new IllegalStateException("all replies are there");
  }

  @Override
  public void close() {
    closed = true;
    connection.close().completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS).join();
    client.shutdown(Duration.ZERO, timeout);
    if (resources.isOwned) {
      resources
          .threads
          .shutdown(QUIET_MILLIS, timeout.toMillis(), TimeUnit.MILLISECONDS)
          .awaitUninterruptibly();
    }
  }
}
