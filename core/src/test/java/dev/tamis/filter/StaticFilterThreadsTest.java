package dev.tamis.filter;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FuseSizing;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Static filters by several threads, with as many keys as it takes for them to share the work. */
class StaticFilterThreadsTest {

  private static final long KEYS = 2 * FuseSizing.MIN_SHARD_KEYS;

  static Stream<StaticFilterBuilder<Long, ?, ?>> builders() {
    return Stream.of(
        FuseFilter.<Long>builder(KeyHasher.longs()).fpp(0.01),
        RibbonFilter.<Long>builder(KeyHasher.longs()).fpp(0.01));
  }

  @ParameterizedTest
  @MethodSource("builders")
  void theFilterIsTheSameByHoweverManyThreads(StaticFilterBuilder<Long, ?, ?> builder) {
    Keys.hashes(1, KEYS).forEach(builder::putHash);
    var byOne = builder.threads(1).build();
    assertThat(Keys.hashes(1, KEYS).allMatch(byOne::mightContainHash)).isTrue();
    for (int threads : new int[] {3, 8}) {
      assertThat(builder.threads(threads).build()).isEqualTo(byOne);
    }
  }

  @Test
  void thereIsAtLeastOneThread() {
    refusesSaying(
        "threads must be at least 1, got 0",
        () -> RibbonFilter.<Long>builder(KeyHasher.longs()).threads(0));
  }
}
