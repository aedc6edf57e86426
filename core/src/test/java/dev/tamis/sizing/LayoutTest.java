package dev.tamis.sizing;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a layout is called and numbered, which is in files permanently, and which is the default.
 */
class LayoutTest {

  /** The numbers are those of docs/format.md; none of them may ever change. */
  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 1, classic, 1, 32, 1",
    "PARTITIONED, 2, partitioned, 1, 32, 1",
    "LINE, 3, line, 1, 16, 1",
    "SPLIT, 4, split, 8, 16, 8",
    "SPLIT_PAIR, 6, split-pair, 16, 32, 16",
  })
  void idsLabelsAndHashesAreFrozen(
      Layout layout, int id, String label, int minHashes, int maxHashes, int hashStep) {
    assertThat(layout.id()).isEqualTo(id);
    assertThat(Layout.ofId(id)).isSameAs(layout);
    assertThat(layout.label()).isEqualTo(label);
    assertThat(layout.minHashes()).isEqualTo(minHashes);
    assertThat(layout.maxHashes()).isEqualTo(maxHashes);
    assertThat(layout.hashStep()).isEqualTo(hashStep);
  }

  @Test
  void thereAreNoOthers() {
    assertThat(Layout.values()).hasSize(5);
  }

  @Test
  void limitsAreThoseOfTheFormat() {
    assertThat(Layout.MAX_BITS).isEqualTo(17_592_186_044_416L);
    assertThat(Layout.MAX_HASHES).isEqualTo(32);
    assertThat(Layout.LINE_BITS).isEqualTo(512);
    assertThat(Layout.MAX_BITS % Layout.LINE_BITS).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 5, 7, 65_536, Integer.MAX_VALUE})
  void unknownIdIsRefusedWithTheRange(int id) {
    refusesSaying("layout must be one of [1, 2, 3, 4, 6], got " + id, () -> Layout.ofId(id));
  }

  @Test
  void defaultIsALineFromThreePerCentUp() {
    assertThat(Layout.forFpp(Math.nextDown(1.0))).isSameAs(Layout.LINE);
    assertThat(Layout.forFpp(Math.nextUp(0.03))).isSameAs(Layout.LINE);
    assertThat(Layout.forFpp(0.03)).isSameAs(Layout.LINE);
    assertThat(Layout.forFpp(Math.nextDown(0.03))).isSameAs(Layout.SPLIT);
  }

  @Test
  void defaultIsSplitDownToATenThousandth() {
    assertThat(Layout.forFpp(0.01)).isSameAs(Layout.SPLIT);
    assertThat(Layout.forFpp(Math.nextUp(1e-4))).isSameAs(Layout.SPLIT);
    assertThat(Layout.forFpp(1e-4)).isSameAs(Layout.SPLIT);
    assertThat(Layout.forFpp(Math.nextDown(1e-4))).isSameAs(Layout.SPLIT_PAIR);
    assertThat(Layout.forFpp(Double.MIN_VALUE)).isSameAs(Layout.SPLIT_PAIR);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, 1, -0.5, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void defaultForWhatIsNoProbabilityIsRefused(double fpp) {
    refusesSaying("fpp must be in (0, 1), got " + FppText.exact(fpp), () -> Layout.forFpp(fpp));
  }

  @ParameterizedTest
  @EnumSource
  void blockedOnesComeInWholeLines(Layout layout) {
    boolean blocked = layout.label().matches("line|split|split-pair");
    assertThat(layout.isBlocked()).isEqualTo(blocked);
    for (int k = layout.minHashes(); k <= layout.maxHashes(); k += layout.hashStep()) {
      long unit = layout == Layout.PARTITIONED ? k : 1;
      assertThat(layout.granularity(k)).isEqualTo(blocked ? 512 : unit);
    }
  }
}
