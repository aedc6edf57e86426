package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tamis.format.FormatException;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.RoutingTable.LinkState;
import dev.tamis.tools.network.RoutingTable.Receipt;
import dev.tamis.tools.network.RoutingTable.Route;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoutingTableTest {

  @Test
  void asksTheLinkWhoseNeighbourHasTheKey() throws FormatException {
    var table = table(1);
    teach(table, "north", node(1, 10L));
    teach(table, "south", node(1, 20L));
    assertThat(table.linksFor(10L)).containsExactly(new Route<>("north", 1));
    assertThat(table.linksFor(20L)).containsExactly(new Route<>("south", 1));
    assertThat(table.linksFor(30L)).isEmpty();
  }

  @Test
  void asksTheNearestFirstAndThenInTheOrderOfTheLinks() throws FormatException {
    var table = table(3);
    teach(table, "two away", behind(node(3, 7L)));
    teach(table, "next, first", node(3, 7L));
    teach(table, "three away", behind(behind(node(3, 7L))));
    teach(table, "next, second", node(3, 7L));
    teach(table, "too far", behind(behind(behind(node(3, 7L)))));
    assertThat(table.linksFor(7L))
        .containsExactly(
            new Route<>("next, first", 1),
            new Route<>("next, second", 1),
            new Route<>("two away", 2),
            new Route<>("three away", 3));
  }

  @Test
  void keysOfAllOtherLinksAreToldOnwardOneHopFurther() throws FormatException {
    var hub = table(2);
    hub.publish(1L);
    teach(hub, "a", node(2, 10L));
    teach(hub, "b", node(2, 20L));
    hub.connect("c");
    var c = table(2);
    c.connect("hub");
    assertThat(c.receive("hub", hub.updateFor("c").orElseThrow())).isEqualTo(Receipt.APPLIED);
    assertThat(c.linksFor(1L)).containsExactly(new Route<>("hub", 1));
    assertThat(c.linksFor(10L)).containsExactly(new Route<>("hub", 2));
    assertThat(c.linksFor(20L)).containsExactly(new Route<>("hub", 2));
  }

  @Test
  void whatALinkTaughtIsNotToldBackToIt() throws FormatException {
    var hub = table(2);
    teach(hub, "a", node(2, 10L));
    teach(hub, "b", node(2, 20L));
    var a = table(2);
    a.connect("hub");
    a.receive("hub", hub.updateFor("a").orElseThrow());
    assertThat(a.linksFor(20L)).containsExactly(new Route<>("hub", 2));
    assertThat(a.linksFor(10L)).isEmpty();
  }

  @Test
  void aPatchHasOnlyTheWordsThatChanged() throws FormatException {
    var sender = table(1);
    sender.connect("to");
    LongStream.range(0, 500).forEach(sender::publish);
    byte[] reset = sender.updateFor("to").orElseThrow();
    assertThat(sender.updateFor("to")).isEmpty();
    sender.publish(1_000L);
    sender.withdraw(3L);
    byte[] patch = sender.updateFor("to").orElseThrow();
    assertThat(patch).hasSizeLessThan(reset.length / 4);

    var receiver = table(1);
    receiver.connect("from");
    assertThat(receiver.receive("from", reset)).isEqualTo(Receipt.APPLIED);
    assertThat(receiver.linksFor(1_000L)).isEmpty();
    assertThat(receiver.linksFor(3L)).hasSize(1);
    assertThat(receiver.receive("from", patch)).isEqualTo(Receipt.APPLIED);
    assertThat(receiver.linksFor(1_000L)).hasSize(1);
    assertThat(receiver.linksFor(3L)).isEmpty();
  }

  @Test
  void aTableThatChangedAllOverIsSentWhole() throws FormatException {
    var sender = table(1);
    sender.connect("to");
    int reset = sender.updateFor("to").orElseThrow().length;
    LongStream.range(0, 1_000).forEach(sender::publish);
    assertThat(sender.updateFor("to").orElseThrow()).hasSize(reset);
  }

  @Test
  void aLostPatchIsNoticedAndAResetMendsIt() throws FormatException {
    var sender = table(1);
    var receiver = table(1);
    sender.connect("to");
    receiver.connect("from");
    receiver.receive("from", sender.updateFor("to").orElseThrow());
    sender.publish(1L);
    assertThat(sender.updateFor("to")).as("lost").isPresent();
    sender.publish(2L);
    byte[] next = sender.updateFor("to").orElseThrow();
    assertThat(receiver.receive("from", next)).isEqualTo(Receipt.RESET_NEEDED);
    assertThat(receiver.state("from").current()).isFalse();
    assertThat(receiver.linksFor(2L)).isEmpty();
    sender.publish(3L);
    assertThat(receiver.receive("from", sender.updateFor("to").orElseThrow()))
        .isEqualTo(Receipt.RESET_NEEDED);
    assertThat(receiver.receive("from", sender.resetFor("to"))).isEqualTo(Receipt.APPLIED);
    assertThat(receiver.state("from").current()).isTrue();
    assertThat(LongStream.rangeClosed(1, 3)).allMatch(key -> receiver.linksFor(key).size() == 1);
    sender.publish(4L);
    assertThat(receiver.receive("from", sender.updateFor("to").orElseThrow()))
        .isEqualTo(Receipt.APPLIED);
  }

  @Test
  void aPatchThatComesTwiceIsTakenOnce() throws FormatException {
    var sender = table(1);
    var receiver = table(1);
    sender.connect("to");
    receiver.connect("from");
    receiver.receive("from", sender.updateFor("to").orElseThrow());
    sender.publish(1L);
    byte[] patch = sender.updateFor("to").orElseThrow();
    assertThat(receiver.receive("from", patch)).isEqualTo(Receipt.APPLIED);
    assertThat(receiver.receive("from", patch)).isEqualTo(Receipt.REPEATED);
    assertThat(receiver.state("from").current()).isTrue();
  }

  @Test
  void aPatchBeforeAnyResetAsksForOne() throws FormatException {
    var sender = table(1);
    var receiver = table(1);
    sender.connect("to");
    receiver.connect("from");
    assertThat(sender.updateFor("to")).as("never arrives").isPresent();
    sender.publish(1L);
    assertThat(receiver.receive("from", sender.updateFor("to").orElseThrow()))
        .isEqualTo(Receipt.RESET_NEEDED);
    assertThat(receiver.state("from")).isEqualTo(new LinkState(false, false, List.of()));
  }

  @Test
  void aPatchForAnotherTableOfTheSameNumberAsksForAReset() throws FormatException {
    var receiver = table(1);
    receiver.connect("from");
    var other = node(1, 5L);
    other.connect("to");
    receiver.receive("from", other.updateFor("to").orElseThrow());
    var sender = node(1, 6L);
    sender.connect("to");
    assertThat(sender.updateFor("to")).isPresent();
    sender.publish(1L);
    assertThat(receiver.receive("from", sender.updateFor("to").orElseThrow()))
        .isEqualTo(Receipt.RESET_NEEDED);
    assertThat(receiver.linksFor(5L)).as("the old table answers still").hasSize(1);
  }

  @Test
  void aNodeThatStartsAnewTeachesAnew() throws FormatException {
    var receiver = table(1);
    receiver.connect("from");
    var first = node(1, 1L);
    first.connect("to");
    for (int i = 0; i < 5; i++) {
      receiver.receive("from", first.resetFor("to"));
    }
    var restarted = node(1, 2L);
    restarted.connect("to");
    assertThat(receiver.receive("from", restarted.updateFor("to").orElseThrow()))
        .isEqualTo(Receipt.APPLIED);
    assertThat(receiver.linksFor(2L)).hasSize(1);
    assertThat(receiver.linksFor(1L)).isEmpty();
  }

  @Test
  void manySmallChangesEndWhereAResetEnds() throws FormatException {
    var sender = table(2);
    var patched = table(2);
    sender.connect("to");
    patched.connect("from");
    var random = new SplittableRandom(9);
    for (int round = 0; round < 200; round++) {
      long key = random.nextLong(400);
      sender.publish(key);
      sender.withdraw(random.nextLong(400));
      var update = sender.updateFor("to");
      if (update.isPresent()) {
        assertThat(patched.receive("from", update.get())).isEqualTo(Receipt.APPLIED);
      }
    }
    var whole = table(2);
    whole.connect("from");
    whole.receive("from", sender.resetFor("to"));
    assertThat(LongStream.range(0, 100_000))
        .allMatch(key -> whole.linksFor(key).equals(patched.linksFor(key)));
  }

  @Test
  void wrongLinksAreAskedAsOftenAsTheFppSays() throws FormatException {
    double fpp = 0.02;
    var table = table(1_000, fpp, 1);
    for (int link = 0; link < 10; link++) {
      int from = link * 1_000;
      var node = table(1_000, fpp, 1);
      LongStream.range(from, from + 1_000).forEach(node::publish);
      teach(table, "link " + link, node);
    }
    for (long key = 0; key < 40_000; key++) {
      List<String> asked = table.linksFor(key).stream().map(Route::link).toList();
      for (int link = 0; link < 10; link++) {
        boolean hasIt = key / 1_000 == link;
        if (asked.contains("link " + link)) {
          table.confirmAsked("link " + link, hasIt);
        } else {
          table.confirmSkipped("link " + link, hasIt);
        }
      }
    }
    GuessTable guesses = table.guesses();
    assertThat(guesses.falseMisses()).isZero();
    assertThat(guesses.trueHits()).isEqualTo(10_000);
    assertThat(guesses.guesses()).isEqualTo(400_000);
    double expected =
        table.links().stream()
            .mapToDouble(l -> table.state(l).expectedFpps().get(0))
            .average()
            .orElseThrow();
    double asked = 390_000;
    // ten filters of one kind each have a part of their own luck: a tenth of the fpp covers it
    assertThat(guesses.falseHitRate().orElseThrow())
        .isBetween(
            expected * 0.9 - 5 * Math.sqrt(expected / asked),
            expected * 1.1 + 5 * Math.sqrt(expected / asked));
    assertThat(table.guesses("link 3").trueHits()).isEqualTo(1_000);
  }

  @Test
  void aLinkThatIsGoneIsNotAskedAndNotToldOnward() throws FormatException {
    var table = table(2);
    teach(table, "a", node(2, 10L));
    table.connect("b");
    assertThat(table.disconnect("a")).isTrue();
    assertThat(table.disconnect("a")).isFalse();
    assertThat(table.linksFor(10L)).isEmpty();
    var b = table(2);
    b.connect("hub");
    b.receive("hub", table.updateFor("b").orElseThrow());
    assertThat(b.linksFor(10L)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.updateFor("a"))
        .withMessage("no such link: a; connect it first");
  }

  @Test
  void threadsTeachAndAskAtOnce() {
    var table = table(1);
    byte[][] updates = new byte[8][];
    for (int i = 0; i < 8; i++) {
      var node = node(1, (long) i);
      node.connect("to");
      updates[i] = node.resetFor("to");
      table.connect("link " + i);
    }
    IntStream.range(0, 4_000)
        .parallel()
        .forEach(
            i -> {
              int link = i % 8;
              try {
                table.receive("link " + link, updates[link]);
              } catch (FormatException e) {
                throw new AssertionError(e);
              }
              assertThat(table.linksFor((long) link)).contains(new Route<>("link " + link, 1));
            });
  }

  @Test
  void nodesOfAnotherKeyOrSizeAreRefused() {
    var table = table(1);
    table.connect("from");
    var larger = table(2_000_000, 0.001, 1);
    larger.connect("to");
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> table.receive("from", larger.resetFor("to")))
        .withMessageContaining("bytes of a filter");
    var keyed =
        RoutingTable.<String, Long>builder(KeyHasher.longs().keyedBy(HashKey.of(new byte[16])))
            .expectedKeys(1_000)
            .fpp(0.000_001)
            .build();
    keyed.connect("to");
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> table.receive("from", keyed.resetFor("to")))
        .withMessageContaining("hash");
    assertThat(table.state("from").taught()).isFalse();
  }

  @Test
  void refusesSettingsThatAreWrongOrTooFew() {
    var builder = RoutingTable.<String, Long>builder(KeyHasher.longs());
    assertThatIllegalArgumentException().isThrownBy(() -> builder.hops(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.hops(9));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.expectedKeys(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.fpp(0));
    assertThatIllegalStateException().isThrownBy(builder::build);
    assertThat(builder.hops(8).expectedKeys(1).fpp(0.5).build().hops()).isEqualTo(8);
  }

  private static RoutingTable<String, Long> table(int hops) {
    return table(1_000, 0.000_001, hops);
  }

  private static RoutingTable<String, Long> table(long keys, double fpp, int hops) {
    return RoutingTable.<String, Long>builder(KeyHasher.longs())
        .expectedKeys(keys)
        .fpp(fpp)
        .hops(hops)
        .build();
  }

  private static RoutingTable<String, Long> node(int hops, long key) {
    var node = table(hops);
    node.publish(key);
    return node;
  }

  /** Returns a node without keys that has {@code node} as its neighbour. */
  private static RoutingTable<String, Long> behind(RoutingTable<String, Long> node)
      throws FormatException {
    var before = table(node.hops());
    teach(before, "behind", node);
    return before;
  }

  private static void teach(
      RoutingTable<String, Long> table, String link, RoutingTable<String, Long> neighbour)
      throws FormatException {
    neighbour.connect("asker");
    table.connect(link);
    assertThat(table.receive(link, neighbour.updateFor("asker").orElseThrow()))
        .isEqualTo(Receipt.APPLIED);
  }
}
