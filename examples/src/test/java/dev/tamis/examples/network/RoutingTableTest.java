package dev.tamis.examples.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tamis.examples.network.RoutingTable.Route;
import dev.tamis.format.FormatException;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoutingTableTest {

  @Test
  void findsTheNearestLinksFirstAndThenInTheOrderOfTheLinks() throws FormatException {
    var table = table(3);
    learn(table, "two away", behind(node(3, 7L)));
    learn(table, "next, first", node(3, 7L));
    learn(table, "three away", behind(behind(node(3, 7L))));
    learn(table, "next, second", node(3, 7L));
    learn(table, "too far", behind(behind(behind(node(3, 7L)))));
    learn(table, "elsewhere", node(3, 8L));
    assertThat(table.linksFor(7L))
        .containsExactly(
            new Route<>("next, first", 1),
            new Route<>("next, second", 1),
            new Route<>("two away", 2),
            new Route<>("three away", 3));
    assertThat(table.linksFor(9L)).isEmpty();
  }

  @Test
  void keysOfOtherLinksAreAdvertisedOneHopFartherButNotBack() throws FormatException {
    var hub = node(2, 1L);
    learn(hub, "a", node(2, 10L));
    learn(hub, "b", node(2, 20L));
    hub.connect("c");
    var a = listener(hub, "a");
    assertThat(a.linksFor(1L)).containsExactly(new Route<>("hub", 1));
    assertThat(a.linksFor(20L)).containsExactly(new Route<>("hub", 2));
    assertThat(a.linksFor(10L)).isEmpty();
    hub.disconnect("a");
    var c = listener(hub, "c");
    assertThat(c.linksFor(20L)).containsExactly(new Route<>("hub", 2));
    assertThat(c.linksFor(10L)).isEmpty();
    assertThat(hub.linksFor(10L)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hub.updateFor("a"))
        .withMessage("no such link: a; connect it first");
  }

  @Test
  void anUpdateReplacesTheTableSoALostOneIsRepairedByTheNext() throws FormatException {
    var sender = node(1, 1L);
    var receiver = listener(sender, "to");
    assertThat(sender.updateFor("to")).as("nothing changed").isEmpty();
    sender.publish(2L);
    assertThat(sender.updateFor("to")).as("lost").isPresent();
    sender.publish(3L);
    sender.withdraw(1L);
    receiver.receive("hub", sender.updateFor("to").orElseThrow());
    assertThat(LongStream.rangeClosed(1, 3).filter(k -> !receiver.linksFor(k).isEmpty()))
        .containsExactly(2L, 3L);
  }

  @Test
  void damagedUpdatesAndThoseOfOtherSettingsChangeNothing() throws FormatException {
    var sender = node(2, 1L);
    var receiver = listener(sender, "to");
    sender.publish(2L);
    byte[] update = sender.updateFor("to").orElseThrow();
    for (int i = 0; i < update.length; i += 7) {
      byte[] flipped = update.clone();
      flipped[i] ^= 1;
      assertRejected(receiver, flipped);
      assertRejected(receiver, Arrays.copyOf(update, i));
    }
    assertRejected(receiver, Arrays.copyOf(update, update.length + 1));
    var keyed =
        new RoutingTable<String, Long>(
            KeyHasher.longs().keyedBy(HashKey.of(new byte[16])), 2, 1_000, 1e-6);
    keyed.connect("to");
    assertRejected(receiver, keyed.updateFor("to").orElseThrow());
    assertThat(receiver.linksFor(1L)).hasSize(1);
    assertThat(receiver.linksFor(2L)).isEmpty();
  }

  private static void assertRejected(RoutingTable<String, Long> receiver, byte[] update) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> receiver.receive("hub", update));
  }

  private static RoutingTable<String, Long> table(int hops) {
    return new RoutingTable<>(KeyHasher.longs(), hops, 1_000, 1e-6);
  }

  private static RoutingTable<String, Long> node(int hops, long key) {
    var node = table(hops);
    node.publish(key);
    return node;
  }

  /** Returns a node without keys that has {@code node}, of three hops, as its neighbour. */
  private static RoutingTable<String, Long> behind(RoutingTable<String, Long> node)
      throws FormatException {
    var before = table(3);
    learn(before, "behind", node);
    return before;
  }

  private static RoutingTable<String, Long> listener(RoutingTable<String, Long> hub, String link)
      throws FormatException {
    hub.connect(link);
    var listener = table(hub.hops());
    listener.connect("hub");
    listener.receive("hub", hub.updateFor(link).orElseThrow());
    return listener;
  }

  private static void learn(
      RoutingTable<String, Long> table, String link, RoutingTable<String, Long> neighbour)
      throws FormatException {
    neighbour.connect("asker");
    table.connect(link);
    table.receive(link, neighbour.updateFor("asker").orElseThrow());
  }
}
