package dev.tamis.format;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Any bytes are a filter that writes itself back, or are refused.
 *
 * <p>In the ordinary build this runs over the seeds in the resources. To fuzz:
 *
 * <pre>{@code
 * mvn -B verify -P fuzz -pl core
 * }</pre>
 */
class FilterReaderFuzzTest {

  @FuzzTest(maxDuration = "5m")
  void anyBytesAreReadOrRefused(byte[] bytes) {
    FuzzedReader.check(bytes);
    FuzzedView.check(bytes, 64);
  }
}
