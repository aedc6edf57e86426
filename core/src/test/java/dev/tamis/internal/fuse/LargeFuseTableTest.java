package dev.tamis.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.sizing.FuseSizing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fuse table past 2³¹ slots: where an int somewhere in between would show. */
@Tag("thorough")
class LargeFuseTableTest {

  private static final int KEYS = 2_000_000;
  private static final int QUERIES = 2_000_000;

  @Test
  void usesAllOfThreeBillionSlots() {
    FuseSizing sizing = new FuseSizing(3, 1 << 18, 10, 1 << 10);
    assertThat(sizing.slots()).isGreaterThan(3_000_000_000L);
    HashCollector collector = new HashCollector();
    Keys.hashes(1, KEYS).forEach(collector::put);

    FuseTable table = FuseTable.build(collector.sorted(1), sizing, 2, 2);

    assertThat(table.sizing()).isEqualTo(sizing);
    assertThat(Keys.hashes(1, KEYS).allMatch(table::mightContain)).isTrue();
    // the slots are nearly empty: an absent key meets three zeros, and is found if its fingerprint
    // is zero
    double wrong = (double) Keys.hashes(2, QUERIES).filter(table::mightContain).count();
    assertThat(wrong / QUERIES).isCloseTo(0.25, within(0.002));
    PackedSlots slots = table.slots();
    long past = 0;
    for (long slot = 1L << 31; slot < slots.slots(); slot += 1) {
      past += slots.get(slot) == 0 ? 0 : 1;
    }
    // a key sets one slot of its own, in three cases of four to something that is not zero
    double share = 1 - (double) (1L << 31) / sizing.slots();
    assertThat((double) past).isCloseTo(0.75 * KEYS * share, within(0.01 * KEYS));
  }
}
