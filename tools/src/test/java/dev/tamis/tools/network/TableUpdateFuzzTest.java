package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.format.FormatException;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.RoutingTable.Receipt;
import dev.tamis.tools.network.RoutingTable.Route;

/** Any bytes are an update or are refused, and the table goes on. */
class TableUpdateFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreTakenOrRefused(byte[] bytes) throws FormatException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws FormatException {
    var sender = table();
    var table = table();
    sender.connect("to");
    table.connect("from");
    sender.publish(1L);
    table.receive("from", sender.updateFor("to").orElseThrow());
    offer(table, bytes);
    if (bytes.length >= TableUpdate.CHECKSUM_BYTES) {
      offer(table, Sealed.seal(bytes));
    }
    assertThat(table.linksFor(1L).size() + table.linksFor(2L).size()).isBetween(0, 2);
    assertThat(table.receive("from", sender.resetFor("to"))).isEqualTo(Receipt.APPLIED);
    assertThat(table.linksFor(1L)).containsExactly(new Route<>("from", 1));
  }

  private static void offer(RoutingTable<String, Long> table, byte[] bytes) {
    try {
      assertThat(table.receive("from", bytes)).isNotNull();
    } catch (FormatException e) {
      assertThat(e).hasMessageContaining("not a valid table update: ");
    }
  }

  private static RoutingTable<String, Long> table() {
    return RoutingTable.<String, Long>builder(KeyHasher.longs())
        .expectedKeys(10)
        .fpp(0.01)
        .hops(2)
        .build();
  }
}
