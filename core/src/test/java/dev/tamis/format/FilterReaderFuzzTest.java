package dev.tamis.format;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;

/**
 * Any bytes are a filter that writes itself back, or are refused; once more with the checksums
 * corrected, which a fuzzer would hardly find by itself.
 *
 * <p>In the ordinary build this runs over the seeds in the resources.
 */
class FilterReaderFuzzTest {

  @FuzzTest(maxDuration = "20m")
  void anyBytesAreReadOrRefused(byte[] bytes) {
    InputBudget.check(bytes.length, () -> read(bytes));
    InputBudget.check(bytes.length, () -> read(Bytes.repaired(bytes)));
  }

  private void read(byte[] bytes) {
    FuzzedReader.check(bytes);
    FuzzedView.check(bytes, 64);
  }
}
