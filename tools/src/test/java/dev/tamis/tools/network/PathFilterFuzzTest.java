package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.network.PathFilter.Delivery;
import dev.tamis.tools.network.PathFilter.Visit;

/** Any bytes in a packet are answered, and changed only by a first visit. */
class PathFilterFuzzTest {

  private final PathFilter<Long> path =
      PathFilter.<Long>builder(KeyHasher.longs()).bits(64).hops(6).tables(4).build();

  @FuzzTest(maxDuration = "10m")
  void anyPacketIsAnswered(byte[] bytes) {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) {
    byte[] before = bytes.clone();
    Delivery delivery = path.look(bytes, 7L);
    Visit visit = path.visit(bytes, 7L);
    assertThat(delivery == Delivery.FORWARD).isEqualTo(visit == Visit.POSSIBLE_LOOP);
    assertThat(delivery == Delivery.MALFORMED).isEqualTo(visit == Visit.MALFORMED);
    assertThat(delivery == Delivery.OVERFULL).isEqualTo(visit == Visit.OVERFULL);
    if (visit == Visit.FIRST_VISIT) {
      assertThat(path.visit(bytes, 7L)).isEqualTo(Visit.POSSIBLE_LOOP);
    } else {
      assertThat(bytes).isEqualTo(before);
    }
    assertThat(path.expectedFpp(bytes)).isBetween(0.0, 1.0);
  }
}
