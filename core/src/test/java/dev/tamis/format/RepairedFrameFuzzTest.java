package dev.tamis.format;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;

/**
 * The same as {@link FilterReaderFuzzTest} for bytes whose checksums are right, which a fuzzer
 * would hardly find by itself.
 */
class RepairedFrameFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void bytesWithRightChecksumsAreReadOrRefused(byte[] bytes) {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) {
    byte[] repaired = Bytes.repaired(bytes);
    FuzzedReader.check(repaired);
    FuzzedView.check(repaired, 64);
  }
}
