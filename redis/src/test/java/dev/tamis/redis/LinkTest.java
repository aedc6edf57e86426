package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every link promises, whatever client is behind it. */
class LinkTest {

  private static final byte[] KEY = CommandTokens.of("link");

  @ParameterizedTest
  @EnumSource
  void everyKindOfReplyComesBackAsItself(LinkKind kind) {
    try (RedisLink link = kind.to(TestServer.shared().uri())) {
      byte[] binary = {0, -1, '\r', '\n', 127};
      List<Reply> replies =
          link.send(
              List.of(
                  Command.write("UNLINK", KEY, KEY),
                  Command.read("GET", KEY, KEY),
                  Command.write("SET", KEY, KEY, binary),
                  Command.read("GET", KEY, KEY),
                  Command.read("BITCOUNT", KEY, KEY),
                  Command.read(
                      "BITFIELD_RO",
                      KEY,
                      KEY,
                      CommandTokens.GET,
                      CommandTokens.STAMP,
                      CommandTokens.ZERO),
                  Command.read("LLEN", KEY, KEY),
                  Command.read(
                      "BITFIELD_RO",
                      KEY,
                      KEY,
                      CommandTokens.GET,
                      CommandTokens.ONE_BIT,
                      CommandTokens.of(15)),
                  Command.read(
                      "GETRANGE", KEY, KEY, CommandTokens.of(100), CommandTokens.of(200))));

      assertThat(replies).hasSize(9);
      assertThat(replies.get(0)).isInstanceOf(Reply.Whole.class);
      assertThat(replies.get(1)).isEqualTo(new Reply.Bytes(null));
      assertThat(((Reply.Bytes) replies.get(2)).value()).isEqualTo(CommandTokens.of("OK"));
      assertThat(((Reply.Bytes) replies.get(3)).value()).isEqualTo(binary);
      assertThat(replies.get(4)).isEqualTo(new Reply.Whole(20));
      assertThat(replies.get(5)).isEqualTo(new Reply.Numbers(List.of(0x00FF_0D0A_7F00_0000L)));
      assertThat(((Reply.Refusal) replies.get(6)).message()).startsWith("WRONGTYPE");
      assertThat(replies.get(7)).isEqualTo(new Reply.Numbers(List.of(1L)));
      assertThat(((Reply.Bytes) replies.get(8)).value()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void offsetsReachTheLastBitOfTheLongestString(LinkKind kind) {
    try (RedisLink link = kind.to(TestServer.shared().uri())) {
      for (long offset : new long[] {Integer.MAX_VALUE, 1L << 31, (1L << 32) - 1}) {
        Command command =
            Command.read(
                "BITFIELD_RO",
                KEY,
                KEY,
                CommandTokens.GET,
                CommandTokens.ONE_BIT,
                CommandTokens.of(offset));
        assertThat(link.send(List.of(command))).containsExactly(new Reply.Numbers(List.of(0L)));
      }
      Command past =
          Command.read(
              "BITFIELD_RO",
              KEY,
              KEY,
              CommandTokens.GET,
              CommandTokens.ONE_BIT,
              CommandTokens.of(1L << 32));
      assertThat(link.send(List.of(past)).get(0)).isInstanceOf(Reply.Refusal.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void repliesOfAClusterComeInTheOrderOfTheCommands(LinkKind kind) {
    Set<URI> cluster = TestCluster.shared();
    try (RedisLink link = kind.toCluster(cluster)) {
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        byte[] key = CommandTokens.of("order" + i);
        commands.add(Command.write("SET", key, key, CommandTokens.of(i)));
        commands.add(Command.read("GET", key, key));
      }
      List<Reply> replies = link.send(commands);
      for (int i = 0; i < 100; i++) {
        assertThat(replies.get(2 * i + 1)).isInstanceOf(Reply.Bytes.class);
        byte[] value = ((Reply.Bytes) replies.get(2 * i + 1)).value();
        assertThat(Arrays.equals(value, CommandTokens.of(i))).as("reply %d", i).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLinkToAClusterIsClosedWithoutAWarning(LinkKind kind) {
    List<String> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("io.lettuce.core.RedisChannelHandler");
    logger.setFilter(record -> !logged.add(record.getMessage()));
    try (RedisLink link = kind.toCluster(TestCluster.shared())) {
      assertThat(link.send(List.of(Command.read("GET", KEY, KEY)))).hasSize(1);
    }
    logger.setFilter(null);
    assertThat(logged).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aLinkWithoutAServerSaysThatNothingWasSentOnceItKnows(LinkKind kind) throws Exception {
    try (TestServer server = TestServer.withOptions();
        RedisLink link = kind.to(server.uri())) {
      Command command = Command.write("INCR", KEY, KEY);
      assertThat(link.send(List.of(command))).containsExactly(new Reply.Whole(1));
      server.kill();
      Reply reply = link.send(List.of(command)).get(0);
      while (reply instanceof Reply.Missing missing && missing.mayHaveRun()) {
        reply = link.send(List.of(command)).get(0);
      }
      assertThat(reply).isInstanceOf(Reply.Missing.class);

      server.start();
      reply = link.send(List.of(command)).get(0);
      while (reply instanceof Reply.Missing) {
        reply = link.send(List.of(command)).get(0);
      }
      assertThat(reply).isEqualTo(new Reply.Whole(1)); // the server came back empty
    }
  }
}
