package dev.tamis.format;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * The same as {@link FilterReaderFuzzTest} for bytes whose checksums are right, which a fuzzer
 * would hardly find by itself.
 */
class RepairedFrameFuzzTest {

  @FuzzTest(maxDuration = "5m")
  void bytesWithRightChecksumsAreReadOrRefused(byte[] bytes) {
    byte[] repaired = Bytes.repaired(bytes);
    FuzzedReader.check(repaired);
    FuzzedView.check(repaired, 64);
  }
}
