package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.format.FormatException;
import dev.tamis.fuzz.InputBudget;
import java.io.IOException;

/** Any bytes are a filter of DCSO's that round-trips and can be queried, or are refused. */
class DcsoReaderFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    DcsoBloomFilter<CharSequence> filter;
    try {
      filter = DcsoFiles.read(bytes);
    } catch (FormatException e) {
      return;
    }
    byte[] written = filter.toForeignBytes();
    if (bytes[0] == 1) { // not packed
      assertThat(written).isEqualTo(bytes);
    }
    assertThat(DcsoFiles.read(written, written.length)).isEqualTo(filter);
    assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
    assertThat(filter.expectedWrongDrops()).isZero();
    filter.put("key");
    assertThat(filter.mightContain("key")).isTrue();
  }
}
