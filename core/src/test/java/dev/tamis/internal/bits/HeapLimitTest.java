package dev.tamis.internal.bits;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThatCode;

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
    refuses(() -> HeapLimit.check(HEAP + 1), Long.toString(HEAP + 1), Long.toString(HEAP), "-Xmx");
  }
}
