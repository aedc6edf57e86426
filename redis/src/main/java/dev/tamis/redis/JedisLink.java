package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/**
 * A link over the client library Jedis, to one server or to a cluster.
 *
 * <p>It takes connections from a pool, one for each concurrent call. Jedis' own executors are not
 * used, because they resend a command after a failure.
 */
public final class JedisLink implements RedisLink {

  private static final System.Logger LOG = System.getLogger(JedisLink.class.getName());

  private static final int MAX_REDIRECTIONS = 5;

  /** Idle time after which a connection is checked before use; servers time out at 1 s or more. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** For connections of the caller, which have timeouts of their own. */
  private static final Duration FOREVER = Duration.ofDays(1);

  private final ConnectionProvider provider;
  private final CallSockets sockets;
  private final @Nullable Function<HostAndPort, ConnectionProvider> opener;
  private final Map<HostAndPort, ConnectionProvider> nodes = new ConcurrentHashMap<>();
  private final Map<Connection, Long> lastUsed = Collections.synchronizedMap(new WeakHashMap<>());
  private volatile boolean closed;

  /**
   * Takes connections.
   *
   * @param opener makes the connections to a server of a cluster; null if the caller has made them
   */
  private JedisLink(
      ConnectionProvider provider,
      CallSockets sockets,
      @Nullable Function<HostAndPort, ConnectionProvider> opener) {
    this.provider = provider;
    this.sockets = sockets;
    this.opener = opener;
  }

  /**
   * Returns a link to one server. Nothing is sent before the first command.
   *
   * @param server such as {@code redis://user:password@localhost:6379/0}; {@code rediss} for TLS
   * @param timeout of each call: to connect, to wait for a connection, and for all replies
   * @param connections maximum of concurrent calls; others wait up to the timeout
   * @throws IllegalArgumentException if {@code server} is not such a URL
   */
  public static JedisLink to(URI server, Duration timeout, int connections) {
    ServerAddress address = ServerAddress.of(server);
    CallSockets sockets = new CallSockets(timeout);
    Function<HostAndPort, ConnectionProvider> opener =
        opener(address, sockets, timeout, connections);
    return new JedisLink(opener.apply(node(address)), sockets, opener);
  }

  private static Function<HostAndPort, ConnectionProvider> opener(
      ServerAddress server, CallSockets sockets, Duration timeout, int connections) {
    JedisClientConfig config = config(server, timeout);
    return node ->
        new PooledConnectionProvider(
            new ConnectionFactory(sockets.to(node, server.isTls()), config),
            pool(timeout, connections));
  }

  /**
   * Returns a link to one server, or to the cluster that it is a part of, as it says itself.
   *
   * @param server such as {@code redis://user:password@localhost:6379}
   * @param timeout of each call: to connect, to wait for a connection, and for all replies
   * @param connections maximum of concurrent calls to one server
   * @throws RedisUnavailableException if it cannot be reached
   */
  public static JedisLink toServerOrCluster(URI server, Duration timeout, int connections) {
    JedisLink one = to(server, timeout, connections);
    Command info = Command.read("INFO", CommandTokens.ZERO, CommandTokens.of("cluster"));
    Reply reply = one.send(List.of(info)).get(0);
    if (reply instanceof Reply.Missing) {
      one.close();
      Server.requireSuccess(info, reply);
    }
    boolean isCluster =
        reply instanceof Reply.Bytes bytes
            && bytes.value() != null
            && new String(bytes.value(), UTF_8).contains("cluster_enabled:1");
    if (!isCluster) {
      return one; // also if it does not permit INFO
    }
    one.close();
    return toCluster(Set.of(server), timeout, connections);
  }

  /**
   * Returns a link to a cluster, some of whose servers are known.
   *
   * @param servers such as {@code redis://user:password@localhost:6379}, all with the same user
   * @param timeout of each call: to connect, to wait for a connection, and for all replies
   * @param connections maximum of concurrent calls to one server
   * @throws RedisUnavailableException if none of the servers can be reached
   * @throws RedisRefusedException if they refuse the connection, for example the password
   */
  public static JedisLink toCluster(Set<URI> servers, Duration timeout, int connections) {
    List<ServerAddress> addresses = servers.stream().map(ServerAddress::of).toList();
    Set<HostAndPort> nodes = addresses.stream().map(JedisLink::node).collect(toSet());
    ServerAddress first = addresses.get(0);
    CallSockets sockets = new CallSockets(timeout);
    try {
      return new JedisLink(
          sockets.within(
              () ->
                  new ClusterConnectionProvider(
                      nodes, config(first, timeout), pool(timeout, connections))),
          sockets,
          opener(first, sockets, timeout, connections));
    } catch (JedisException e) {
      String refusal = refusal(e);
      throw refusal == null
          ? new RedisUnavailableException(
              "cluster " + nodes + ": no server replies; check the addresses", e)
          : new RedisRefusedException("cluster " + nodes + ": refused by the server: " + refusal);
    }
  }

  /** Returns a link over connections that the caller has configured, and closes. */
  public static JedisLink over(ConnectionProvider provider) {
    return new JedisLink(provider, new CallSockets(FOREVER), null);
  }

  private static HostAndPort node(ServerAddress address) {
    return new HostAndPort(address.host(), address.port());
  }

  private static DefaultJedisClientConfig config(ServerAddress server, Duration timeout) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .timeoutMillis(Math.toIntExact(timeout.toMillis()))
            .user(server.user())
            .password(server.password())
            .database(server.database());
    if (server.isTls()) {
      config.sslOptions(SslOptions.defaults());
    }
    return config.build();
  }

  private static GenericObjectPoolConfig<Connection> pool(Duration timeout, int connections) {
    GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
    pool.setMaxTotal(connections);
    pool.setMaxIdle(connections);
    pool.setMaxWait(timeout);
    pool.setJmxEnabled(false);
    return pool;
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    if (closed) {
      throw new IllegalStateException("link: is closed; open another one");
    }
    sockets.begin();
    try {
      return sendAll(commands);
    } finally {
      sockets.end();
    }
  }

  private List<Reply> sendAll(List<Command> commands) {
    @Nullable Reply[] replies = new Reply[commands.size()];
    Map<Destination, List<Integer>> open = new LinkedHashMap<>();
    for (int i = 0; i < replies.length; i++) {
      Destination destination = destination(commands.get(i));
      open.computeIfAbsent(destination, any -> new ArrayList<>()).add(i);
    }
    for (int i = 0; !open.isEmpty(); i++) {
      Map<Destination, List<Integer>> redirected = new LinkedHashMap<>();
      for (Map.Entry<Destination, List<Integer>> group : open.entrySet()) {
        exchange(group.getKey(), group.getValue(), commands, replies, redirected, i);
      }
      open = redirected;
    }
    return Arrays.asList(replies);
  }

  private Destination destination(Command command) {
    return provider instanceof ClusterConnectionProvider cluster
        ? new Destination(cluster.getNode(JedisClusterCRC16.getSlot(command.key())), false)
        : Destination.ONLY;
  }

  /** Sends some of the commands to one server, and collects those that it redirects. */
  private void exchange(
      Destination destination,
      List<Integer> indexes,
      List<Command> commands,
      @Nullable Reply[] replies,
      Map<Destination, List<Integer>> redirected,
      int redirections) {
    boolean sending = false;
    int done = 0;
    try (JedisExchange exchange = connect(destination)) {
      sending = true;
      for (int i : indexes) {
        if (destination.asking()) {
          exchange.send(Protocol.Command.ASKING);
        }
        exchange.send(commands.get(i));
      }
      for (; done < indexes.size(); done++) {
        int index = indexes.get(done);
        JedisDataException notAsked =
            destination.asking() ? receive(exchange, replies, index) : null;
        JedisDataException refused = receive(exchange, replies, index);
        if (notAsked != null && refused instanceof JedisRedirectionException) {
          replies[index] = new Reply.Refusal("ASKING: " + notAsked.getMessage());
        } else if (refused instanceof JedisRedirectionException elsewhere
            && redirections < MAX_REDIRECTIONS) {
          boolean asking = refused instanceof JedisAskDataException;
          redirected
              .computeIfAbsent(
                  new Destination(elsewhere.getTargetNode(), asking), any -> new ArrayList<>())
              .add(index);
        }
      }
    } catch (Throwable e) { // also when lists in lists exhaust the stack
      String refusal = sending ? null : refusal(e);
      Exception cause = e instanceof Exception exception ? exception : malformed(e);
      Reply reply =
          refusal == null ? new Reply.Missing(sending, cause) : new Reply.Refusal(refusal);
      for (int i = done; i < indexes.size(); i++) {
        replies[indexes.get(i)] = reply;
      }
      forget();
    }
    if (!redirected.isEmpty()) {
      refreshSlots();
    }
  }

  private static JedisConnectionException malformed(Throwable e) {
    return new JedisConnectionException("the reply is not one of a Redis server: " + e, e);
  }

  /** Receives one reply, and returns the refusal if it is one. */
  private static @Nullable JedisDataException receive(
      JedisExchange exchange, @Nullable Reply[] replies, int index) {
    try {
      replies[index] = reply(exchange.receive());
      return null;
    } catch (JedisDataException e) {
      replies[index] = new Reply.Refusal(String.valueOf(e.getMessage()));
      return e;
    }
  }

  /** Returns the message of a server that refused the connection; null for other failures. */
  private static @Nullable String refusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof JedisDataException) {
        return String.valueOf(cause.getMessage());
      }
    }
    return null;
  }

  /** Borrows a connection, replacing one that the server closed while it was idle. */
  private JedisExchange connect(Destination destination) {
    Connection connection = borrow(destination);
    if (isIdle(connection) && !isAlive(connection)) {
      connection.setBroken();
      connection.close();
      forget();
      connection = borrow(destination);
    }
    Connection borrowed = connection;
    return new JedisExchange(borrowed, () -> lastUsed.put(borrowed, System.nanoTime()));
  }

  private Connection borrow(Destination destination) {
    HostAndPort node = destination.node();
    try {
      if (node == null || !(provider instanceof ClusterConnectionProvider cluster)) {
        return provider.getConnection();
      }
      return opener == null
          ? cluster.getConnection(node)
          : nodes.computeIfAbsent(node, opener).getConnection();
    } catch (JedisException e) {
      if (e.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt(); // Jedis has cleared it
      }
      throw e;
    }
  }

  private boolean isIdle(Connection connection) {
    Long since = lastUsed.get(connection);
    return since != null && System.nanoTime() - since > IDLE_NANOS;
  }

  private static boolean isAlive(Connection connection) {
    try {
      return connection.ping();
    } catch (JedisDataException e) {
      return true; // it has replied, if only that PING is not permitted
    } catch (Throwable e) { // as of any reply
      return false;
    }
  }

  /** Drops idle connections, which are probably broken too. */
  private void forget() {
    clearPool(provider);
    nodes.values().forEach(JedisLink::clearPool);
    refreshSlots();
  }

  private static void clearPool(ConnectionProvider provider) {
    for (Object pool : provider.getConnectionMap().values()) {
      if (pool instanceof Pool<?> idle) {
        idle.clear();
      }
    }
  }

  private void refreshSlots() {
    if (provider instanceof ClusterConnectionProvider cluster) {
      try {
        sockets.within(
            () -> {
              cluster.renewSlotCache();
              return cluster;
            });
      } catch (JedisException e) {
        // The next command uses the old map, is redirected or fails, and refreshes it again.
        LOG.log(System.Logger.Level.DEBUG, "the map of the cluster could not be refreshed", e);
      }
    }
  }

  private static Reply reply(@Nullable Object value) {
    if (value == null || value instanceof byte[]) {
      return new Reply.Bytes((byte[]) value);
    }
    if (value instanceof Long number) {
      return new Reply.Whole(number);
    }
    if (value instanceof List<?> list) {
      List<Long> numbers = new ArrayList<>(list.size());
      List<byte[]> strings = new ArrayList<>();
      return collect(list, numbers, strings)
          ? numbers.isEmpty() && !strings.isEmpty()
              ? new Reply.Strings(strings)
              : new Reply.Numbers(numbers)
          : new Reply.Refusal("a list of neither integers nor strings");
    }
    return new Reply.Refusal("a reply of type " + value.getClass().getName());
  }

  /** Flattens a list and its nested lists; returns false if the elements are of several types. */
  private static boolean collect(List<?> list, List<Long> numbers, List<byte[]> strings) {
    for (Object element : list) {
      if (element instanceof Long number && strings.isEmpty()) {
        numbers.add(number);
      } else if (element instanceof byte[] string && numbers.isEmpty()) {
        strings.add(string);
      } else if (!(element instanceof List<?> nested && collect(nested, numbers, strings))
          && !(element instanceof Map.Entry<?, ?> entry
              && collect(List.of(entry.getKey(), entry.getValue()), numbers, strings))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    closed = true;
    if (opener != null) {
      close(provider);
      nodes.values().forEach(JedisLink::close);
    }
  }

  private static void close(ConnectionProvider provider) {
    try {
      provider.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the connections could not be closed", e);
    }
  }

  /**
   * Where commands go.
   *
   * @param node a server of a cluster, or null if there is only one
   * @param asking whether the slot is migrating there, so that ASKING must precede the command
   */
  private record Destination(@Nullable HostAndPort node, boolean asking) {
    static final Destination ONLY = new Destination(null, false);
  }
}
