package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Keys;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that are refused, silent, closed while idle, or left with replies unread. */
@Timeout(120)
class ConnectionTest {

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration VERY_SHORT = Duration.ofMillis(500);
  private static final byte[] KEY = CommandTokens.of("connection");

  private final String name = TestServer.newName();

  private RedisBloomFilterBuilder<Long> builder(RedisLink link) {
    return TestFilters.builder(link, name, 20_000, 0.01).shardBytes(2_048);
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedAskingLeavesNoReplyToTheNextCommand(LinkKind kind) {
    String noAsking = TestServer.newName();
    Set<URI> servers = TestCluster.withUser(noAsking, "~*", "+@all", "-asking");
    try (RedisLink admin = kind.toCluster(TestCluster.shared());
        RedisLink link = kind.toCluster(servers)) {
      RedisBloomFilter<Long> healthy =
          TestFilters.builder(admin, name + "healthy", 20_000, 0.0001).shardBytes(2_048).create();
      long[] known = TestFilters.fill(healthy, 1, 1_000);
      RedisBloomFilter<Long> same = TestFilters.open(link, healthy.name());
      RedisBloomFilter<Long> moving = builder(link).create();

      try (MovingSlot slot = MovingSlot.of(Shards.keyOf(name, 1))) {
        slot.begin();
        slot.moveKeys(Shards.keyOf(name, 1));
        for (int i = 0; i < 5; i++) {
          refuses(
              RedisFilterException.class,
              () -> moving.putHashes(known, known.length, new boolean[known.length]));
          assertThat(TestFilters.query(same, known)).doesNotContain(false);
          boolean[] isNew = new boolean[100];
          same.putHashes(Keys.hashes(100 + i, 100).toArray(), 100, isNew);
          assertThat(isNew).doesNotContain(false);
        }
        slot.end();
      }
    }
  }

  @Test
  void aBorrowerThatIsInterruptedHasSentNothingAndStaysInterrupted() throws Exception {
    try (TestProxy proxy = new TestProxy(TestServer.shared());
        JedisLink link = JedisLink.to(proxy.uri(), Duration.ofSeconds(30), 1)) {
      List<Command> increment =
          List.of(Command.write("INCR", CommandTokens.of(name), CommandTokens.of(name)));
      assertThat(link.send(increment)).containsExactly(new Reply.Whole(1));
      proxy.delayReplies(1_000);
      Thread holder = new Thread(() -> link.send(increment));
      holder.start();
      while (holder.getState() == Thread.State.NEW) {
        Thread.onSpinWait();
      }
      Thread.sleep(200); // until it has the only connection
      Thread.currentThread().interrupt();
      Reply reply = link.send(increment).get(0);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(reply).isInstanceOf(Reply.Missing.class);
      assertThat(((Reply.Missing) reply).mayHaveRun()).isFalse();
      holder.join();
      assertThat(link.send(increment)).containsExactly(new Reply.Whole(3));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplyThatComesTooLateIsTakenForNoOther(LinkKind kind) throws Exception {
    try (TestProxy proxy = new TestProxy(TestServer.shared());
        RedisLink link = kind.to(proxy.uri(), SHORT)) {
      List<Command> increment =
          List.of(Command.write("INCR", CommandTokens.of(name), CommandTokens.of(name)));
      assertThat(link.send(increment)).containsExactly(new Reply.Whole(1));
      proxy.delayReplies(SHORT.toMillis() * 3 / 2);
      assertThat(link.send(increment).get(0)).isInstanceOf(Reply.Missing.class);
      proxy.delayReplies(0);
      long count = ((Reply.Whole) TestServer.shared().command("INCR", name)).value();
      assertThat(link.send(increment)).containsExactly(new Reply.Whole(count + 1));
      assertThat(link.send(increment)).containsExactly(new Reply.Whole(count + 2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatIsSilentlyGoneIsReplacedAfterOneTimeout(LinkKind kind) throws Exception {
    try (TestProxy proxy = new TestProxy(TestServer.shared());
        RedisLink link = kind.to(proxy.uri(), SHORT)) {
      RedisBloomFilter<Long> filter = builder(link).create();
      proxy.silenceConnections();
      long start = System.nanoTime();
      assertThat(filter.mightContain(1L)).isFalse(); // sent once more, over another connection
      assertThat(filter.put(1L)).isTrue();
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLookupSurvivesTheLossOfTheConnection(LinkKind kind) throws Exception {
    try (TestProxy proxy = new TestProxy(TestServer.shared());
        RedisLink link = kind.to(proxy.uri(), Duration.ofSeconds(10))) {
      RedisBloomFilter<Long> filter = builder(link).create();
      filter.put(1L);
      for (int i = 0; i < 20; i++) {
        proxy.cutConnections();
        assertThat(filter.mightContain(1L)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLookupSurvivesTheLossOfConnectionsToACluster(LinkKind kind) {
    try (RedisLink link = kind.toCluster(TestCluster.shared())) {
      RedisBloomFilter<Long> filter = builder(link).create();
      long[] hashes = TestFilters.fill(filter, 1, 100);
      for (int i = 0; i < 5; i++) {
        TestCluster.killClients();
        assertThat(filter.mightContainHash(hashes[i])).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPutAfterTheServerHasClosedIdleConnectionsIsCertain(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions("--timeout", "1");
        RedisLink link = kind.to(server.uri())) {
      RedisBloomFilter<Long> filter = builder(link).create();
      while (server.clients() > 1) { // except this one
        Thread.sleep(100);
      }
      assertThat(filter.put(1L)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anIdleConnectionIsCheckedWithoutPermissionForPing(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions()) {
      server.command("ACL", "SETUSER", "default", "-ping");
      try (RedisLink link = kind.to(server.uri())) {
        RedisBloomFilter<Long> filter = builder(link).create();
        Thread.sleep(600);
        assertThat(filter.put(1L)).isTrue();
      }
    }
  }

  private static Stream<Arguments> hostileReplies() {
    List<String> replies =
        List.of(
            "$2147483647\r\nx",
            "$99999999999999999999\r\nx",
            "$-7\r\nx\r\n",
            "*2147483647\r\n:1\r\n",
            "*-9\r\n",
            ":one\r\n",
            "HTTP/1.1 400 Bad Request\r\n\r\n",
            "%2147483647\r\n",
            "\0\0\0\0",
            "*1\r\n".repeat(50_000),
            "*1000000\r\n".repeat(1_000),
            "+" + "x".repeat(1 << 20));
    return Stream.of(LinkKind.values())
        .flatMap(
            kind ->
                Stream.of("GETRANGE", "HELLO", "PING")
                    .flatMap(
                        asked -> replies.stream().map(reply -> Arguments.of(kind, asked, reply))));
  }

  @ParameterizedTest
  @MethodSource("hostileReplies")
  void aReplyOfAnyFormEndsInAnExceptionOfTheFilter(LinkKind kind, String asked, String reply)
      throws Exception {
    try (TalkingServer server = new TalkingServer(asked, reply, false)) {
      assertThatThrownBy(() -> openTwice(kind, server.uri(), asked.equals("PING") ? 600 : 0))
          .isInstanceOf(RedisFilterException.class)
          .extracting(Throwable::getMessage)
          .asString()
          .doesNotEndWith(": null");
    }
  }

  /** Opens a filter again after a pause, after which Jedis sends a PING. */
  private static void openTwice(LinkKind kind, URI uri, long pauseMillis) throws Exception {
    try (RedisLink link = kind.to(uri, VERY_SHORT)) {
      refuses(RedisFilterException.class, () -> TestFilters.open(link, "none"));
      Thread.sleep(pauseMillis);
      TestFilters.open(link, "none");
    }
  }

  @ParameterizedTest
  @CsvSource({"GETRANGE, $60000", "GETRANGE, +", "HELLO, *7", "PING, +", "CLIENT, +"})
  void aServerThatDripsBytesHoldsNoCallBeyondItsTimeout(String asked, String reply)
      throws Exception {
    for (LinkKind kind : LinkKind.values()) {
      try (TalkingServer server = new TalkingServer(asked, reply, true)) {
        refuses(
            RedisFilterException.class,
            () -> openTwice(kind, server.uri(), asked.equals("PING") ? 600 : 0));
      }
    }
  }

  @Test
  void aServerThatReadsNothingHoldsNoUploadBeyondItsTimeout() throws Exception {
    byte[][] large = {KEY, new byte[64 << 20]};
    try (TalkingServer server = new TalkingServer("SET", "", true);
        RedisLink link = JedisLink.to(server.uri(), VERY_SHORT, 1)) {
      assertThat(link.send(List.of(Command.write("SET", KEY, large))).get(0))
          .isInstanceOf(Reply.Missing.class);
    }
  }

  private static void openAndClose(LinkKind kind, URI uri) {
    try (RedisLink link = kind.to(uri)) {
      TestFilters.open(link, "none");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatRejectsTheUserHasRefused(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions()) {
      String place = "127.0.0.1:" + server.port();
      for (int i = 0; i < 5; i++) {
        refuses(
            RedisRefusedException.class,
            () -> openAndClose(kind, URI.create("redis://me:wrong@" + place)),
            "WRONGPASS");
      }
      refuses(
          RedisRefusedException.class,
          () -> openAndClose(kind, URI.create("redis://" + place + "/99")),
          "DB index");
      try (RedisLink admin = kind.to(server.uri())) {
        send(admin, "CONFIG", "SET", "maxclients", "1");
        refuses(
            RedisRefusedException.class,
            () -> openAndClose(kind, server.uri()),
            "max number of clients");
        send(admin, "CONFIG", "SET", "maxclients", "100");
        send(admin, "CONFIG", "SET", "requirepass", "secret");
      }
      refuses(RedisRefusedException.class, () -> openAndClose(kind, server.uri()), "NOAUTH");
    }
  }

  private static void send(RedisLink link, String command, String... words) {
    byte[][] arguments = Stream.of(words).map(CommandTokens::of).toArray(byte[][]::new);
    assertThat(link.send(List.of(Command.write(command, KEY, arguments))).get(0))
        .isInstanceOf(Reply.Bytes.class);
  }

  @ParameterizedTest
  @EnumSource
  void aClosedLinkSaysSo(LinkKind kind) {
    RedisLink link = kind.to(TestServer.shared().uri());
    RedisBloomFilter<Long> filter = builder(link).create();
    link.close();
    refuses(IllegalStateException.class, () -> filter.put(1L), "closed");
    refuses(IllegalStateException.class, filter::health);
    link.close();
  }

  @ParameterizedTest
  @EnumSource
  void tlsToAServerWithoutItFailsWithinTheTimeout(LinkKind kind) {
    URI uri = URI.create("rediss://127.0.0.1:" + TestServer.shared().port());
    long start = System.nanoTime();
    assertThatThrownBy(
            () -> {
              try (RedisLink link = kind.to(uri, VERY_SHORT)) {
                TestFilters.open(link, "none");
              }
            })
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageNotContaining("null");
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
  }

  /** A program with a reply of its own to one command, whole or a byte at a time, without end. */
  private static final class TalkingServer implements AutoCloseable {

    private final ServerSocket listening;
    private final String asked;
    private final String reply;
    private final boolean drips;

    TalkingServer(String asked, String reply, boolean drips) throws IOException {
      this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      this.asked = asked;
      this.reply = reply;
      this.drips = drips;
      start(this::accept);
    }

    private static void start(Runnable work) {
      Thread thread = new Thread(work, "talking server");
      thread.setDaemon(true);
      thread.start();
    }

    URI uri() {
      return URI.create("redis://127.0.0.1:" + listening.getLocalPort());
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listening.accept();
          start(() -> talk(client));
        }
      } catch (IOException e) {
        // the end of the test
      }
    }

    private void talk(Socket client) {
      byte[] buffer = new byte[1 << 16];
      try (client) {
        InputStream in = client.getInputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          String request = new String(buffer, 0, count, ISO_8859_1);
          boolean isAsked = request.contains(asked);
          String answer = isAsked ? reply : handshake(request);
          client.getOutputStream().write(answer.getBytes(ISO_8859_1));
          while (isAsked && drips) {
            client.getOutputStream().write('1');
            Thread.sleep(VERY_SHORT.toMillis() / 5);
          }
        }
      } catch (IOException | InterruptedException e) {
        // the end of the connection
      }
    }

    /** Returns the reply of an older server to a client's handshake. */
    private static String handshake(String request) {
      int commands = request.split("\\*\\d+\r\n\\$", -1).length - 1;
      return request.contains("PING")
          ? "+PONG\r\n".repeat(commands)
          : "-ERR unknown command\r\n".repeat(commands);
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }
}
