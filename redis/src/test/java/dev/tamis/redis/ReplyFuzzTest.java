package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.filter.LineRanges;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.HashFunction;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Any replies of a server are answers, or refused with an exception of this package.
 *
 * <p>The first byte of an input chooses layout, shards and kind of filter, each other one a reply;
 * at their end all replies are those of an empty filter.
 */
class ReplyFuzzTest {

  /** More than any call here needs, so an endless retry is found. */
  private static final int MAX_COMMANDS = 20_000;

  private static final String NAME = "f";
  private static final long[] HASHES = {1, 2, -3, Long.MIN_VALUE, 1L << 40};
  private static final long EPOCH = 0x0123_4567_89AB_CDEFL;

  @FuzzTest(maxDuration = "10m")
  void anyRepliesAreAnswersOrRefused(byte[] bytes) {
    if (bytes.length > 0) {
      InputBudget.check(bytes.length + MAX_COMMANDS, () -> check(bytes));
    }
  }

  private static void check(byte[] bytes) {
    boolean isWindow = (bytes[0] & 1) != 0;
    Layout[] layouts = Layout.values();
    Layout layout = isWindow ? Layout.CLASSIC : layouts[(bytes[0] >>> 2 & 31) % layouts.length];
    Script link = new Script(bytes, header(layout, (bytes[0] & 2) == 0, isWindow));
    try {
      if (isWindow) {
        useWindow(TestFilters.openWindow(link, NAME));
      } else {
        useFilter(TestFilters.open(link, NAME));
      }
    } catch (RedisFilterException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  private static Header header(Layout layout, boolean isOneShard, boolean isWindow) {
    Sizing sizing = Sizing.builder().expectedKeys(4_000).fpp(0.1).layout(layout).solve();
    int shards = isOneShard ? 1 : Shards.countFor(sizing.shape(), 1, 1_000);
    return new Header(
        HashFunction.xxh3(3).id(),
        sizing,
        shards,
        0,
        EPOCH,
        isWindow ? new Rotation(3, 3_000) : null);
  }

  private static void useFilter(RedisBloomFilter<Long> filter) {
    attempt(() -> filter.putHashes(HASHES, HASHES.length, new boolean[HASHES.length]));
    attempt(() -> filter.mightContainHashes(HASHES, HASHES.length, new boolean[HASHES.length]));
    attempt(() -> assertThat(filter.putHash(7)).isIn(true, false));
    attempt(() -> assertThat(filter.expectedFpp()).isBetween(0.0, 1.0));
    attempt(() -> assertThat(filter.approximateElementCount().low()).isNotNegative());
    assertThat(filter.acceptedKeys()).isNotNegative();
    assertThat(filter.expectedWrongDrops()).isNotNegative();
  }

  private static void useWindow(RedisWindowedBloomFilter<Long> filter) {
    attempt(() -> filter.putHashes(HASHES, HASHES.length, new boolean[HASHES.length]));
    attempt(() -> filter.mightContainHashes(HASHES, HASHES.length, new boolean[HASHES.length]));
    attempt(() -> assertThat(filter.putHash(7)).isIn(true, false));
    attempt(() -> assertThat(filter.expectedFpp()).isBetween(0.0, 1.0));
    attempt(() -> assertThat(filter.approximateElementCount().low()).isNotNegative());
    assertThat(filter.acceptedKeys()).isNotNegative();
  }

  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (RedisFilterException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  /** A link that replies as the bytes say. */
  private static final class Script implements RedisLink {
    private final ByteBuffer bytes;
    private final Header header;
    private int commands;

    Script(byte[] bytes, Header header) {
      this.bytes = ByteBuffer.wrap(bytes).position(1);
      this.header = header;
    }

    @Override
    public List<Reply> send(List<Command> sent) {
      commands += sent.size();
      assertThat(commands).as("commands sent").isLessThan(MAX_COMMANDS);
      List<Reply> replies = new ArrayList<>();
      for (Command command : sent) {
        replies.add(reply(command));
      }
      return replies;
    }

    private Reply reply(Command command) {
      int what = bytes.hasRemaining() ? bytes.get() & 0xff : 0xff;
      return switch (what) {
        case 0 -> new Reply.Bytes(null);
        case 1 -> new Reply.Bytes(next(8));
        case 2 -> new Reply.Bytes(next(64));
        case 3 -> new Reply.Bytes(next(200));
        case 4 -> new Reply.Whole(number());
        case 5 -> new Reply.Whole(-1);
        case 6 -> new Reply.Numbers(List.of());
        case 7 -> new Reply.Numbers(List.of(number(), number(), number()));
        case 8 -> new Reply.Numbers(Collections.nCopies((int) (number() & 0xff), number()));
        case 9 -> bits(command, number(), number());
        case 10 -> new Reply.Refusal(new String(next(8), UTF_8));
        case 11 -> new Reply.Refusal("ERR no such key");
        case 12 -> new Reply.Missing(false, new SocketException("cut"));
        case 13 -> new Reply.Missing(true, new SocketException("cut"));
        case 14 -> new Reply.Bytes(changed(header(command)));
        case 15 -> new Reply.Bytes(replaced(command));
        default -> expected(command);
      };
    }

    private byte[] next(int length) {
      byte[] next = new byte[Math.min(length, bytes.remaining())];
      bytes.get(next);
      return next;
    }

    private long number() {
      byte[] next = new byte[Long.BYTES];
      byte[] found = next(Long.BYTES);
      System.arraycopy(found, 0, next, Long.BYTES - found.length, found.length);
      return ByteBuffer.wrap(next).getLong();
    }

    private byte[] changed(byte[] header) {
      byte[] where = next(2);
      if (where.length == 2 && header.length > 0) {
        header[(where[0] & 0xff) % header.length] = where[1];
      }
      return header;
    }

    /** Returns the header of another epoch, of the same family or not. */
    private byte[] replaced(Command command) {
      long epoch = EPOCH ^ number();
      Header other =
          new Header(
              header.hashId(), header.sizing(), header.shards(), 0, epoch, header.rotation());
      return other.withShard(shard(command)).bytes();
    }

    private int shard(Command command) {
      Shards shards = Shards.live(header.sizing().shape(), liveName(), header.shards());
      for (int i = 0; i < shards.count(); i++) {
        if (Arrays.equals(shards.key(i), command.key())) {
          return i;
        }
      }
      return -1;
    }

    private String liveName() {
      return header.rotation() == null ? NAME : NAME + ShardStore.WINDOW;
    }

    private byte[] header(Command command) {
      int shard = shard(command);
      return shard < 0 ? new byte[0] : header.withShard(shard).bytes();
    }

    private Reply expected(Command command) {
      return switch (command.name()) {
        case "GETRANGE" -> {
          String from = new String(command.arguments()[1], UTF_8);
          boolean isEnd = Arrays.equals(command.arguments()[1], command.arguments()[2]);
          byte[] other = isEnd ? new byte[] {Header.END} : new byte[LineRanges.LINE_BYTES];
          yield new Reply.Bytes(from.equals("0") ? header(command) : other);
        }
        case "BITFIELD", "BITFIELD_RO" ->
            bits(command, header.withShard(Math.max(0, shard(command))).stamp(), 0);
        case "EVAL" -> new Reply.Numbers(List.of(1L, 0L, 0L));
        default -> new Reply.Whole(0);
      };
    }

    private Reply bits(Command command, long stamp, long bit) {
      long operations = 0;
      for (byte[] word : command.arguments()) {
        String text = new String(word, UTF_8);
        operations += text.equals("GET") || text.equals("SET") ? 1 : 0;
      }
      List<Long> numbers = new ArrayList<>(Collections.nCopies((int) operations, bit));
      if (!numbers.isEmpty()) {
        numbers.set(0, stamp);
        numbers.set(numbers.size() - 1, 1L); // the end, where it is read
      }
      return new Reply.Numbers(numbers);
    }

    @Override
    public void close() {}
  }
}
