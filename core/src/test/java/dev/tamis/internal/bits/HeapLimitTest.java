package dev.tamis.internal.bits;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HeapLimitTest {

  private static final long HEAP = Runtime.getRuntime().maxMemory();

  @Test
  void letsPassWhatTheHeapCouldHold() {
    assertThatCode(() -> HeapLimit.check(0)).doesNotThrowAnyException();
    assertThatCode(() -> HeapLimit.check(HEAP - 1)).doesNotThrowAnyException();
    assertThatCode(() -> HeapLimit.check(HEAP)).doesNotThrowAnyException();
  }

  @Test
  void refusesWhatIsLargerThanTheHeapWithBothNumbers() {
    assertThatThrownBy(() -> HeapLimit.check(HEAP + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(HEAP + 1))
        .hasMessageContaining(Long.toString(HEAP))
        .hasMessageContaining("-Xmx");
  }
}
