package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.Estimate;
import dev.tamis.Storable;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Any bytes whose checksums are right are a sketch that writes itself back and can be queried, or
 * are refused.
 */
class SketchReaderFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void bytesWithRightChecksumsAreReadOrRefused(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    byte[] file = Bytes.repaired(bytes);
    checkCounts(file);
    checkDistinct(file);
  }

  private static void checkCounts(byte[] file) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(file);
    CountMinSketch<CharSequence> sketch;
    try {
      sketch = CountMinSketch.readFrom(in, KeyHasher.text(), Bytes.LIMIT);
    } catch (FormatException e) {
      return;
    }
    checkWrittenBack(sketch, file, in);
    assertThat(sketch.put("key")).isPositive();
    assertThat(sketch.approximateCount("key")).isBetween(1L, sketch.totalCount());
  }

  private static void checkDistinct(byte[] file) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(file);
    DistinctCounter<CharSequence> counter;
    try {
      counter = DistinctCounter.readFrom(in, KeyHasher.text(), Bytes.LIMIT);
    } catch (FormatException e) {
      return;
    }
    checkWrittenBack(counter, file, in);
    Estimate before = counter.approximateElementCount();
    counter.put("key");
    assertThat(counter.approximateElementCount().value()).isGreaterThanOrEqualTo(before.low());
  }

  private static void checkWrittenBack(Storable read, byte[] file, ByteArrayInputStream in) {
    assertThat(read.toByteArray()).isEqualTo(Arrays.copyOf(file, file.length - in.available()));
  }
}
