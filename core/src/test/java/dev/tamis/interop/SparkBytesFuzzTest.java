package dev.tamis.interop;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any bytes are a filter of Spark's that comes back and answers as there, or are refused. */
class SparkBytesFuzzTest {

  @FuzzTest(maxDuration = "5m")
  void anyBytesAreReadOrRefused(byte[] bytes) {
    ForeignFuzz.check(ForeignFormat.SPARK, bytes);
  }
}
