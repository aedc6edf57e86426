package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations of many commands are interrupted at each of them; then another client follows. */
class InterruptionTest {

  private static final int KEYS = 20;

  private static final JedisLink LINK = TestServer.sharedLink();

  private static RedisBloomFilterBuilder<Long> builder(RedisLink by, String name) {
    return RedisBloomFilter.<Long>builder(by, name, KeyHasher.longs())
        .layout(Layout.SPLIT) // that of local()
        .expectedKeys(1_000)
        .fpp(0.01)
        .shardBytes(512);
  }

  private static RedisBloomFilter<Long> open(RedisLink by, String name) {
    return TestFilters.open(by, name);
  }

  private static void fill(RedisBloomFilter<Long> filter, long stream) {
    filter.putHashes(Keys.hashes(stream, KEYS).toArray(), KEYS, new boolean[KEYS]);
  }

  private static BloomFilter<Long> local(long... streams) {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    for (long stream : streams) {
      Keys.hashes(stream, KEYS).forEach(filter::putHash);
    }
    return filter;
  }

  /** Runs the attempt once for each command that it sends, interrupted there, then checks. */
  private static void atEachCommand(
      Break how, Consumer<String> before, Attempt attempt, Look look) {
    for (int commands = 0; ; commands++) {
      String name = TestServer.newName();
      before.accept(name);
      BreakingLink breaking = new BreakingLink(LINK);
      Optional<Throwable> failure = attempt.run(breaking, name, commands);
      if (!breaking.isBroken()) {
        assertThat(failure).isEmpty();
        assertThat(commands).isGreaterThan(10);
        return;
      }
      look.at(name, failure);
      if (how.recovers) {
        assertThat(server("KEYS", name + ":*:new:*")).isEqualTo(new Reply.Numbers(List.of()));
        assertThat(server("KEYS", name + ":*:in:*")).isEqualTo(new Reply.Numbers(List.of()));
      }
    }
  }

  private interface Attempt {
    Optional<Throwable> run(BreakingLink breaking, String name, int commands);
  }

  private interface Look {
    void at(String name, Optional<Throwable> failure);
  }

  private static Reply server(String command, String word) {
    return TestServer.shared().command(command, word);
  }

  /** Returns the exception, which must be a documented one. */
  private static Optional<Throwable> failure(Runnable work) {
    try {
      work.run();
      return Optional.empty();
    } catch (RedisUnavailableException | UncertainPutException | Killed e) {
      return Optional.of(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCreateThatIsBrokenOffLeavesNothingOrAWholeFilter(Break how) {
    atEachCommand(
        how,
        name -> {},
        (breaking, name, commands) -> {
          breaking.breakAfter(commands, how);
          return failure(() -> builder(breaking, name).create());
        },
        (name, failure) -> {
          if (server("EXISTS", Shards.keyOf(name, 0)).equals(new Reply.Whole(1))) {
            assertThat(open(LINK, name).toByteArray()).isEqualTo(local().toByteArray());
          }
          RedisBloomFilter<Long> next = builder(LINK, name).createOrOpen();
          assertThat(next.toByteArray()).isEqualTo(local().toByteArray());
          assertThat(next.put(1L)).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource
  void anUploadThatIsBrokenOffHarmsNothingAndCanBeRepeated(Break how) {
    byte[] before = local(1).toByteArray();
    byte[] after = local(1, 2).toByteArray();
    atEachCommand(
        how,
        name -> fill(builder(LINK, name).create(), 1),
        (breaking, name, commands) -> {
          RedisBloomFilter<Long> filter = open(breaking, name);
          breaking.breakAfter(commands, how);
          return failure(() -> filter.putAll(local(2)));
        },
        (name, failure) -> {
          RedisBloomFilter<Long> next = open(LINK, name);
          assertThat(Keys.hashes(1, KEYS)).allMatch(next::mightContainHash);
          if (failure.isEmpty()) {
            assertThat(next.toByteArray()).isEqualTo(after);
          } else if (failure.get() instanceof RedisUnavailableException) {
            assertThat(next.toByteArray()).isEqualTo(before);
          }
          next.putAll(local(2));
          assertThat(next.toByteArray()).isEqualTo(after);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aRebuildThatIsBrokenOffLeavesTheOldFilterOrTheNewOne(Break how) {
    byte[] before = local(1).toByteArray();
    byte[] after = local(2).toByteArray();
    atEachCommand(
        how,
        name -> fill(builder(LINK, name).create(), 1),
        (breaking, name, commands) -> {
          RedisBloomFilter<Long> old = open(breaking, name);
          breaking.breakAfter(commands, how);
          return failure(() -> rebuild(breaking, old));
        },
        (name, failure) -> {
          RedisBloomFilter<Long> next = open(LINK, name);
          byte[] found = next.toByteArray();
          assertThat(Arrays.equals(found, after) || Arrays.equals(found, before)).isTrue();
          if (failure.isEmpty()) {
            assertThat(found).isEqualTo(after);
          }
          rebuild(LINK, next);
          assertThat(open(LINK, name).toByteArray()).isEqualTo(after);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aFilterThatIsMadeFullIsNeverSeenHalfFull(Break how) {
    for (boolean damaged : new boolean[] {false, true}) {
      atEachCommand(
          how,
          name -> {
            if (damaged) {
              builder(LINK, name).create();
              server("UNLINK", Shards.keyOf(name, 1));
            }
          },
          (breaking, name, commands) -> {
            breaking.breakAfter(commands, how);
            return failure(() -> builder(breaking, name).createOrReplace(local(1)));
          },
          (name, failure) -> {
            try {
              assertThat(open(LINK, name).toByteArray()).isEqualTo(local(1).toByteArray());
            } catch (FilterLostException e) {
              assertThat(failure).isPresent();
            }
            builder(LINK, name).createOrReplace(local(2));
            assertThat(open(LINK, name).toByteArray()).isEqualTo(local(2).toByteArray());
          });
    }
  }

  private static void rebuild(RedisLink by, RedisBloomFilter<Long> old) {
    try (Rebuild<Long> rebuild = builder(by, old.name()).replace(old)) {
      fill(rebuild.filter(), 2);
      rebuild.swap();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LOSES_THE_REPLIES", "LOSES_THE_REQUESTS"})
  void aSwapThatHasFailedMayBeCalledAgain(Break how) {
    atEachCommand(
        how,
        name -> fill(builder(LINK, name).create(), 1),
        (breaking, name, commands) -> {
          RedisBloomFilter<Long> old = open(breaking, name);
          try (Rebuild<Long> rebuild = builder(breaking, name).replace(old)) {
            fill(rebuild.filter(), 2);
            breaking.breakAfter(commands, how);
            Optional<Throwable> failure = failure(rebuild::swap);
            if (failure.isPresent()) {
              rebuild.swap();
            }
            return failure;
          }
        },
        (name, failure) ->
            assertThat(open(LINK, name).toByteArray()).isEqualTo(local(2).toByteArray()));
  }

  /** What becomes of the call with the command that it breaks at, and of those after it. */
  enum Break {
    /** The process is killed before it sends the command. */
    DIES(false, false),
    /** The call reaches the server, its replies do not come, and the next call is fine. */
    LOSES_THE_REPLIES(true, true),
    /** The rest of the call does not reach the server, and the next call is fine. */
    LOSES_THE_REQUESTS(false, true),
    /** The command and all later ones do not reach the server. */
    IS_CUT_BEFORE(false, false),
    /** The command reaches the server, its reply does not come, and later ones do not reach it. */
    IS_CUT_AFTER(true, false);

    final boolean arrives;
    final boolean recovers;

    Break(boolean arrives, boolean recovers) {
      this.arrives = arrives;
      this.recovers = recovers;
    }
  }

  /** The end of a process, which only the test catches. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** A link that breaks at a given command; for one thread. */
  private static final class BreakingLink implements RedisLink {

    private final RedisLink link;
    private Break how = Break.LOSES_THE_REPLIES;
    private int commandsBefore = Integer.MAX_VALUE;
    private boolean isBroken;
    private boolean isDown;

    BreakingLink(RedisLink link) {
      this.link = link;
    }

    /** Breaks after this number of further commands. */
    void breakAfter(int commands, Break how) {
      this.commandsBefore = commands;
      this.how = how;
    }

    boolean isBroken() {
      return isBroken;
    }

    @Override
    public List<Reply> send(List<Command> commands) {
      if (isDown) {
        return lost(commands.size(), false);
      }
      if (isBroken || commands.size() <= commandsBefore) {
        commandsBefore -= isBroken ? 0 : commands.size();
        return link.send(commands);
      }
      isBroken = true;
      isDown = !how.recovers;
      int run =
          how.arrives ? (how.recovers ? commands.size() : commandsBefore + 1) : commandsBefore;
      List<Reply> replies = new ArrayList<>(link.send(commands.subList(0, run)));
      replies.subList(commandsBefore, run).clear();
      replies.addAll(lost(commands.size() - commandsBefore, true));
      return replies;
    }

    private List<Reply> lost(int count, boolean mayHaveRun) {
      if (how == Break.DIES) {
        throw new Killed();
      }
      List<Reply> replies = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        replies.add(new Reply.Missing(mayHaveRun, new SocketException("cut on purpose")));
      }
      return replies;
    }

    @Override
    public void close() {
      link.close();
    }
  }
}
