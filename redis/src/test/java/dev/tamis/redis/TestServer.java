package dev.tamis.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.embedded.core.ExecutableProvider;

/**
 * A real server that a test starts, kills and starts again: the one of embedded-redis, or another
 * program.
 *
 * <p>{@code -Dtamis.redis.server=PROGRAM} takes that program for all tests of this module.
 */
final class TestServer implements AutoCloseable {

  private static final int TRIES = 200;
  private static final int HIGHEST_PORT = 55_000; // the bus of a cluster is at 10000 more
  private static final Pattern AT_MASTER = Pattern.compile("master_repl_offset:(\\d+)");
  private static final Pattern AT_REPLICA = Pattern.compile("slave_repl_offset:(\\d+)");
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final int port;
  private final List<String> command;
  private final Path directory;
  private Process process;

  private TestServer(String program, Path directory, String... options) throws IOException {
    this.port = freePort();
    this.directory = directory;
    this.command = new ArrayList<>(List.of(program, "--port", Integer.toString(port)));
    command.addAll(List.of("--bind", "127.0.0.1", "--dir", directory.toString()));
    if (!List.of(options).contains("--save")) {
      command.addAll(List.of("--save", ""));
    }
    command.addAll(List.of(options));
    start();
  }

  /** Starts the server of the tests, in a directory of its own. */
  static TestServer withOptions(String... options) {
    return of(program(), options);
  }

  /** Starts another program. */
  static TestServer of(String program, String... options) {
    try {
      return new TestServer(program, Files.createTempDirectory("redis"), options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server that most tests share, gone with the JVM. */
  static TestServer shared() {
    return Shared.SERVER;
  }

  /** A link to the shared server, gone with the JVM too. */
  static JedisLink sharedLink() {
    return Shared.LINK;
  }

  private static final class Shared {
    static final TestServer SERVER = TestServer.withOptions();
    static final JedisLink LINK = SERVER.link();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
    }
  }

  /** Returns the program of the server: that of embedded-redis unless another one is set. */
  static String program() {
    String set = System.getProperty("tamis.redis.server", "");
    try {
      return set.isEmpty() ? ExecutableProvider.newJarResourceProvider().get().getPath() : set;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() throws IOException {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0)) {
        if (socket.getLocalPort() <= HIGHEST_PORT) {
          return socket.getLocalPort();
        }
      }
    }
  }

  /** Returns a name that no other test has. */
  static String newName() {
    return "test" + NAMES.incrementAndGet();
  }

  /** Starts the program again, and does not wait until it has loaded the files that it left. */
  void startLoading() throws IOException {
    process = launched();
  }

  private Process launched() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  private Path log() {
    return directory.resolve("log");
  }

  /** Starts the program again, where it was and with the files that it left. */
  void start() throws IOException {
    process = launched();
    for (int i = 0; i < TRIES; i++) {
      try (JedisLink link = link()) {
        Command ping = Command.read("PING", new byte[0]);
        if (link.send(List.of(ping)).get(0) instanceof Reply.Bytes) {
          return;
        }
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      if (!process.isAlive()) {
        break;
      }
    }
    throw new IOException("the server does not answer: " + Files.readString(log()));
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  JedisLink link() {
    return JedisLink.to(uri(), Duration.ofSeconds(10), 16);
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  /** Kills the process as {@code kill -9} does, and waits for its end. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Sends a command outside the filter and returns the reply. */
  Reply command(String name, String... words) {
    byte[][] arguments = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = CommandTokens.of(words[i]);
    }
    try (JedisLink link = link()) {
      byte[] key = words.length == 0 ? new byte[0] : arguments[0];
      return link.send(List.of(Command.write(name, key, arguments))).get(0);
    }
  }

  /** Waits until a replica has everything that this master has carried out so far. */
  void untilCaughtUp(TestServer replica) {
    try (Jedis from = new Jedis(uri());
        Jedis to = new Jedis(replica.uri())) {
      long wanted = offset(AT_MASTER, from.info("replication"));
      String state = to.info("replication");
      while (!state.contains("master_link_status:up") || offset(AT_REPLICA, state) < wanted) {
        Thread.onSpinWait();
        state = to.info("replication");
      }
    }
  }

  private static long offset(Pattern field, String info) {
    Matcher matcher = field.matcher(info);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
  }

  /** Returns how many clients are connected. */
  long clients() {
    try (Jedis jedis = new Jedis(uri())) {
      return jedis.clientList().lines().count();
    }
  }

  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
