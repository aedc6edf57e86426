package dev.tamis.interop;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;

/** Any bytes are a filter of Parquet's that comes back and answers as there, or are refused. */
class ParquetBytesFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreReadOrRefused(byte[] bytes) {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) {
    ForeignFuzz.check(ForeignFormat.PARQUET, bytes);
  }
}
