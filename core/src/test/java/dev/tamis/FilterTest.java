package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.HashId;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** What every filter has without doing anything for it. */
class FilterTest {

  @Test
  void anArrayHoldsWhatIsWritten() {
    assertThat(new Sized(3).toByteArray()).containsExactly(1, 2, 3);
  }

  @Test
  void moreThanAnArrayHoldsIsRefusedWithTheNumberAndTheLimit() {
    for (long bytes : new long[] {Filter.MAX_ARRAY_BYTES + 1L, 1L << 32, (1L << 32) + 3}) {
      assertThatThrownBy(() -> new Sized(bytes).toByteArray())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(Long.toString(bytes))
          .hasMessageContaining(Integer.toString(Filter.MAX_ARRAY_BYTES));
    }
  }

  /** A filter that claims a size and writes three bytes. */
  private record Sized(long serializedSize) implements Filter<Long> {

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(new byte[] {1, 2, 3});
    }

    @Override
    public boolean mightContainHash(long hash) {
      return false;
    }

    @Override
    public long hashOf(Long key) {
      return key;
    }

    @Override
    public HashId hashId() {
      return new HashId(HashId.Algorithm.XXH3, 0);
    }

    @Override
    public double expectedFpp() {
      return 0;
    }

    @Override
    public Estimate approximateElementCount(Confidence confidence) {
      return new Estimate(0, 0, 0);
    }

    @Override
    public long bitSize() {
      return 0;
    }
  }
}
